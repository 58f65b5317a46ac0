"""Addresses: what counts as one client, for every limit that is counted by address."""

from __future__ import annotations

import ipaddress

PREFIX = 64
"""Of an IPv6 address: one customer of a provider has at least that much to choose from (RFC 6177)."""


def network_of(address: str) -> str:
    """An IPv4 address as it is, mapped into IPv6 (RFC 4291, 2.5.5.2) or not; of another IPv6 address its /64."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.IPv6Network((parsed, PREFIX), strict=False))
