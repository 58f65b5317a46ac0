"""Errors that no API view has raised: JSON under /api/, a page elsewhere."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from config.api.envelope import failure

_TEXTS = {
    400: ("VALIDATION_ERROR", "The request is malformed. Check the address, the headers and the host name."),
    403: ("ACCESS_DENIED", "You are not allowed to do this. Reload the page and try again."),
    404: ("NOT_FOUND", "There is nothing at this address. The API reference at /docs lists every route."),
    500: ("INTERNAL_ERROR", "Something went wrong on our side. Try again; if it goes on, tell us the request id."),
}


def error(request: HttpRequest, status: int) -> HttpResponse:
    """The answer with this status: the error body where a program asks, the error page where a person does."""
    code, message = _TEXTS[status]
    request_id = getattr(request, "request_id", "")
    if request.path.startswith("/api/"):
        details = [{"field": "request", "message": message}] if code == "VALIDATION_ERROR" else None
        return JsonResponse(failure(code, message, request_id=request_id, details=details), status=status)
    return render(
        request, "error.html", {"status": status, "message": message, "request_id": request_id}, status=status
    )


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(request, 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    return error(request, 500)


def csrf_failure(request: HttpRequest, reason: str = "", **_: Any) -> HttpResponse:
    return error(request, 403)
