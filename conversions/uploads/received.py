"""What every way of uploading has in common: the file as it is received, and how large it may be."""

from __future__ import annotations

import contextlib
import os
import tempfile
from dataclasses import dataclass
from typing import BinaryIO

from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.utils.formats import get_format
from django.utils.translation import gettext as _

from accounts.limits import Limits
from conversions.errors import FileTooLarge, GuestFileTooLarge, UploadError
from conversions.sandbox.limits import MEMORY_FOLDER, SMALL

FORM_ALLOWANCE = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 100_000
"""How many bytes a body may have beside its file: fields, headers and boundaries."""

PIECE_BYTES = 1 << 18
"""How much of a file is written at a time."""

_ROOM = 16 * SMALL


@dataclass(frozen=True)
class Upload:
    """One received file, open for reading at its start, and the form's other fields."""

    file: BinaryIO
    name: str
    size: int
    sha256: str
    fields: QueryDict


@dataclass(frozen=True)
class Bound:
    """What a file, and a body around it, may have in bytes; raises FileTooLarge or GuestFileTooLarge."""

    limits: Limits
    guest: bool

    def over(self, received: int) -> None:
        """Refuse a file of more bytes than are allowed."""
        if received > self.limits.max_file_bytes:
            self._refuse(received)

    def over_all(self, received: int) -> None:
        """Refuse a body that is too long for any file that is allowed, whatever else is in it."""
        if received > self.limits.max_file_bytes + FORM_ALLOWANCE:
            self._refuse(received)

    def announce(self, request: HttpRequest, *, around: int) -> None:
        """Have the server ask again once a body of unknown length must be too long, `around` bytes around its file."""
        if ask_at := request.META.get("server.ask_at"):
            ask_at(self.limits.max_file_bytes + PIECE_BYTES, self.limits.max_file_bytes + around + 1)

    def _refuse(self, received: int) -> None:
        kind = GuestFileTooLarge if self.guest else FileTooLarge
        limit = self.limits.max_file_bytes
        if self.guest:
            text = _("The file is larger than %(most)s MB. Sign up for a free account or make the file smaller.")
        else:
            text = _("The file is larger than %(most)s MB. Move to a larger plan or make the file smaller.")
        most = f"{limit / 1_000_000:g}".replace(".", get_format("DECIMAL_SEPARATOR"))
        raise kind(text % {"most": most}, limitBytes=limit, receivedBytes=received)


def temporary(length: int | None) -> BinaryIO:
    """A file for a body of so many bytes, in memory if that is known to be little, which the caller closes.

    Its only name is a descriptor: nothing to clean up, whatever dies.
    """
    if length is not None and length <= SMALL:
        with contextlib.suppress(OSError):
            room = os.statvfs(MEMORY_FOLDER)
            if room.f_bavail * room.f_frsize > _ROOM:
                return tempfile.TemporaryFile(dir=MEMORY_FOLDER)
    return tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR)


def declared_length(request: HttpRequest) -> int | None:
    """The bytes of the body; None for one that comes in chunks, whose end tells (RFC 9112, section 7.1)."""
    text = request.META.get("CONTENT_LENGTH") or ""
    if not text.isdigit():
        raise UploadError(_("The upload has no length. Send a Content-Length header."))
    return None if "HTTP_TRANSFER_ENCODING" in request.META else int(text)
