"""Why a stored file is not handed out."""

from __future__ import annotations

from rest_framework import status
from rest_framework.exceptions import APIException


class InvalidFileKey(APIException):
    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "INVALID_FILE_KEY"
    default_detail = "This is not the key of a file. Use the downloadUrl of the conversion as it is."


class FileNotFound(APIException):
    status_code = status.HTTP_404_NOT_FOUND
    default_code = "NOT_FOUND"
    default_detail = "There is no such file: it has expired, or it was deleted. Convert the document again."


class AccessDenied(APIException):
    status_code = status.HTTP_403_FORBIDDEN
    default_code = "ACCESS_DENIED"
    default_detail = "This file belongs to another account."


class PreconditionFailed(APIException):
    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "PRECONDITION_FAILED"
    default_detail = "The file is not the one that the If-Match or If-Unmodified-Since header asks for."


class RangeNotSatisfiable(APIException):
    """`size` is the file's, in bytes; RFC 9110, section 15.5.17."""

    status_code = status.HTTP_416_REQUESTED_RANGE_NOT_SATISFIABLE
    default_code = "RANGE_NOT_SATISFIABLE"

    def __init__(self, size: int) -> None:
        super().__init__(f"The range lies outside the file, which has {size} bytes.")
        self.headers = {"Content-Range": f"bytes */{size}"}
        self.meta: dict[str, object] = {"size": size}
