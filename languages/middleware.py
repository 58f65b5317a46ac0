"""In which language a request is answered: the account's, else the cookie's, else the one that its header asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers

from languages.spoken import known, remember, tag

_ENGLISH = ("/mcp", "/metrics", "/api/v1/schema", "/.well-known/", "/robots.txt", "/sitemap.xml", "/worker.js")
"""What programs read, in the language of its source for everybody."""
_NOBODYS = ("/api/", "/healthz", "/readyz", "/offline", "/manifest.webmanifest", "/favicon.ico", "/texts/")
"""What asks no database for an account because of its language; scripts on pages send the cookie."""


class LanguageMiddleware:
    """Speaks one language for as long as a request lasts, and names it in the answer.

    Stands outside the session's middleware, so that errors of those are told in the cookie's or the header's language;
    what a page is asked for by an account is in the account's.
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
            # The calls of its scripts follow the cookie, since those ask no database for a language.
            remember(response, chosen)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Go over to the account's language, once it is known whose request this is."""
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or request.path_info.startswith((*_ENGLISH, *_NOBODYS)):
            return
        try:
            chosen = known(getattr(request.user, "language", None))
        except (OperationalError, InterfaceError):
            # The view asks as well, and what it answers then needs the header's language only.
            return
        if chosen is not None:
            translation.activate(chosen)
            if getattr(request, "look", None) is None:
                request.account_language = chosen  # type: ignore[attr-defined]


def _has_words(response: HttpResponseBase) -> bool:
    kind = response.get("Content-Type", "")
    return kind.startswith("text/html") or (
        kind.startswith("application/json") and "public" not in response.get("Cache-Control", "")
    )
