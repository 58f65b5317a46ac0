"""A file in a multipart form (RFC 7578), streamed to disk and counted on the way."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, BinaryIO

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFilesSent
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, QueryDict
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from django.utils.translation import gettext as _

from accounts.shortage import NoSpace, is_full
from conversions.errors import NoFile, UnexpectedFile, UploadError
from conversions.uploads.plain import MOST_BYTES, parts_of
from conversions.uploads.received import FORM_ALLOWANCE, PIECE_BYTES, Bound, Upload, declared_length, temporary
from engine.toolkit import filenames

FIELD = "file"
_TAIL = 4096
_PARTS = 2 * (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + settings.DATA_UPLOAD_MAX_NUMBER_FILES)
"""The most parts of a form; Django's limit counts only parts with a name, and is slow for the others."""


@dataclass
class _Part:
    """One file of the form."""

    file: BinaryIO
    name: str
    size: int = 0
    digest: Any = field(default_factory=hashlib.sha256)


class _Spool(FileUploadHandler):
    """Writes the first `most` files of the field `file` to temporary files and counts all bytes."""

    chunk_size = PIECE_BYTES

    def __init__(self, length: int | None, refuse_over: Bound, most: int) -> None:
        super().__init__()
        self.length = length
        self.refuse = refuse_over
        self.most = most
        self.count = 0
        self.received = 0
        self.parts: list[_Part] = []
        self.current: _Part | None = None

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.count += 1
        self.current = None
        if self.field_name == FIELD and len(self.parts) < self.most:
            self.current = _Part(temporary(self.length), str(self.file_name))
            self.parts.append(self.current)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.received += len(raw_data)
        self.refuse.over(self.received)
        if self.current is not None:
            self.current.file.write(raw_data)
            self.current.digest.update(raw_data)
            self.current.size += len(raw_data)

    def file_complete(self, file_size: int) -> None:
        return None

    def close(self) -> None:
        for each in self.parts:
            each.file.close()


class _Body:
    """The counted request body; its last bytes show whether the upload is complete."""

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
            raise UploadError(_("The form has too many parts. Send the document as its file, once."))
        self.tail = chunk[-_TAIL:] if len(chunk) >= _TAIL else (self.tail + chunk)[-_TAIL:]
        return chunk


class _Form(MultiPartParser):
    def sanitize_file_name(self, file_name: str) -> str:
        """The name to store; Django's sanitizer would remove joiners and anything like an HTML entity."""
        return filenames.clean(file_name)


def receive(request: HttpRequest, bound: Bound, *, most: int = 1) -> list[Upload]:
    """Receive between one and `most` files of a multipart request, and its other fields.

    Together they may be as large as one. Raises UploadError, FileTooLarge (before reading the body if its declared
    length is over), NoFile and UnexpectedFile, in this order, and NoSpace if they can't be stored.
    """
    length = declared_length(request)
    bound.over_all(length or 0)
    if length == 0:
        raise NoFile()
    if length is None:
        # A body of unknown length is refused as soon as it exceeds the limit.
        bound.announce(request, around=FORM_ALLOWANCE)
    body, spool = _Body(request, bound), _Spool(length, bound, most)
    try:
        try:
            fields = _read(request, body, spool, length)
        except TooManyFilesSent as error:
            raise UnexpectedFile() from error
        except RequestDataTooBig as error:
            raise UploadError(_("The form's fields are too large. Send the document as the file.")) from error
        # The parser raises TypeError for mixed continuations in a header (RFC 2231, section 4.1).
        except (MultiPartParserError, SuspiciousOperation, OSError, ValueError, TypeError, LookupError) as error:
            if is_full(error):
                raise NoSpace() from error
            raise UploadError() from error
        closing = b"--" + _boundary(request) + b"--"
        if length is None and not body.received:
            raise NoFile()
        if length not in (None, body.received) or closing not in body.tail:
            raise UploadError(_("The upload was cut off. Send it again."))
        if not spool.parts:
            raise NoFile()
        if spool.count > len(spool.parts):
            raise UnexpectedFile()
    except BaseException:
        spool.close()
        raise
    for each in spool.parts:
        each.file.seek(0)
    return [Upload(each.file, each.name, each.size, each.digest.hexdigest(), fields) for each in spool.parts]


def _read(request: HttpRequest, body: _Body, spool: _Spool, length: int | None) -> QueryDict:
    """Pass the form's files to the spool; returns the other fields."""
    source: Any = body
    if length is not None and length <= MOST_BYTES:
        whole = body.read(length)
        parts = parts_of(whole, _boundary(request))
        if parts is not None:
            fields = QueryDict(mutable=True)
            for each in parts:
                if each.filename is None:
                    fields.appendlist(each.name, each.content.decode(errors="replace"))
                else:
                    spool.new_file(each.name, filenames.clean(each.filename), "", None)
                    spool.receive_data_chunk(each.content, 0)
            return fields
        source = BytesIO(whole)
    return _Form(request.META, source, [spool], "utf-8").parse()[0]


def _boundary(request: HttpRequest) -> bytes:
    """The form's boundary."""
    return str((request.content_params or {}).get("boundary", "")).encode("latin-1", "replace")
