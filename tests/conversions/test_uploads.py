"""Where an upload is until it is converted: small ones in memory, the others on disk."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory

from accounts.credits.limits import Limits
from accounts.credits.payers import UserPayer
from conversions import uploads
from conversions.uploads import received as spool
from engine.sandbox.limits import MEMORY_FOLDER, SMALL
from tests.conftest import Person

CONTENT = b"[1]"


def received(content: bytes, limits: Limits) -> tuple[int, bytes]:
    """The device that an upload was written to, and what is on it."""
    request = RequestFactory().post("/", {"file": SimpleUploadedFile("a.json", content)})
    upload = uploads.receive(request, limits, guest=False)
    with upload.file:
        return os.fstat(upload.file.fileno()).st_dev, upload.file.read()


@pytest.fixture
def limits(paying: Person) -> Limits:
    return replace(UserPayer(paying.account).limits, max_file_bytes=10 * SMALL)


def test_a_small_upload_is_kept_in_memory_and_a_large_one_on_disk(limits: Limits) -> None:
    assert received(CONTENT, limits) == (os.stat(MEMORY_FOLDER).st_dev, CONTENT)
    large = CONTENT + bytes(SMALL)
    assert received(large, limits) == (os.stat(settings.FILE_UPLOAD_TEMP_DIR).st_dev, large)


def test_without_room_in_memory_every_upload_is_on_disk(limits: Limits, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = os.stat(settings.FILE_UPLOAD_TEMP_DIR).st_dev
    room = os.statvfs(MEMORY_FOLDER)
    monkeypatch.setattr(spool, "_ROOM", room.f_blocks * room.f_frsize)
    assert received(CONTENT, limits) == (disk, CONTENT)
    monkeypatch.setattr(spool, "_ROOM", 0)
    monkeypatch.setattr(spool, "MEMORY_FOLDER", "/nowhere")
    assert received(CONTENT, limits) == (disk, CONTENT)
