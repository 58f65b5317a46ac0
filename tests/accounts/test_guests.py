"""The guest quota: counted by guest and day, and never exceeded."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from accounts.credits import budgets, guests
from accounts.credits.payers import GuestPayer
from accounts.errors import GuestQuotaExceeded, TooManyRequests
from accounts.models import GuestDay, Plan


def test_a_guest_can_use_the_quota_and_no_more(db: None) -> None:
    guest, other = guests.guest_id("192.0.2.1"), guests.guest_id("192.0.2.2")
    assert [guests.count_conversion(guest, 3) for _ in range(3)] == [2, 1, 0]
    with pytest.raises(GuestQuotaExceeded):
        guests.count_conversion(guest, 3)
    assert guests.used(guest) == 3
    assert guests.count_conversion(other, 3) == 2
    assert guests.count_conversion(guest, 4) == 0


def test_a_quota_of_zero_allows_nothing(db: None) -> None:
    guest = guests.guest_id("192.0.2.1")
    with pytest.raises(GuestQuotaExceeded):
        guests.count_conversion(guest, 0)
    assert not GuestDay.objects.exists()


@pytest.fixture
def block(db: None) -> list[GuestPayer]:
    """Guests at a network of an IPv6 block each, of which ten together may do what one may ten times."""
    Plan.objects.filter(code="guest").update(credits=2, failed_seconds=3)
    return [GuestPayer(f"2001:db8:1:{number:x}::/64") for number in range(12)]


def test_the_guests_of_an_ipv6_block_share_a_quota(block: list[GuestPayer]) -> None:
    for each in block[:10]:
        for _ in range(2):
            each.charge(1, reference=uuid.uuid4(), reason="")
    assert block[10].used == 2
    with pytest.raises(GuestQuotaExceeded, match="2 files a day"):
        block[10].check(1)
    with pytest.raises(GuestQuotaExceeded, match="2 files a day"), transaction.atomic():
        block[10].charge(1, reference=uuid.uuid4(), reason="")
    assert GuestDay.objects.filter(used__gt=0).count() == 11
    assert GuestPayer("2001:db8:2:1::/64").used == 0


def test_a_guest_gets_what_is_left_of_the_block_s_quota(block: list[GuestPayer]) -> None:
    for number in range(19):
        block[number // 2].charge(1, reference=uuid.uuid4(), reason="")
    assert [each.used for each in (block[0], block[9], block[10])] == [2, 1, 1]


def test_failed_work_counts_for_the_block_too(block: list[GuestPayer]) -> None:
    for each in block[:10]:
        each.count_failed(3)
    assert block[11].failed_seconds == 3
    with pytest.raises(TooManyRequests), budgets.counted_on(block[11]):
        raise AssertionError("nothing is done")


def test_an_ipv4_block_has_many_customers(db: None) -> None:
    Plan.objects.filter(code="guest").update(credits=1)
    for number in range(20):
        GuestPayer(f"192.0.2.{number}").charge(1, reference=uuid.uuid4(), reason="")
    assert GuestPayer("192.0.2.20").used == 0


@pytest.mark.usefixtures("db", "one_window")
def test_an_ipv6_block_has_ten_times_the_attempts_of_an_address(settings: Any) -> None:
    settings.LOGIN_RATE_ADDRESS = "1/m"

    def attempt(network: int) -> int:
        body = {"email": f"{network}@example.org", "password": "wrong"}
        client = Client(REMOTE_ADDR=f"2001:db8:1:{network:x}::1")
        return client.post("/api/v1/auth/login", json.dumps(body), content_type="application/json").status_code

    assert [attempt(number) for number in range(11)] == [401] * 10 + [429]
