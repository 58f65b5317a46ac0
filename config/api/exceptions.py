"""Maps any exception to the error response of the API."""

from __future__ import annotations

import logging
import sqlite3
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.exceptions import APIException
from rest_framework.response import Response
from rest_framework.views import set_rollback

from config import logs, metrics
from config.api import views
from config.api.envelope import failure
from config.shortage import shortage
from errors import (
    AccessDenied,
    Internal,
    Invalid,
    NotFound,
    TooLarge,
    Unauthorized,
    Unavailable,
    details_of,
    kind_of,
    message_of,
    wait_of,
)

log = logging.getLogger("service.api")


FOR_PEOPLE = "for_people"
"""Attribute of views that pages link to: a browser gets their errors as a page."""


def handle(error: Exception, context: dict[str, Any]) -> HttpResponse:
    """The response to an exception raised by a view; an unknown one is logged and becomes a 500."""
    request = context["request"]
    known = _known(error)
    if known is None:
        log.error("unexpected error", exc_info=error, extra={"route": logs.route_of(request), "method": request.method})
        known = Internal()
    set_rollback()
    kind = kind_of(known)
    metrics.REFUSALS.labels(kind.default_code).inc()
    linked = request.method in ("GET", "HEAD") and getattr(context["view"], FOR_PEOPLE, False)
    if linked and request._request.get_preferred_type(_ANSWERS) == "text/html":
        return _page(request._request, known)
    body = failure(
        kind.default_code,
        message_of(known),
        request_id=getattr(request, "request_id", ""),
        details=details_of(known),
        meta=_meta(known),
    )
    response = Response(body, status=kind.status_code, headers=_headers(known))
    if linked:
        patch_vary_headers(response, ["Accept"])
    return response


def _meta(error: APIException) -> dict[str, Any] | None:
    """The error's meta, with `plansUrl` if another plan may help."""
    meta: dict[str, Any] | None = getattr(error, "meta", None)
    if kind_of(error).status_code in (402, 403):
        return {**(meta or {}), "plansUrl": "/plans"}
    return meta


_ANSWERS = ["application/json", "text/html"]
"""In order of preference: clients that accept both get the first."""


def _page(request: HttpRequest, error: APIException) -> HttpResponse:
    # The messages of these two address programs; the page has its own.
    own = type(error) not in (Unauthorized, Internal)
    kind = kind_of(error)
    reachable = not issubclass(kind, Unavailable)
    response = views.page(request, kind.status_code, str(error.detail) if own else None, database=reachable)
    for name, value in _headers(error).items():
        response[name] = value
    patch_vary_headers(response, ["Accept"])
    return response


def _known(error: Exception) -> APIException | None:
    """The public error for an exception; None if it is a bug."""
    if isinstance(error, exceptions.UnsupportedMediaType):
        return exceptions.ParseError(_("Send the body as application/json."))
    if isinstance(error, APIException):
        return error
    if isinstance(error, Http404):
        return NotFound()
    if isinstance(error, PermissionDenied):
        return AccessDenied()
    if isinstance(error, RequestDataTooBig):
        return TooLarge()
    if isinstance(error, UnreadablePostError):
        return exceptions.ParseError(_("The request body is incomplete or malformed. Send it again."))
    if isinstance(error, SuspiciousOperation):
        return Invalid()
    if (full := shortage(error)) is not None:
        return full
    if isinstance(error, OperationalError | InterfaceError | sqlite3.OperationalError):
        log.error("database unavailable", extra={"error": str(error)})
        return Unavailable()
    return None


def _headers(error: APIException) -> dict[str, str]:
    headers = kind_of(error).headers | getattr(error, "headers", {})
    wait = wait_of(error)
    if wait is not None:
        headers["Retry-After"] = str(wait)
    return headers
