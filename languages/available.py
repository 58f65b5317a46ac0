"""The available languages: names, files, and the browser's choice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.http.response import HttpResponseBase
from django.utils import translation


def translated() -> list[str]:
    """Codes of the languages with translations: all but the source language."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def folder(language: str) -> Path:
    """The folder of a language's catalogues."""
    return Path(settings.LOCALE_PATHS[0]) / translation.to_locale(language) / "LC_MESSAGES"


def tag(language: str | None) -> str:
    """A language as HTML and HTTP name it (BCP 47): `en`, `de`, `pt-BR`, `zh-Hans`."""
    name, _, part = (language or settings.LANGUAGE_CODE).partition("-")
    if name == "en" or not part:
        return name
    return f"{name}-{part.title() if len(part) > 2 else part.upper()}"


def known(language: str | None) -> str | None:
    """The language with this code if available, else None."""
    return language if language in dict(settings.LANGUAGES) else None


@contextmanager
def activated(language: str | None) -> Iterator[None]:
    """Activate an account's language in the block; the request's if it has chosen none."""
    with translation.override(known(language) or translation.get_language()):
        yield


def remember(response: HttpResponseBase, language: str) -> None:
    """Store the language in a cookie; if empty, delete it, so that the browser's settings apply."""
    if not language:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
        return
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
