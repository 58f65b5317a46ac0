"""Errors of downloads."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import status

from errors import AccessDenied, NotFound, PublicError, Unavailable


class InvalidFileKey(PublicError):
    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "INVALID_FILE_KEY"
    default_detail = _("This is not a file key. Use the conversion's downloadUrl unchanged.")


class FileNotFound(NotFound):
    default_detail = _("File not found: it has expired or was deleted. Convert the document again.")


class StorageUnreachable(Unavailable):
    default_detail = _("The service can't reach its files. You weren't charged. Try again in a few seconds.")


class NotYours(AccessDenied):
    default_detail = _("This file belongs to another account.")


class PreconditionFailed(PublicError):
    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "PRECONDITION_FAILED"
    default_detail = _("The file doesn't match the If-Match or If-Unmodified-Since header.")


class RangeNotSatisfiable(PublicError):
    """`size` is the file's, in bytes; RFC 9110, section 15.5.17."""

    status_code = status.HTTP_416_REQUESTED_RANGE_NOT_SATISFIABLE
    default_code = "RANGE_NOT_SATISFIABLE"
    default_detail = _("The range is outside the file.")

    def __init__(self, size: int) -> None:
        super().__init__(f"The range lies outside the file, which has {size} bytes.")
        self.headers = {"Content-Range": f"bytes */{size}"}  # type: ignore[misc]  # this one's own
        self.meta = {"size": size}
