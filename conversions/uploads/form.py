"""A file as the field of a multipart form (RFC 7578): streamed to disk and counted while it comes in."""

from __future__ import annotations

import hashlib
from typing import Any, BinaryIO

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFilesSent
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParser, MultiPartParserError

from accounts.shortage import NoSpace, is_full
from conversions.errors import NoFile, UnexpectedFile, UploadError
from conversions.toolkit import filenames
from conversions.uploads.received import FORM_ALLOWANCE, PIECE_BYTES, Bound, Upload, declared_length, temporary

FIELD = "file"
_TAIL = 4096
_PARTS = 2 * (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + settings.DATA_UPLOAD_MAX_NUMBER_FILES)
"""How many parts a form may have; the parser counts only those with a name, and takes long over the others."""


class _Spool(FileUploadHandler):
    """Writes the first file of the field `file` to a temporary file and counts the bytes of all of them."""

    chunk_size = PIECE_BYTES

    def __init__(self, length: int | None, refuse_over: Bound) -> None:
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
            self.file = temporary(self.length)

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


class _Body:
    """The request's body, counted, with its last bytes kept: they tell whether the upload is whole."""

    def __init__(self, request: HttpRequest, refuse_over: Bound) -> None:
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


def receive(request: HttpRequest, bound: Bound) -> Upload:
    """Read the one file of a multipart request and its other fields.

    Raises UploadError, FileTooLarge (before the body is read where its declared length is over), NoFile and
    UnexpectedFile, in this order, and NoSpace where the file can't be kept.
    """
    length = declared_length(request)
    bound.over_all(length or 0)
    if length == 0:
        raise NoFile()
    if length is None:
        # A body without an end is refused as soon as its file, or all of it, must be too long.
        bound.announce(request, around=FORM_ALLOWANCE)
    body, spool = _Body(request, bound), _Spool(length, bound)
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
