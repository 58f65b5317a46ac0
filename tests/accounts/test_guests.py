"""The guest quota: counted by guest and day, and never exceeded."""

import pytest

from accounts.credits import guests
from accounts.errors import GuestQuotaExceeded
from accounts.models import GuestDay


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
