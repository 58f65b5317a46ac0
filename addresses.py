"""Whose address counts behind proxies, and which count as one client or one block of clients, for all limits."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

PREFIX = 64
"""IPv6 prefix length: a provider's customer has at least a /64 (RFC 6177)."""

BLOCK = {4: 24, 6: 48}
"""Prefix lengths of blocks: networks that usually belong to one customer (RFC 6177)."""


def client_address(peer: str, forwarded_for: str, *, trusted_proxies: int) -> str:
    """The client's address: the peer's, or the one seen by the outermost trusted proxy.

    Each trusted proxy appends the address of its peer, so the list is read from the right; entries further left may be
    forged. Some proxies append the port: 192.0.2.1:4444, [2001:db8::1]:4444. An IPv4 address mapped into IPv6
    (RFC 4291, 2.5.5.2) becomes IPv4. A Unix socket has no address: without a proxy header it is 127.0.0.1.
    """
    chain = [*(each.strip() for each in forwarded_for.split(",") if each.strip()), peer]
    candidate = chain[-min(trusted_proxies + 1, len(chain))] if trusted_proxies else peer
    try:
        address = ipaddress.ip_address(_without_port(candidate).partition("%")[0])
    except ValueError:
        return "127.0.0.1" if not peer or candidate == peer else client_address(peer, "", trusted_proxies=0)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def _without_port(candidate: str) -> str:
    if candidate.startswith("["):
        return candidate[1:].partition("]")[0]
    host, _, port = candidate.partition(":")
    return candidate if ":" in port else host


def network_of(address: str) -> str:
    """The address itself for IPv4, also if mapped into IPv6 (RFC 4291, 2.5.5.2); the /64 for IPv6."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.IPv6Network((parsed, PREFIX), strict=False))


def block_of(network: str) -> str:
    """The block that an address or network belongs to."""
    found = ipaddress.ip_network(network, strict=False)
    return str(found.supernet(new_prefix=BLOCK[found.version]))


_current: ContextVar[str] = ContextVar("the block of the client", default="")


@contextmanager
def serving(network: str) -> Iterator[None]:
    """In the block, the current client is the one at this address or network."""
    before = _current.set(block_of(network))
    try:
        yield
    finally:
        _current.reset(before)


def current_block() -> str:
    """The block of the current client, for code that does not see the request; empty outside requests."""
    return _current.get()
