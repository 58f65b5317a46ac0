"""Errors of uploads and conversions."""

from __future__ import annotations

import math
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import status

from accounts.errors import ServiceError
from engine.toolkit.failures import Cause, LimitReason
from errors import AccessDenied, Internal, Invalid, TooLarge, Unavailable


class UnknownConversion(ServiceError):
    status_code = status.HTTP_404_NOT_FOUND
    default_code = "UNKNOWN_CONVERSION"
    default_detail = _("There is no such conversion. GET /api/v1/converter/formats lists all of them.")


class PlanRequired(ServiceError, AccessDenied):
    default_detail = _("Your plan doesn't include this conversion. Change your plan to use it.")


class UploadError(ServiceError):
    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "UPLOAD_ERROR"
    default_detail = _("The upload is incomplete or malformed. Send it again as multipart/form-data.")


class NoFile(ServiceError):
    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "NO_FILE"
    default_detail = _("The upload has no file. Send one as multipart/form-data in the field `file`.")


class UnexpectedFile(ServiceError):
    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "UNEXPECTED_FILE"
    default_detail = _("The upload has more than one file. Send one file per request, in the field `file`.")


class UnsupportedFileType(ServiceError):
    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "UNSUPPORTED_FILE_TYPE"
    default_detail = _("Files with this extension can't be converted.")


class FileTooLarge(ServiceError, TooLarge):
    default_detail = _("The file is too large.")


class GuestFileTooLarge(FileTooLarge):
    default_code = "GUEST_FILE_TOO_LARGE"


class UnsupportedFormat(ServiceError):
    """The file is not of this format, can't be parsed, or needs more work than allowed."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_code = "UNSUPPORTED_FORMAT"
    default_detail = _("The file's content doesn't match its extension.")

    def __init__(
        self, message: str, *, reason: LimitReason | Cause, details: list[dict[str, Any]] | None = None, **meta: Any
    ) -> None:
        super().__init__(message, reason=reason, **meta)
        if details is not None:
            self.details = details


class OptionRefused(ServiceError, Invalid):
    """A well-formed option that does not fit the file."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(f"{option}: {message}")
        self.details = [{"field": option, "message": message}]


class ConverterFailed(Internal):
    """The converter crashed."""

    default_detail = _(
        "The conversion failed because of an error on our side. You weren't charged. Try again with other options."
    )


class ConverterUnavailable(Unavailable):
    default_detail = _("This conversion isn't available at the moment. Try again in a few seconds.")


class ConverterBusy(ConverterUnavailable):
    """Too many conversions are queued; `wait` is the seconds until a retry."""

    def __init__(self, wait: float) -> None:
        self.wait = max(1, math.ceil(wait))
        super().__init__(
            _("Too many conversions are waiting. Try again in %(seconds)s seconds.") % {"seconds": self.wait}
        )
