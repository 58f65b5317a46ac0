"""What is checked in a request's head beside what gunicorn's parser checks, and who counts as one client."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from gunicorn.http.errors import InvalidHeader

from config.addresses import network_of


def client_of(peer: Any) -> str:
    """Name what counts as one client: an IPv4 address, the /64 of an IPv6 one, or "" for a Unix socket."""
    if not isinstance(peer, tuple):
        return ""
    return network_of(peer[0])


def check(request: Any) -> None:
    """Raise InvalidHeader for what HTTP/1.1 forbids and the parser lets pass.

    A request without a Host (RFC 9112, section 3.2), one whose target names another host than its Host does (section
    3.2.2), and a body in a coding that nobody here decodes before it is used (section 6.1).
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
    """A host and port in the form in which two of them can be compared."""
    default = {"http": ":80", "https": ":443"}.get(scheme.lower(), "")
    return text.lower().removesuffix(default) if default else text.lower()
