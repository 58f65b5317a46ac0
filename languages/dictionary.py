"""Translations for scripts: one small script for each language, which browsers cache forever."""

from __future__ import annotations

import functools
import hashlib

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.views.decorators.http import require_safe

from languages.available import translated
from languages.compiled import compiled_file

_FOREVER = "public, max-age=31536000, immutable"
_A_WHILE = "public, max-age=60"


@functools.cache
def _content(language: str | None) -> bytes | None:
    """The script; None for the source language, and if nothing is compiled."""
    if language not in translated():
        return None
    place = compiled_file(language, "djangojs")
    return place.read_bytes() if place.exists() else None


@functools.cache
def _version(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def address(language: str | None) -> str | None:
    """The dictionary's URL, which changes with its content; None if the page needs none."""
    content = _content(language)
    return None if content is None else reverse("dictionary", args=[language, _version(content)])


@require_safe
def dictionary(request: HttpRequest, language: str, version: str) -> HttpResponse:
    """Serve the script; an outdated URL gets the current content, uncached."""
    content = _content(language)
    if content is None:
        raise Http404
    kept = _FOREVER if version == _version(content) else _A_WHILE
    return HttpResponse(content, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": kept})


urlpatterns = [path("texts/<slug:language>/<slug:version>.js", dictionary, name="dictionary")]
