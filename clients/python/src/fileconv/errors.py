"""The errors of the service as exceptions, by error code."""

from __future__ import annotations

from typing import Any, ClassVar

import httpx


class FileconvError(Exception):
    """An error from the service; `details` are by field, `meta` is for programs, `wait` the seconds before a retry."""

    codes: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        status: int = 0,
        details: list[dict[str, Any]] | None = None,
        meta: dict[str, Any] | None = None,
        request_id: str = "",
        wait: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.details = details or []
        self.meta = meta or {}
        self.request_id = request_id
        self.wait = wait


class Invalid(FileconvError):
    """An option or field is invalid, or the file is missing."""

    codes = ("VALIDATION_ERROR", "NO_FILE", "UNEXPECTED_FILE", "UPLOAD_ERROR", "INVALID_FILE_KEY")


class Unauthorized(FileconvError):
    codes = ("UNAUTHORIZED",)


class PaymentRequired(FileconvError):
    codes = ("PAYMENT_REQUIRED",)


class AccessDenied(FileconvError):
    codes = ("ACCESS_DENIED", "API_KEYS_REQUIRE_PAID_PLAN")


class GuestQuotaExceeded(FileconvError):
    codes = ("GUEST_QUOTA_EXCEEDED",)


class NotFound(FileconvError):
    codes = ("NOT_FOUND",)


class UnknownConversion(FileconvError):
    """There is no conversion between these formats; `meta["alternatives"]` lists similar ones."""

    codes = ("UNKNOWN_CONVERSION",)


class UnsupportedFileType(FileconvError):
    codes = ("UNSUPPORTED_FILE_TYPE",)


class UnsupportedFormat(FileconvError):
    """The file is not what its name says, or damaged; `details` say where."""

    codes = ("UNSUPPORTED_FORMAT",)


class FileTooLarge(FileconvError):
    codes = ("FILE_TOO_LARGE", "GUEST_FILE_TOO_LARGE")


class TooManyRequests(FileconvError):
    codes = ("TOO_MANY_REQUESTS",)


class Unavailable(FileconvError):
    codes = ("SERVICE_UNAVAILABLE",)


class Unreachable(FileconvError):
    """There was no answer, or one that is not from the service."""


_KINDS: list[type[FileconvError]] = FileconvError.__subclasses__()
_BY_CODE = {code: kind for kind in _KINDS for code in kind.codes}


def error_of(response: httpx.Response) -> FileconvError:
    """The exception for an answer without success; a redirect is one, since only downloads follow them."""
    if response.has_redirect_location:
        text = f"{response.url} redirects to {response.headers['Location']}. Use the address it redirects to."
        return FileconvError(text, status=response.status_code)
    wait = response.headers.get("Retry-After", "")
    seconds = float(wait) if wait.isdigit() else None
    try:
        body = response.json()
        code, message = str(body["code"]), str(body["message"])
    except (ValueError, KeyError, TypeError):
        text = f"The answer {response.status_code} is not one of the service. Is {response.url.host} the right place?"
        return Unreachable(text, status=response.status_code, wait=seconds)
    return _BY_CODE.get(code, FileconvError)(
        message,
        code=code,
        status=response.status_code,
        details=body.get("details"),
        meta=body.get("meta"),
        request_id=body.get("requestId", ""),
        wait=seconds,
    )
