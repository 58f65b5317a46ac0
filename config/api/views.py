"""Errors outside API views: JSON under /api/, a page elsewhere."""

from __future__ import annotations

import logging
import math
import sys
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from config.api.envelope import failure
from config.shortage import shortage
from errors import AccessDenied, Internal, Invalid, NotFound, PublicError, TooLarge, Unavailable

log = logging.getLogger("service.requests")

_TITLES = {
    400: _("We couldn't read that request"),
    401: _("Log in first"),
    402: _("Not enough credits"),
    403: _("You're not allowed to do this"),
    404: _("Page not found"),
    413: _("That's too large"),
    429: _("Too many requests"),
    500: _("Something went wrong"),
    503: _("Not available at the moment"),
}
_FOR_PEOPLE = {
    400: _("The address or the form is malformed. Go back, reload the page and try again."),
    401: _("Log in to see this page."),
    403: _("The page may have been open for too long, or cookies are blocked. Go back, reload it and try again."),
    404: _("Check the address. The page or file may have expired or been deleted."),
    413: _("You sent more than this page accepts. Send less, or send the document as a file."),
    500: _("This is our fault, and you weren't charged. Try again. If the problem continues, send us the request ID."),
}


def error(
    request: HttpRequest,
    kind: type[PublicError],
    message: str | None = None,
    *,
    wait: float | None = None,
    database: bool = True,
) -> HttpResponse:
    """The error as JSON for programs, as a page for people.

    `wait` is in seconds until a retry may succeed. Without `database` the page runs no queries.
    """
    if request.path.startswith("/api/"):
        request_id = getattr(request, "request_id", "")
        text = str(kind.default_detail)
        details = [{"field": "request", "message": text}] if kind is Invalid else None
        body = failure(kind.default_code, text, request_id=request_id, details=details)
        return _with_retry_after(JsonResponse(body, status=kind.status_code), wait)
    return page(request, kind.status_code, message, wait=wait, database=database)


def page(
    request: HttpRequest,
    status: int,
    message: str | None = None,
    *,
    wait: float | None = None,
    database: bool = True,
) -> HttpResponse:
    """The error page; see error()."""
    context = {
        "status": status,
        "title": _TITLES.get(status, _("That didn't work")),
        "message": message or _FOR_PEOPLE.get(status, ""),
        "request_id": getattr(request, "request_id", ""),
        # After a crash no more queries may be run.
        "plain": status == 500 or not database,
    }
    return _with_retry_after(render(request, "error.html", context, status=status), wait)


def _with_retry_after(response: HttpResponse, wait: float | None) -> HttpResponse:
    if wait is not None:
        response["Retry-After"] = str(max(1, math.ceil(wait)))
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(request, TooLarge if isinstance(exception, RequestDataTooBig) else Invalid)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(request, AccessDenied, str(exception) or None)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(request, NotFound)


def outage(request: HttpRequest, exception: BaseException | None) -> HttpResponse | None:
    """The error page if the database is unavailable or no space is left, else None."""
    if exception is not None and (full := shortage(exception)) is not None:
        return error(request, type(full), str(full.detail), wait=full.wait, database=False)
    if not isinstance(exception, OperationalError | InterfaceError):
        return None
    log.error("database unavailable", extra={"error": str(exception)})
    gone = Unavailable()
    return error(request, Unavailable, str(gone.detail), wait=gone.wait, database=False)


def server_error(request: HttpRequest) -> HttpResponse:
    """The page for what no other handler has caught, such as an outage while a middleware reads the session."""
    return outage(request, sys.exc_info()[1]) or error(request, Internal)


def csrf_failure(request: HttpRequest, reason: str = "", **more: Any) -> HttpResponse:
    return error(request, AccessDenied)
