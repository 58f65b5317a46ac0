"""The daily quota of guests: a guest is a keyed hash of an address, the day is a UTC day."""

from __future__ import annotations

import ipaddress
from datetime import UTC, date, datetime, timedelta

from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.errors import GuestQuotaExceeded
from accounts.models import GuestDay


def guest_id(address: str) -> str:
    """The keyed hash under which a client address is kept; addresses of one IPv6 /64 are one guest."""
    parsed = ipaddress.ip_address(address)
    if parsed.version == 6:
        address = str(ipaddress.ip_network((parsed, 64), strict=False).network_address)
    return salted_hmac("accounts.guests", address, algorithm="sha256").hexdigest()


def today() -> date:
    return timezone.now().astimezone(UTC).date()


def resets_at() -> datetime:
    return datetime.combine(today() + timedelta(days=1), datetime.min.time(), UTC)


def used(guest: str) -> int:
    return GuestDay.objects.filter(day=today(), guest=guest).values_list("used", flat=True).first() or 0


def take(guest: str, limit: int) -> int:
    """Count one conversion and return how many are left today; part of the caller's transaction.

    Raises GuestQuotaExceeded where the quota is used up, whoever else shares the address at the same time.
    """
    day = today()
    GuestDay.objects.bulk_create([GuestDay(day=day, guest=guest)], ignore_conflicts=True)
    if not GuestDay.objects.filter(day=day, guest=guest, used__lt=limit).update(used=F("used") + 1):
        raise quota_exceeded(limit)
    return limit - used(guest)


def quota_exceeded(limit: int) -> GuestQuotaExceeded:
    return GuestQuotaExceeded(
        f"Guests can convert {limit} files a day and you have used them all. Sign up for a free account to go on now.",
        limit=limit,
        resetsAt=resets_at(),
    )
