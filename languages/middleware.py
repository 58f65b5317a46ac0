"""The language of a request: the account's, else the cookie's, else from Accept-Language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers

from languages.available import known, remember, tag

_ENGLISH = ("/mcp", "/metrics", "/api/v1/schema", "/.well-known/", "/robots.txt", "/sitemap.xml", "/worker.js")
"""Paths for programs, always in the source language."""
_NOBODYS = ("/api/", "/healthz", "/readyz", "/offline", "/manifest.webmanifest", "/favicon.ico", "/texts/", "/targets/")
"""Paths that don't load the account for its language; scripts send the cookie."""


class LanguageMiddleware:
    """Activates a language for the request, and names it in the response.

    Outermost, so that errors of the session middleware are in the cookie's or header's language; pages of an account
    are in its language.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(_ENGLISH):
            with translation.override(settings.LANGUAGE_CODE):
                return self.get_response(request)
        with translation.override(translation.get_language_from_request(request)):
            response = self.get_response(request)
            if _has_words(response):
                patch_vary_headers(response, ("Accept-Language", "Cookie"))
                response.headers.setdefault("Content-Language", tag(translation.get_language()))
        chosen = getattr(request, "account_language", None)
        if chosen and request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) != chosen:
            # Requests of the page's scripts use the cookie, as they don't load the account.
            remember(response, chosen)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Switch to the account's language once the user is known."""
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or request.path_info.startswith((*_ENGLISH, *_NOBODYS)):
            return
        try:
            chosen = known(getattr(request.user, "language", None))
        except (OperationalError, InterfaceError):
            # The view loads the user itself, and its response needs only the header's language.
            return
        if chosen is not None:
            translation.activate(chosen)
            if getattr(request, "impersonation", None) is None:
                request.account_language = chosen  # type: ignore[attr-defined]


def _has_words(response: HttpResponseBase) -> bool:
    kind = response.get("Content-Type", "")
    return kind.startswith("text/html") or (
        kind.startswith("application/json") and "public" not in response.get("Cache-Control", "")
    )
