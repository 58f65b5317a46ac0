"""What all kinds of uploads share: the received file and the size limits."""

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

from accounts.credits.limits import Limits, plan_for_file
from conversions.errors import FileTooLarge, GuestFileTooLarge, UploadError
from engine.sandbox.limits import MEMORY_FOLDER, SMALL

FORM_ALLOWANCE = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 100_000
"""Bytes allowed in addition to the file: fields, headers and boundaries."""

PIECE_BYTES = 1 << 18
"""Bytes written at a time."""

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
    """Size limits of the file and of the body around it; raises FileTooLarge or GuestFileTooLarge."""

    limits: Limits
    guest: bool

    def over(self, received: int) -> None:
        """Refuse a file with more bytes than allowed."""
        if received > self.limits.max_file_bytes:
            self._refuse(received)

    def over_all(self, received: int) -> None:
        """Refuse a body that is too long for any allowed file."""
        if received > self.limits.max_file_bytes + FORM_ALLOWANCE:
            self._refuse(received)

    def announce(self, request: HttpRequest, *, around: int) -> None:
        """Have the server call again when a body of unknown length exceeds the limit, with `around` bytes around its
        file.
        """
        if ask_at := request.META.get("server.ask_at"):
            ask_at(self.limits.max_file_bytes + PIECE_BYTES, self.limits.max_file_bytes + around + 1)

    def _refuse(self, received: int) -> None:
        kind = GuestFileTooLarge if self.guest else FileTooLarge
        limit = self.limits.max_file_bytes
        plan = plan_for_file(received)
        if plan:
            text = _("The file is larger than %(most)s MB. The %(plan)s plan takes files of up to %(larger)s MB.")
            text %= {"most": _megabytes(limit), "plan": plan.name, "larger": _megabytes(plan.max_file_bytes)}
        else:
            text = _("The file is larger than %(most)s MB, and no plan takes a file of this size. Make it smaller.")
            text %= {"most": _megabytes(limit)}
        raise kind(text, limitBytes=limit, receivedBytes=received)


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:g}".replace(".", get_format("DECIMAL_SEPARATOR"))


def temporary(length: int | None) -> BinaryIO:
    """A temporary file for `size` bytes, in memory if that is small; the caller closes it.

    It has no name, so nothing needs cleaning up after a crash.
    """
    if length is not None and length <= SMALL:
        with contextlib.suppress(OSError):
            room = os.statvfs(MEMORY_FOLDER)
            if room.f_bavail * room.f_frsize > _ROOM:
                return tempfile.TemporaryFile(dir=MEMORY_FOLDER)
    return tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR)


def declared_length(request: HttpRequest) -> int | None:
    """The body's declared length; None for a chunked one (RFC 9112, section 7.1)."""
    text = request.META.get("CONTENT_LENGTH") or ""
    if not text.isdigit():
        raise UploadError(_("The upload has no length. Send a Content-Length header."))
    return None if "HTTP_TRANSFER_ENCODING" in request.META else int(text)
