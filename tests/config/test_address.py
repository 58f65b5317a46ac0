"""Whose address counts, behind any number of proxies."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.credits.guests import guest_id
from addresses import client_address, network_of
from tests.conftest import Person


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
        ("10.0.0.1", "6.6.6.6:1, 1.2.3.4:4444", 1, "1.2.3.4"),
        ("10.0.0.1", "[2001:db8::1]:4444", 1, "2001:db8::1"),
        ("10.0.0.1", "[::ffff:1.2.3.4]:4444", 1, "1.2.3.4"),
        ("10.0.0.1", "[2001:db8::1]", 1, "2001:db8::1"),
        ("10.0.0.1", "2001:db8::1:4444", 1, "2001:db8::1:4444"),
        ("10.0.0.1", "nonsense:80", 1, "10.0.0.1"),
        ("", "", 0, "127.0.0.1"),
        ("", "1.2.3.4", 1, "1.2.3.4"),
        ("", "nonsense", 1, "127.0.0.1"),
    ],
)
def test_the_client_is_the_peer_of_the_outermost_trusted_proxy(
    peer: str, forwarded: str, proxies: int, address: str
) -> None:
    assert client_address(peer, forwarded, trusted_proxies=proxies) == address


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_what_counts_as_one_client(address: str, network: str) -> None:
    assert network_of(address) == network


def test_a_guest_is_stored_as_a_hash() -> None:
    assert guest_id("203.0.113.9") != guest_id("203.0.113.10")
    assert len(guest_id("203.0.113.9")) == 64


def test_addresses_of_one_ipv6_network_share_the_quota_of_guests(guest: Person) -> None:
    def remaining(address: str) -> int:
        answer = guest.client.get("/api/v1/converter/guest-quota", REMOTE_ADDR=address)
        return int(answer.json()["data"]["remaining"])

    file = SimpleUploadedFile("a.json", b"[1]")
    first, neighbour, other = "2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"
    before = remaining(first)
    answer = guest.client.post("/api/v1/converter/json-to-csv", {"file": file}, REMOTE_ADDR=first)
    assert answer.status_code == 201
    assert (remaining(first), remaining(neighbour), remaining(other)) == (before - 1, before - 1, before)
