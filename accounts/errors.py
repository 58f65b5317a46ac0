"""Errors of accounts' and guests' limits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import status

from errors import AccessDenied, PublicError, TooMany, Unauthorized


class ServiceError(PublicError):
    """An error with facts: `meta` omits None and formats times as ISO 8601."""

    def __init__(self, message: str | None = None, **meta: Any) -> None:
        super().__init__(message)
        self.meta = {name: _plain(value) for name, value in meta.items() if value is not None}


def _plain(value: Any) -> Any:
    return timestamp(value) if isinstance(value, datetime) else value


def timestamp(moment: datetime) -> str:
    """A time as ISO 8601 in UTC with a `Z`."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


class PaymentRequired(ServiceError):
    status_code = status.HTTP_402_PAYMENT_REQUIRED
    default_code = "PAYMENT_REQUIRED"
    default_detail = _("You don't have enough credits for this conversion.")


class GuestQuotaExceeded(ServiceError):
    status_code = status.HTTP_403_FORBIDDEN
    default_code = "GUEST_QUOTA_EXCEEDED"
    default_detail = _("You have used today's free conversions. Sign up for a free account to continue now.")


class EmailNotConfirmed(ServiceError, AccessDenied):
    default_detail = _("Confirm your email address first. Follow the link we emailed you, or request a new one.")


class InvalidCredentials(ServiceError, Unauthorized):
    default_detail = _("The credentials are not valid.")


class SecondFactorRequired(ServiceError):
    status_code = status.HTTP_401_UNAUTHORIZED
    default_code = "SECOND_FACTOR_REQUIRED"
    default_detail = _("This account has a second factor. Send its code or a recovery code as `code`.")


class TooManyRequests(ServiceError, TooMany):
    """A rate or job limit was exceeded; `wait` is in seconds until a retry may succeed."""

    wait: float

    def __init__(self, message: str, *, wait: float, **meta: Any) -> None:
        super().__init__(message, **meta)
        self.wait = wait
