"""Public error codes, each declared once, with its status and message, on an exception class."""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions, status
from rest_framework.exceptions import APIException

_DECLARED: dict[str, type[PublicError]] = {}


class PublicError(APIException):
    """An error with a public code, `default_code`, which subclasses inherit; declaring a code twice raises TypeError.

    `meta` holds machine-readable facts, `details` errors by field, `headers` extra response headers, `wait` the seconds
    until a retry.
    """

    default_detail: Any
    meta: dict[str, Any]
    details: list[dict[str, Any]]
    headers: ClassVar[dict[str, str]] = {}
    wait: float | None = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "default_code" in vars(cls):
            first = _DECLARED.setdefault(cls.default_code, cls)
            if first is not cls:
                raise TypeError(f"{cls.default_code} is declared by {first.__qualname__}: make this a subclass of it.")


class Invalid(PublicError):
    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "VALIDATION_ERROR"
    default_detail: Any = _("The request is malformed. Check the address, the headers and the host name.")


class Unauthorized(PublicError):
    status_code = status.HTTP_401_UNAUTHORIZED
    default_code = "UNAUTHORIZED"
    default_detail: Any = _("Log in first: send `Authorization: Bearer <token>` with an access token or an API key.")
    headers = {"WWW-Authenticate": "Bearer"}


class AccessDenied(PublicError):
    status_code = status.HTTP_403_FORBIDDEN
    default_code = "ACCESS_DENIED"
    default_detail: Any = _("You're not allowed to do this. Reload the page and try again.")


class NotFound(PublicError):
    status_code = status.HTTP_404_NOT_FOUND
    default_code = "NOT_FOUND"
    default_detail: Any = _("Nothing found at this address. The API reference at /docs lists every route.")


class MethodNotAllowed(PublicError):
    status_code = status.HTTP_405_METHOD_NOT_ALLOWED
    default_code = "METHOD_NOT_ALLOWED"
    default_detail: Any = _("This route doesn't support this method. The Allow header lists the methods it supports.")


class TooLarge(PublicError):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "FILE_TOO_LARGE"
    default_detail: Any = _("The request body is too large for this route.")


class TooMany(PublicError):
    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "TOO_MANY_REQUESTS"
    default_detail: Any = _("Too many requests. Wait for the number of seconds in the Retry-After header.")


class Internal(PublicError):
    status_code = status.HTTP_500_INTERNAL_SERVER_ERROR
    default_code = "INTERNAL_ERROR"
    default_detail: Any = _(
        "Something went wrong on our side. Try again. If the problem continues, send us the request ID."
    )


class Unavailable(PublicError):
    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "SERVICE_UNAVAILABLE"
    default_detail: Any = _("The service can't reach its database. Try again in a few seconds.")
    wait = 5


_FRAMEWORK: dict[type[APIException], type[PublicError]] = {
    exceptions.ValidationError: Invalid,
    exceptions.ParseError: Invalid,
    exceptions.UnsupportedMediaType: Invalid,
    exceptions.NotAuthenticated: Unauthorized,
    exceptions.AuthenticationFailed: Unauthorized,
    exceptions.PermissionDenied: AccessDenied,
    exceptions.NotFound: NotFound,
    exceptions.MethodNotAllowed: MethodNotAllowed,
    exceptions.Throttled: TooMany,
}


def kind_of(error: APIException) -> type[PublicError]:
    """The class that declares the error's code and status: its own, or the one that corresponds to DRF's."""
    if isinstance(error, PublicError):
        return type(error)
    return next((ours for theirs, ours in _FRAMEWORK.items() if isinstance(error, theirs)), Internal)


def codes(*kinds: type[PublicError]) -> list[str]:
    """The codes of these classes, for an operation in the OpenAPI document."""
    return [each.default_code for each in kinds]


def declared() -> dict[str, type[PublicError]]:
    """All codes declared by the loaded apps, with their classes, sorted by status and name."""
    return dict(sorted(_DECLARED.items(), key=lambda each: (each[1].status_code, each[0])))


def wait_of(error: APIException) -> int | None:
    """Seconds for the Retry-After header, rounded up; None if a retry won't help."""
    wait = getattr(error, "wait", None)
    return None if wait is None else max(1, int(-(-wait // 1)))


def details_of(error: APIException) -> list[dict[str, Any]] | None:
    """Errors by field; None if the error is not about fields."""
    details: list[dict[str, Any]] | None = getattr(error, "details", None)
    if details is None and issubclass(kind_of(error), Invalid):
        return _flat(error.detail, "")
    return details


def message_of(error: APIException) -> str:
    """The error as a sentence, with the first invalid field if it is about fields."""
    if not isinstance(error, PublicError) and error.detail == error.default_detail:
        # The framework's message does not say what to do next.
        return str(kind_of(error).default_detail)
    detail: Any = error.detail
    details = details_of(error) if issubclass(kind_of(error), Invalid) else None
    if details and not isinstance(detail, str):
        first = details[0]
        if len(details) == 1:
            return f"{first['field']}: {first['message']}"
        message = gettext("%(field)s: %(message)s (and %(more)d more, see details)")
        return message % {**first, "more": len(details) - 1}
    if isinstance(detail, dict):
        return str(detail.get("detail", error.default_detail))
    if isinstance(detail, list):
        return " ".join(str(each) for each in detail)
    return str(detail)


def _flat(detail: Any, field: str) -> list[dict[str, Any]]:
    """Flatten DRF's nested details; errors that belong to no field get the field `body`."""
    if isinstance(detail, dict):
        names = {name: f"{field}.{name}" if field else str(name) for name in detail} | {"non_field_errors": field}
        return [each for name, inner in detail.items() for each in _flat(inner, names[name])]
    if isinstance(detail, list):
        return [each for inner in detail for each in _flat(inner, field)]
    return [{"field": field or "body", "message": str(detail)}]
