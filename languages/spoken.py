"""The languages themselves: which are spoken, how each is named, and how a browser remembers its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.http.response import HttpResponseBase
from django.utils import translation


def translated() -> list[str]:
    """The codes of the languages that are translated into: all but the source's."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def folder(language: str) -> Path:
    """Where a language's catalogues are, and what the service reads of them."""
    return Path(settings.LOCALE_PATHS[0]) / translation.to_locale(language) / "LC_MESSAGES"


def tag(language: str | None) -> str:
    """The language of a page as HTML and HTTP name it (BCP 47): `en`, `de`, `pt-BR`, `zh-Hans`."""
    name, _, part = (language or settings.LANGUAGE_CODE).partition("-")
    if name == "en" or not part:
        return name
    return f"{name}-{part.title() if len(part) > 2 else part.upper()}"


def known(language: str | None) -> str | None:
    """The language with this code if it is spoken here, else None."""
    return language if language in dict(settings.LANGUAGES) else None


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Say what follows in an account's language; in that of the request where it has chosen none."""
    with translation.override(known(language) or translation.get_language()):
        yield


def remember(response: HttpResponseBase, language: str) -> None:
    """Have the browser ask for this language from now on; for that of its own settings where it is empty."""
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
