"""Any error to one body: code, message, details, meta and the status they belong to."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from config import metrics
from config.api.envelope import failure

log = logging.getLogger("service.api")

CODES: dict[type[exceptions.APIException], str] = {
    exceptions.ValidationError: "VALIDATION_ERROR",
    exceptions.ParseError: "VALIDATION_ERROR",
    exceptions.UnsupportedMediaType: "VALIDATION_ERROR",
    exceptions.NotAuthenticated: "UNAUTHORIZED",
    exceptions.AuthenticationFailed: "UNAUTHORIZED",
    exceptions.PermissionDenied: "ACCESS_DENIED",
    exceptions.NotFound: "NOT_FOUND",
    exceptions.MethodNotAllowed: "METHOD_NOT_ALLOWED",
    exceptions.Throttled: "TOO_MANY_REQUESTS",
}
STATUSES = {"VALIDATION_ERROR": status.HTTP_400_BAD_REQUEST}


class TooLarge(exceptions.APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "FILE_TOO_LARGE"
    default_detail = "The request body is too large for this route."


class ServiceUnavailable(exceptions.APIException):
    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "SERVICE_UNAVAILABLE"
    default_detail = "The service can't reach its database at the moment. Try again in a few seconds."
    headers = {"Retry-After": "5"}


def handle(error: Exception, context: dict[str, Any]) -> Response:
    """The answer to whatever a view raised; what is none of the known kinds is logged and answered with 500."""
    request = context["request"]
    request_id = getattr(request, "request_id", "")
    known = _known(error)
    set_rollback()
    metrics.REFUSALS.labels(_code(known) if known else "INTERNAL_ERROR").inc()
    if known is None:
        log.error("unexpected error", exc_info=error, extra={"path": request.path, "method": request.method})
        body = failure(
            "INTERNAL_ERROR",
            f"Something went wrong on our side. Try again; if it goes on, tell us the request id {request_id}.",
            request_id=request_id,
        )
        return Response(body, status=status.HTTP_500_INTERNAL_SERVER_ERROR)
    code = _code(known)
    details = getattr(known, "details", None)
    if code == "VALIDATION_ERROR" and details is None:
        details = list(_flat(known.detail, ""))
    return Response(
        failure(
            code,
            _message(known, details if code == "VALIDATION_ERROR" else None),
            request_id=request_id,
            details=details,
            meta=getattr(known, "meta", None),
        ),
        status=STATUSES.get(code, known.status_code),
        headers=_headers(known),
    )


def _known(error: Exception) -> exceptions.APIException | None:
    if isinstance(error, exceptions.NotAuthenticated) and error.detail == error.default_detail:
        return exceptions.NotAuthenticated("Log in first: send `Authorization: Bearer <token>` with a token or a key.")
    if isinstance(error, exceptions.UnsupportedMediaType):
        return exceptions.ParseError("Send the body as application/json.")
    if isinstance(error, exceptions.APIException):
        return error
    if isinstance(error, Http404):
        return exceptions.NotFound("There is nothing at this address for you.")
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied()
    if isinstance(error, RequestDataTooBig):
        return TooLarge()
    if isinstance(error, SuspiciousOperation):
        return exceptions.ParseError("The request is malformed.")
    if isinstance(error, OperationalError | InterfaceError):
        log.error("database unavailable", extra={"error": str(error)})
        return ServiceUnavailable()
    if isinstance(error, DatabaseError):
        return None
    return None


def _code(error: exceptions.APIException) -> str:
    own = getattr(type(error), "default_code", "")
    if own.isupper():
        return own
    return next((code for kind, code in CODES.items() if isinstance(error, kind)), "INTERNAL_ERROR")


def _headers(error: exceptions.APIException) -> dict[str, str]:
    headers = dict(getattr(error, "headers", {}))
    if error.status_code == status.HTTP_401_UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    wait = getattr(error, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(max(1, int(-(-wait // 1))))
    return headers


def _message(error: exceptions.APIException, details: list[dict[str, Any]] | None) -> str:
    if details and not isinstance(error.detail, str):
        first = details[0]
        rest = f" (and {len(details) - 1} more, see details)" if len(details) > 1 else ""
        return f"{first['field']}: {first['message']}{rest}"
    if isinstance(error.detail, dict):
        return str(error.detail.get("detail", error.default_detail))
    if isinstance(error.detail, list):
        return " ".join(str(each) for each in error.detail)
    return str(error.detail)


def _flat(detail: Any, field: str) -> Iterator[dict[str, Any]]:
    """DRF's nested details as a flat list; what belongs to no field is said of the body."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _flat(inner, field if name == "non_field_errors" else f"{field}.{name}" if field else str(name))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _flat(inner, field)
    else:
        yield {"field": field or "body", "message": str(detail)}
