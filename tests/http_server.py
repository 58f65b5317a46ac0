"""Run an HTTP server in a thread of the test, and end it without a wait."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from typing import Any, TypeVar

S = TypeVar("S", bound=socketserver.BaseServer)


@contextmanager
def http_server(handler: Any) -> Iterator[str]:
    """Serve on a free port with a request handler; gives the server's origin."""
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server:
        yield f"http://127.0.0.1:{server.server_port}"


@contextmanager
def serving(server: S) -> Iterator[S]:
    """Run a TCP server, and close it.

    `shutdown` waits until `serve_forever` polls, up to half a second; a connection is noticed at once.
    """
    ended = threading.Event()

    def serve() -> None:
        while not ended.is_set():
            server.handle_request()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield server
    finally:
        ended.set()
        socket.create_connection(server.server_address).close()  # type: ignore[arg-type]
        thread.join()
        server.server_close()
