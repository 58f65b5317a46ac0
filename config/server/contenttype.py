"""Replaces malformed Content-Type headers, which crash Django's parser."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.utils.http import parse_header_parameters

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

UNREADABLE = "application/octet-stream"
"""The type of unknown bodies (RFC 9110, section 8.3); no route accepts it."""


class ReadableContentType:
    """WSGI middleware; Django's parser raises on some parameters in the syntax of RFC 2231."""

    def __init__(self, application: Application) -> None:
        self._application = application

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        given = environ.get("CONTENT_TYPE", "")
        if "*" in given and not _readable(given):
            environ["CONTENT_TYPE"] = UNREADABLE
        return self._application(environ, start_response)


def _readable(content_type: str) -> bool:
    try:
        parse_header_parameters(content_type)
    except (ValueError, TypeError, LookupError):
        return False
    return True
