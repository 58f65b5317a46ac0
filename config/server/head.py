"""Checks of a request's head beyond gunicorn's parser, and the client's identity for limits."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from gunicorn.http.errors import InvalidHeader

from addresses import client_address, network_of

_FORWARDED_FOR = re.compile(rb"\r\nx-forwarded-for:([^\r\n]*+)", re.IGNORECASE)


def client_of(peer: Any) -> str:
    """What counts as one client: an IPv4 address, the /64 of an IPv6 one, or "" for a Unix socket."""
    if not isinstance(peer, tuple):
        return ""
    return network_of(peer[0])


def forwarded_client(peer: Any, head: bytes, *, trusted_proxies: int) -> str:
    """The client that the proxies before the peer name in the head, or "" if they name none.

    The application reads the same fields (`RequestMiddleware`), as gunicorn joins them.
    """
    host = peer[0] if isinstance(peer, tuple) else ""
    chain = b",".join(_FORWARDED_FOR.findall(head)).decode("latin-1")
    unnamed, found = (client_address(host, each, trusted_proxies=trusted_proxies) for each in ("", chain))
    return "" if found == unnamed else network_of(found)


def check(request: Any) -> None:
    """Raise InvalidHeader for what HTTP/1.1 forbids but the parser accepts.

    A missing Host (RFC 9112, section 3.2), a target with another host than Host (section 3.2.2), and a transfer coding
    that is not supported (section 6.1).
    """
    hosts = [value for name, value in request.headers if name == "HOST"]
    if not hosts and request.version >= (1, 1):
        raise InvalidHeader("HOST", req=request)
    if hosts and not request.uri.startswith("/") and "://" in request.uri:
        target = urlsplit(request.uri)
        if _authority(target.netloc, target.scheme) != _authority(hosts[0], target.scheme):
            raise InvalidHeader("HOST", req=request)
    for name, value in request.headers:
        if name == "TRANSFER-ENCODING" and value.lower() != "chunked":
            raise InvalidHeader("TRANSFER-ENCODING", req=request)


def _authority(text: str, scheme: str) -> str:
    """Host and port in a comparable form."""
    default = {"http": ":80", "https": ":443"}.get(scheme.lower(), "")
    return text.lower().removesuffix(default) if default else text.lower()
