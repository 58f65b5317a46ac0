"""What the worker must know of HTTP beside gunicorn's parser: when a request can be served, and short answers."""

from __future__ import annotations

import ipaddress
import json
import re
import uuid
from collections.abc import Iterable
from typing import Any

from gunicorn.http.body import ChunkedReader

from config.channel import Channel

HEAD_BYTES = 64 * 1024
SMALL_BODY_BYTES = 16 * 1024
RETRY_SECONDS = 10

_END_OF_HEAD = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)
_STREAMED = re.compile(rb"\r\n(?:transfer-encoding|expect):", re.IGNORECASE)
_REASONS = {400: "Bad Request", 429: "Too Many Requests", 500: "Internal Server Error"}


def network_of(client: Any) -> str:
    """Name what counts as one client: an IPv4 address, the /64 of an IPv6 one, or "" for a Unix socket."""
    if not isinstance(client, tuple):
        return ""
    address = ipaddress.ip_address(client[0].split("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.IPv6Network((address, 64), strict=False))
    return str(address)


def weigh(received: bytearray) -> tuple[bool, bool]:
    """Tell whether the request has a large (or endless) body, and whether enough of it is here to serve it.

    Only a hint for the event loop: gunicorn's parser decides what the bytes mean.
    """
    end = received.find(_END_OF_HEAD)
    if end < 0:
        # A line that ends in a bare line feed never completes a head; the parser says so.
        malformed = received.count(b"\n") != received.count(b"\r\n")
        return False, malformed
    head = received[: end + 2]
    if _STREAMED.search(head):
        return True, True
    length = _LENGTH.search(head)
    size = int(length[1]) if length else 0
    if size > SMALL_BODY_BYTES:
        return True, True
    return False, len(received) >= end + len(_END_OF_HEAD) + size


def call(application: Any, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Call the application; where it answers without having read the body, the connection closes after the answer."""
    channel: Channel = environ["gunicorn.socket"]

    def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        if channel.owes_continue or _outstanding(channel):
            channel.owes_continue = False
            channel.request.force_close()
        return start_response(status, headers, exc_info)

    return application(environ, start)  # type: ignore[no-any-return]


def _outstanding(channel: Channel) -> bool:
    request = channel.request
    reader = request.body.reader
    if isinstance(reader, ChunkedReader):
        return reader.parser is not None
    held = request.unreader.buf.getbuffer().nbytes + len(channel.inbox)
    return bool(reader.length > held)


def refusal(status: int, code: str, message: str) -> bytes:
    """Write the answer to a request that the application never sees, or crashed on, as the API's own errors look."""
    request_id = uuid.uuid4().hex
    answer: dict[str, Any] = {"success": False, "code": code, "message": message, "requestId": request_id}
    if code == "VALIDATION_ERROR":
        answer["details"] = []
    retry = f"Retry-After: {RETRY_SECONDS}\r\n" if status == 429 else ""
    body = json.dumps(answer)
    return (
        f"HTTP/1.1 {status} {_REASONS[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n{retry}"
        f"X-Request-Id: {request_id}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode("ascii")


def is_endless_head(received: bytearray) -> bool:
    return len(received) >= HEAD_BYTES and _END_OF_HEAD not in received
