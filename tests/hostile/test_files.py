"""Every hostile file through the real service: an answer, no crash, no false charge, a good job afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from accounts.models import CreditEntry, LimitOverride, User
from conversions.models import Conversion
from storage.models import StoredFile
from tests.conftest import make_user, with_key
from tests.hostile.inputs import HOSTILE, Hostile
from tests.hostile.service import send, still_works
from tests.server.conftest import Server

REFUSED = {
    400: {"UNSUPPORTED_FILE_TYPE", "UPLOAD_ERROR", "NO_FILE", "VALIDATION_ERROR"},
    413: {"FILE_TOO_LARGE"},
    422: {"UNSUPPORTED_FORMAT"},
}


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client() as made:
        yield made


@pytest.mark.parametrize("hostile", [pytest.param(each, id=each.name) for each in HOSTILE if not each.slow])
def test_hostile_file_gets_an_answer_and_harms_nobody(server: Server, client: httpx.Client, hostile: Hostile) -> None:
    user = make_user("scale")
    LimitOverride.objects.create(user=user, requests_per_minute=10_000)
    headers = with_key(User.objects.get(pk=user.pk)).headers
    verdict = send(client, server.url, hostile, headers)
    assert verdict.status == 201 or verdict.code in REFUSED.get(verdict.status, set()), verdict
    charged = CreditEntry.objects.filter(kind="conversion").count()
    assert charged == StoredFile.objects.count() == Conversion.objects.filter(status="completed").count()
    assert charged == (verdict.status == 201)
    assert still_works(client, server.url, headers)
    assert not Path("/tmp/owned").exists()
