"""Replaces headers that crash the parsers of Django and REST framework, or take them long."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.utils.http import parse_header_parameters

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

UNREADABLE = "application/octet-stream"
"""The type of unknown bodies (RFC 9110, section 8.3); no route accepts it."""
_TYPE, _NAME, _ACCEPTED = "CONTENT_TYPE", "HTTP_CONTENT_DISPOSITION", "HTTP_ACCEPT"
_COOKIES, _ESCAPE = "HTTP_COOKIE", "\\"
MOST_TEXT = 4_096
"""Characters of one header or choice: a file name of 255 bytes takes 800. Parsing takes the square of its semicolons,
0.01 s for these and 2.2 s for the 57,000 that lines of one name may have together."""


class ReadableParameters:
    """WSGI middleware; the parser raises on some parameters in the syntax of RFC 2231, such as unknown character sets,
    and takes long for long headers and for cookies with many escapes.

    An unreadable Content-Type is that of unknown bytes, an unreadable Content-Disposition and an unreadable choice of
    Accept are left out: a recipient ignores what it does not understand of them (RFC 6266, section 4.3). So are
    cookies with a backslash, which no cookie may have (RFC 6265, section 4.1.1): Python up to 3.11.9 and 3.12.5 takes
    the square of those in one, 3.2 s for a header of 56 KB.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if not _readable(environ.get(_TYPE, "")):
            environ[_TYPE] = UNREADABLE
        if not _readable(environ.get(_NAME, "")):
            del environ[_NAME]
        if _ESCAPE in (cookies := environ.get(_COOKIES, "")):
            environ[_COOKIES] = ";".join(each for each in cookies.split(";") if _ESCAPE not in each)
        choices = environ.get(_ACCEPTED, "")
        accepted = choices.split(",") if len(choices) <= MOST_TEXT else [choices]
        if len(readable := list(filter(_readable, accepted))) < len(accepted):
            environ[_ACCEPTED] = ",".join(readable)
            if not readable:
                del environ[_ACCEPTED]
        return self._application(environ, start_response)


def _readable(header: str) -> bool:
    if len(header) > MOST_TEXT:
        return False
    if "*" not in header:
        return True
    try:
        parse_header_parameters(header)
    except (ValueError, TypeError, LookupError):
        return False
    return True
