"""Receiving one file: streamed to disk, counted while it comes in, and refused as soon as it can be."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFilesSent
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, QueryDict
from django.http.multipartparser import MultiPartParser, MultiPartParserError

from accounts.limits import Limits
from accounts.shortage import NoSpace, is_full
from conversions.errors import FileTooLarge, GuestFileTooLarge, NoFile, UnexpectedFile, UploadError
from conversions.sandbox.limits import MEMORY_FOLDER, SMALL
from conversions.toolkit import filenames

FORM_ALLOWANCE = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 100_000
"""How many bytes a body may have beside its file: fields, headers and boundaries."""

FIELD = "file"
_ROOM = 16 * SMALL
_TAIL = 4096
_PARTS = 2 * (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + settings.DATA_UPLOAD_MAX_NUMBER_FILES)
"""How many parts a form may have; the parser counts only those with a name, and takes long over the others."""


@dataclass(frozen=True)
class Upload:
    """One received file, open for reading at its start, and the form's other fields."""

    file: BinaryIO
    name: str
    size: int
    sha256: str
    fields: QueryDict


class _Spool(FileUploadHandler):
    """Writes the first file of the field `file` to a temporary file and counts the bytes of all of them."""

    chunk_size = 1 << 18

    def __init__(self, length: int | None, refuse_over: _Refusal) -> None:
        super().__init__()
        self.length = length
        self.refuse = refuse_over
        self.fields: list[str] = []
        self.received = 0
        self.digest = hashlib.sha256()
        self.file: BinaryIO | None = None
        self.name = ""
        self.size = 0

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.current = len(self.fields)
        self.fields.append(str(self.field_name))
        if self.field_name == FIELD and self.file is None:
            self.first = self.current
            self.name = str(self.file_name)
            self.file = _temporary(self.length)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.received += len(raw_data)
        self.refuse.over(self.received)
        if self.file is not None and self.current == self.first:
            self.file.write(raw_data)
            self.digest.update(raw_data)
            self.size += len(raw_data)

    def file_complete(self, file_size: int) -> None:
        return None

    def close(self) -> None:
        if self.file is not None:
            self.file.close()


@dataclass(frozen=True)
class _Refusal:
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

    def _refuse(self, received: int) -> None:
        kind = GuestFileTooLarge if self.guest else FileTooLarge
        advice = "Sign up for a free account" if self.guest else "Move to a larger plan"
        limit = self.limits.max_file_bytes
        raise kind(
            f"The file is larger than {limit / 1_000_000:g} MB. {advice} or make the file smaller.",
            limitBytes=limit,
            receivedBytes=received,
        )


class _Body:
    """The request's body, counted, with its last bytes kept: they tell whether the upload is whole."""

    def __init__(self, request: HttpRequest, refuse_over: _Refusal) -> None:
        self.request = request
        self.refuse = refuse_over
        self.received = 0
        self.parts = 0
        self.boundary = b"\r\n--" + _boundary(request)
        self.tail = b""

    def read(self, size: int) -> bytes:
        chunk = self.request.read(size)
        self.received += len(chunk)
        self.refuse.over_all(self.received)
        self.parts += chunk.count(self.boundary)
        if self.parts > _PARTS:
            raise UploadError("The form has too many parts. Send the document as its file, once.")
        self.tail = chunk[-_TAIL:] if len(chunk) >= _TAIL else (self.tail + chunk)[-_TAIL:]
        return chunk


class _Form(MultiPartParser):
    def sanitize_file_name(self, file_name: str) -> str:
        """The name as it is kept; Django would take out joiners, and what looks like HTML's entities."""
        return filenames.clean(file_name)


def receive(request: HttpRequest, limits: Limits, *, guest: bool) -> Upload:
    """Read the one file of a multipart request (RFC 7578) and its other fields.

    Raises UploadError, FileTooLarge (before the body is read where its declared length is over), NoFile and
    UnexpectedFile, in this order, and NoSpace where the file can't be kept.
    """
    if request.content_type != "multipart/form-data":
        raise NoFile()
    length = _declared_length(request)
    refusal = _Refusal(limits, guest)
    refusal.over_all(length or 0)
    if length == 0:
        raise NoFile()
    if length is None and (ask_at := request.META.get("server.ask_at")):
        # A body without an end is refused as soon as its file, or all of it, must be too long.
        ask_at(limits.max_file_bytes + _Spool.chunk_size, limits.max_file_bytes + FORM_ALLOWANCE + 1)
    body, spool = _Body(request, refusal), _Spool(length, refusal)
    try:
        try:
            fields, _ = _Form(request.META, body, [spool], "utf-8").parse()  # type: ignore[arg-type]  # it only reads
        except TooManyFilesSent as error:
            raise UnexpectedFile() from error
        except RequestDataTooBig as error:
            raise UploadError("The form's fields are too large. Send the document as the file.") from error
        # A TypeError is what the parser makes of a part's header in mixed pieces (RFC 2231, section 4.1).
        except (MultiPartParserError, SuspiciousOperation, OSError, ValueError, TypeError, LookupError) as error:
            if is_full(error):
                raise NoSpace() from error
            raise UploadError() from error
        closing = b"--" + _boundary(request) + b"--"
        if length is None and not body.received:
            raise NoFile()
        if length not in (None, body.received) or closing not in body.tail:
            raise UploadError("The upload was cut off. Send it again.")
        if spool.file is None:
            raise NoFile()
        if len(spool.fields) > 1:
            raise UnexpectedFile()
    except BaseException:
        spool.close()
        raise
    spool.file.seek(0)
    return Upload(spool.file, spool.name, spool.size, spool.digest.hexdigest(), fields)


def _boundary(request: HttpRequest) -> bytes:
    """What stands between the parts of a form."""
    return str((request.content_params or {}).get("boundary", "")).encode("latin-1", "replace")


def _temporary(length: int | None) -> BinaryIO:
    """A file for a body of so many bytes, in memory if that is known to be little, which the caller closes.

    Its only name is a descriptor: nothing to clean up, whatever dies.
    """
    if length is not None and length <= SMALL:
        with contextlib.suppress(OSError):
            room = os.statvfs(MEMORY_FOLDER)
            if room.f_bavail * room.f_frsize > _ROOM:
                return tempfile.TemporaryFile(dir=MEMORY_FOLDER)
    return tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR)


def _declared_length(request: HttpRequest) -> int | None:
    """The bytes of the body; None for one that comes in chunks, whose end tells (RFC 9112, section 7.1)."""
    text = request.META.get("CONTENT_LENGTH") or ""
    if not text.isdigit():
        raise UploadError("The upload has no length. Send a Content-Length header.")
    return None if "HTTP_TRANSFER_ENCODING" in request.META else int(text)
