"""Make bodies without a declared length readable for Django, which ignores a body that has no Content-Length."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from typing import IO, Any

from gunicorn.http.errors import ParseException

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

MEMORY_BYTES = 1_000_000
STEP_BYTES = 64 * 1024


class ChunkedBodies:
    """WSGI middleware that keeps a chunked body (RFC 9112, section 7.1) in a temporary file and declares its length.

    A body of more than `limit` bytes is not read on: the application sees its declared length as `limit` + 1 and
    refuses it as it refuses any other that is too long. One that breaks off raises OSError when it is read.
    """

    def __init__(self, application: Application, *, limit: int) -> None:
        self._application = application
        self._limit = limit

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if "HTTP_TRANSFER_ENCODING" not in environ or not environ.get("wsgi.input_terminated"):
            return self._application(environ, start_response)
        with tempfile.SpooledTemporaryFile(MEMORY_BYTES) as spool:
            try:
                length = self._keep(environ["wsgi.input"], spool)
            except (OSError, ParseException):
                environ |= {"CONTENT_LENGTH": "1", "wsgi.input": _Broken()}
            else:
                spool.seek(0)
                environ |= {"CONTENT_LENGTH": str(length), "wsgi.input": spool}
            # The answers of requests with a body never read it lazily: the file may go when the application returns.
            return self._application(environ, start_response)

    def _keep(self, body: Any, spool: IO[bytes]) -> int:
        length = 0
        while data := body.read(STEP_BYTES):
            length += len(data)
            if length > self._limit:
                return self._limit + 1
            spool.write(data)
        return length


class _Broken:
    def read(self, size: int = -1) -> bytes:
        raise ConnectionResetError("The body broke off.")

    readline = read
