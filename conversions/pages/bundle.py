"""Several results as one ZIP, written while it is sent."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.models import User
from storage import files
from storage.errors import FileNotFound
from storage.models import StoredFile

MOST = 100
_CHUNK = 256 * 1024


class _Outbox(io.RawIOBase):
    """What zipfile has written since it was last asked; it can't seek, so that sizes follow the data."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        part = bytes(data)  # type: ignore[call-overload]
        self._parts.append(part)
        return len(part)

    def take(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


@require_POST
def download_all(request: HttpRequest) -> HttpResponseBase:
    """The files whose keys are in the form's `file` fields, MOST at most, as far as the reader may have them.

    An account's file is for that account, a guest's for whoever knows its key. Raises FileNotFound where none is left.
    """
    keys = list(dict.fromkeys(request.POST.getlist("file")))[:MOST]
    if not keys:
        messages.warning(request, "Choose the files that you want first.")
        return redirect("history" if request.user.is_authenticated else "convert")
    owner = request.user.pk if isinstance(request.user, User) else None
    stored = StoredFile.objects.filter(key__in=keys, expires_at__gt=timezone.now())
    found = sorted((each for each in stored if each.owner_id in (None, owner)), key=lambda each: keys.index(each.key))
    if not found:
        raise FileNotFound()
    response = StreamingHttpResponse(_zip(found), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="results.zip"'
    response["Cache-Control"] = "private, no-store"
    return response


def _zip(found: list[StoredFile]) -> Iterator[bytes]:
    outbox = _Outbox()
    with zipfile.ZipFile(outbox, "w", zipfile.ZIP_STORED) as archive:  # results are mostly compressed already
        for name, each in zip(_names(found), found, strict=True):
            entry = zipfile.ZipInfo(name, each.created_at.timetuple()[:6])
            with files.open(each) as source, archive.open(entry, "w", force_zip64=True) as target:
                while chunk := source.read(_CHUNK):
                    target.write(chunk)
                    yield outbox.take()
    yield outbox.take()


def _names(found: list[StoredFile]) -> Iterator[str]:
    """Each file's own name, with a number before its extension where it was there already."""
    taken: set[str] = set()
    for each in found:
        stem, dot, extension = each.name.rpartition(".")
        name, number = each.name, 2
        while name.lower() in taken:
            name = f"{stem if dot else each.name} ({number}){dot}{extension if dot else ''}"
            number += 1
        taken.add(name.lower())
        yield name
