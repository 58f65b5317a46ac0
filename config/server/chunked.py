"""Makes chunked bodies readable for Django, which ignores a body without Content-Length."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import IO, Any

from gunicorn.http.errors import ParseException

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

UNDECLARED = str(1 << 62)
"""The length declared for forms with files: larger than any body, as it is not known yet."""


class ChunkedBodies:
    """WSGI middleware that declares a length for a chunked body (RFC 9112, section 7.1).

    Forms that may have files, and paths below `uploads`, are streamed to the application, which counts them. Any other
    body is read here: of more than `limit` bytes the application sees only a declared length of `limit` + 1, and
    refuses it as any other that is too long. An incomplete one raises OSError when read.
    """

    def __init__(self, application: Application, *, limit: int, uploads: str) -> None:
        self._application = application
        self._limit = limit
        self._uploads = uploads

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if "HTTP_TRANSFER_ENCODING" in environ and environ.get("wsgi.input_terminated"):
            body = _Body(environ["wsgi.input"])
            form = environ.get("CONTENT_TYPE", "").lower().startswith("multipart/")
            if form or environ.get("PATH_INFO", "").startswith(self._uploads):
                environ |= {"CONTENT_LENGTH": UNDECLARED, "wsgi.input": body}
            else:
                if ask_at := environ.get("server.ask_at"):
                    ask_at(self._limit + 1)
                environ |= self._read(body)
        return self._application(environ, start_response)

    def _read(self, body: _Body) -> dict[str, Any]:
        try:
            data = body.read(self._limit + 1)
        except OSError:
            return {"CONTENT_LENGTH": "1", "wsgi.input": _Broken()}
        return {"CONTENT_LENGTH": str(len(data)), "wsgi.input": io.BytesIO(data)}


class _Body:
    """A chunked body; raises OSError if it is incomplete or malformed, as other bodies do."""

    def __init__(self, body: IO[bytes]) -> None:
        self._body = body

    def read(self, size: int = -1) -> bytes:
        try:
            return self._body.read(size)
        except ParseException as error:
            raise ConnectionResetError("The body is no series of chunks.") from error

    def readline(self, size: int = -1) -> bytes:
        try:
            return self._body.readline(size)
        except ParseException as error:
            raise ConnectionResetError("The body is no series of chunks.") from error


class _Broken:
    def read(self, size: int = -1) -> bytes:
        raise ConnectionResetError("The body broke off.")

    readline = read
