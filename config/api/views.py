"""Errors that no API view has raised: JSON under /api/, a page elsewhere."""

from __future__ import annotations

import math
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from config.api.envelope import failure

_TEXTS = {
    400: ("VALIDATION_ERROR", "The request is malformed. Check the address, the headers and the host name."),
    403: ("ACCESS_DENIED", "You are not allowed to do this. Reload the page and try again."),
    404: ("NOT_FOUND", "There is nothing at this address. The API reference at /docs lists every route."),
    413: ("FILE_TOO_LARGE", "The request body is too large for this route."),
    500: ("INTERNAL_ERROR", "Something went wrong on our side. Try again; if it goes on, tell us the request id."),
}
_TITLES = {
    400: "That request can't be read",
    401: "Log in first",
    402: "Not enough credits",
    403: "That is not allowed",
    404: "There is nothing here",
    413: "That is too large",
    429: "That was a little fast",
    500: "Something went wrong",
    503: "Not available at the moment",
}
_FOR_PEOPLE = {
    400: "The address or the form is malformed. Go back, reload the page and try again.",
    403: "The page may have been open for too long, or cookies are blocked. Go back, reload it and try again.",
    404: "The address may be mistyped, or what was here has expired or been deleted.",
    413: "More was sent than this page takes. Send less, or send the document as a file.",
    500: "The fault is ours, and nothing was charged. Try again; if it goes on, tell us the request id.",
}


def error(
    request: HttpRequest,
    status: int,
    message: str | None = None,
    *,
    wait: float | None = None,
    database: bool = True,
) -> HttpResponse:
    """The answer with this status: the error body where a program asks, the error page where a person does.

    `wait` is in seconds, after which the same request gets through. Without `database` the page asks it nothing.
    """
    request_id = getattr(request, "request_id", "")
    if request.path.startswith("/api/"):
        code, text = _TEXTS[status]
        details = [{"field": "request", "message": text}] if code == "VALIDATION_ERROR" else None
        return JsonResponse(failure(code, text, request_id=request_id, details=details), status=status)
    context = {
        "status": status,
        "title": _TITLES.get(status, "That did not work"),
        "message": message or _FOR_PEOPLE.get(status, ""),
        "request_id": request_id,
        # After a crash nothing may be asked of the database again.
        "plain": status == 500 or not database,
    }
    response = render(request, "error.html", context, status=status)
    if wait is not None:
        response["Retry-After"] = str(max(1, math.ceil(wait)))
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(request, 413 if isinstance(exception, RequestDataTooBig) else 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    return error(request, 500)


def csrf_failure(request: HttpRequest, reason: str = "", **_: Any) -> HttpResponse:
    return error(request, 403)
