"""Middleware: request id, client address behind trusted proxies, security headers, and error pages."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable
from functools import cache

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.contrib.messages.middleware import MessageMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.exceptions import APIException

from addresses import client_address, network_of, serving
from config import logs, metrics
from config.api import views
from config.paths import without_slash
from errors import kind_of

log = logging.getLogger("service.requests")

_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")


class RequestMiddleware:
    """Sets `request.request_id`, `client_address` and `client_network`; the response has `X-Request-Id`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        request.path_info = without_slash(request.path_info)
        request.request_id = request_id  # type: ignore[attr-defined]
        request.client_address = client_address(  # type: ignore[attr-defined]
            request.META.get("REMOTE_ADDR", ""),
            request.META.get("HTTP_X_FORWARDED_FOR", ""),
            trusted_proxies=settings.TRUSTED_PROXY_COUNT,
        )
        request.client_network = network_of(request.client_address)  # type: ignore[attr-defined]
        token = logs.request_id.set(request_id)
        started = time.perf_counter()
        try:
            with serving(request.client_network):  # type: ignore[attr-defined]
                response = self.get_response(request)
            _record(request, response.status_code, time.perf_counter() - started)
        finally:
            logs.request_id.reset(token)
        response["X-Request-Id"] = request_id
        return response


class PolicyMiddleware(CSPMiddleware):
    """The library builds the same policy for every response; this builds it only for views with their own."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        # Looked up by joined names: checking each of fifty takes as long as building the policy.
        if " _csp" in " ".join(("", *vars(response), *vars(request))):
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, _policy())
        return response


@cache
def _policy() -> str:
    return build_policy()


class PageMessagesMiddleware(MessageMiddleware):
    """Django's middleware, for pages only: the API has no messages."""

    def process_request(self, request: HttpRequest) -> None:
        if not request.path_info.startswith("/api/"):
            super().process_request(request)


class PageErrorMiddleware:
    """Renders API errors and database outages of pages as error pages. API views handle their own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if (outage := views.outage(request, exception)) is not None:
            return outage
        if not isinstance(exception, APIException):
            return None
        wait = getattr(exception, "wait", None)
        return views.error(request, kind_of(exception), str(exception.detail), wait=wait)


def _record(request: HttpRequest, status: int, seconds: float) -> None:
    """Count and log a request by its route: the path may contain a file's key."""
    route = logs.route_of(request)
    method = request.method if request.method in _METHODS else "other"
    metrics.REQUESTS.labels(method, route, status).inc()
    metrics.REQUEST_SECONDS.labels(route).observe(seconds)
    log.info(
        "request", extra={"method": method, "route": route, "status": status, "durationMs": round(seconds * 1000, 1)}
    )
