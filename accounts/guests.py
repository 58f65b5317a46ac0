"""The daily quota of guests: a guest is a keyed hash of an address, the day is a UTC day."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts import sending
from accounts.errors import GuestQuotaExceeded
from accounts.models import GuestDay

_TAKE = """
INSERT INTO accounts_guestday (day, guest, used) VALUES (%s, %s, 1)
ON CONFLICT (day, guest) DO UPDATE SET used = accounts_guestday.used + 1 WHERE accounts_guestday.used < %s
RETURNING used
"""


def guest_id(address: str) -> str:
    """The keyed hash under which the address of a client, or its network, is kept."""
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
    if limit < 1:
        raise quota_exceeded(limit)
    cursor = sending.execute(_TAKE, [today().isoformat(), guest, limit])
    row = cursor.fetchone()
    cursor.close()
    if row is None:
        raise quota_exceeded(limit)
    return limit - int(row[0])


def quota_exceeded(limit: int) -> GuestQuotaExceeded:
    return GuestQuotaExceeded(
        _(
            "Guests can convert %(limit)s files a day and you have used them all. "
            "Sign up for a free account to go on now."
        )
        % {"limit": limit},
        limit=limit,
        resetsAt=resets_at(),
    )
