"""Put a Content-Type that can't be read out of Django's way, which would crash before any view could refuse it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.utils.http import parse_header_parameters

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

UNREADABLE = "application/octet-stream"
"""What a body of unknown type is (RFC 9110, section 8.3); no route takes it."""


class ReadableContentType:
    """WSGI middleware; parameters as of RFC 2231 are what Django's parser does not always survive."""

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
