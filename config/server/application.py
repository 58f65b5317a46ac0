"""The WSGI application as the worker calls it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gunicorn.http.body import ChunkedReader

from config.server.channel import Channel


def call(application: Any, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Call the application; where it answers without having read the body, the connection closes after the answer."""
    channel: Channel = environ["gunicorn.socket"]

    def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        if channel.owes_continue or _outstanding(channel):
            channel.owes_continue = False
            channel.request.force_close()
        # The answer has begun: the request can't be shown to the application once more.
        channel.whole = True
        return start_response(status, headers, exc_info)

    return application(environ, start)  # type: ignore[no-any-return]


def _outstanding(channel: Channel) -> bool:
    request = channel.request
    reader = request.body.reader
    if isinstance(reader, ChunkedReader):
        return reader.parser is not None
    held = request.unreader.buf.getbuffer().nbytes + channel.received.size - channel.received.position
    return bool(reader.length > held)
