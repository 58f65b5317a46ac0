"""Whose address counts, behind any number of proxies."""

from __future__ import annotations

import pytest

from accounts.guests import guest_id
from config.middleware import client_address


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxies", "address"),
    [
        ("203.0.113.9", "", 0, "203.0.113.9"),
        ("203.0.113.9", "1.2.3.4", 0, "203.0.113.9"),
        ("10.0.0.1", "1.2.3.4", 1, "1.2.3.4"),
        ("10.0.0.1", "6.6.6.6, 1.2.3.4", 1, "1.2.3.4"),
        ("10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2", 2, "1.2.3.4"),
        ("10.0.0.1", "", 1, "10.0.0.1"),
        ("10.0.0.1", "1.2.3.4", 5, "1.2.3.4"),
        ("::ffff:203.0.113.9", "", 0, "203.0.113.9"),
        ("10.0.0.1", "::ffff:1.2.3.4", 1, "1.2.3.4"),
        ("2001:db8::1", "", 0, "2001:db8::1"),
        ("fe80::1%eth0", "", 0, "fe80::1"),
        ("10.0.0.1", "nonsense", 1, "10.0.0.1"),
        ("", "", 0, "127.0.0.1"),
        ("", "1.2.3.4", 1, "1.2.3.4"),
        ("", "nonsense", 1, "127.0.0.1"),
    ],
)
def test_the_client_is_whom_the_outermost_trusted_proxy_saw(
    peer: str, forwarded: str, proxies: int, address: str
) -> None:
    assert client_address(peer, forwarded, trusted_proxies=proxies) == address


def test_addresses_of_one_ipv6_network_are_one_guest_and_kept_as_a_hash() -> None:
    assert guest_id("2001:db8:1:2::1") == guest_id("2001:db8:1:2:ffff::9")
    assert guest_id("2001:db8:1:2::1") != guest_id("2001:db8:1:3::1")
    assert guest_id("203.0.113.9") != guest_id("203.0.113.10")
    assert len(guest_id("203.0.113.9")) == 64
