"""Calls the WSGI application for the worker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gunicorn.http.body import ChunkedReader

from config.server.channel import Channel

DISCARDED = 32 * 1024
"""Bytes of an unread body after which its connection goes on.

gunicorn discards 64 KB, what it has read ahead included, and closes the connection if there are more: the response has
to say so, or the client sends its next request there.
"""


def call(application: Any, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Call the application; if it responds without reading a long body, or one that has not arrived, the connection
    closes after the response.
    """
    channel: Channel = environ["gunicorn.socket"]

    def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        if channel.owes_continue or _outstanding(channel):
            channel.owes_continue = False
            channel.request.force_close()
        # The response has started, so the application can't be called again.
        channel.whole = True
        return start_response(status, headers, exc_info)

    answer: Iterable[bytes] = application(environ, start)
    return _WithoutBody(answer) if environ["REQUEST_METHOD"] == "HEAD" else answer


class _WithoutBody:
    """The response to HEAD, without content (RFC 9110, 9.3.2): the server would log each chunk that it drops."""

    def __init__(self, answer: Iterable[bytes]) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        return iter(())

    def close(self) -> None:
        if (close := getattr(self._answer, "close", None)) is not None:
            close()


def _outstanding(channel: Channel) -> bool:
    request = channel.request
    reader = request.body.reader
    if isinstance(reader, ChunkedReader):
        return reader.parser is not None
    held = request.unreader.buf.getbuffer().nbytes + channel.received.size - channel.received.position
    return bool(reader.length > min(held, DISCARDED))
