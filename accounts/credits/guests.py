"""The daily usage of guests: a guest is a keyed hash of an address, the day is UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from django.db import connection
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.errors import GuestQuotaExceeded
from accounts.models import GuestDay
from addresses import block_of

SHARE_OF_BLOCK = 10
"""An IPv6 block may do ten times what one address may: it often has one customer, with all its 65,536 networks."""
_TAKE = """
INSERT INTO accounts_guestday (day, guest, used) VALUES (%s, %s, 1)
ON CONFLICT (day, guest) DO UPDATE SET used = accounts_guestday.used + 1 WHERE accounts_guestday.used < %s
RETURNING used
"""
_FAILED = """
INSERT INTO accounts_guestday (day, guest, used, failed_ms) VALUES (%s, %s, 0, %s)
ON CONFLICT (day, guest) DO UPDATE SET failed_ms = accounts_guestday.failed_ms + excluded.failed_ms
"""


def guest_id(address: str) -> str:
    """The keyed hash of a client's address or network."""
    return salted_hmac("accounts.guests", address, algorithm="sha256").hexdigest()


def shared_block(address: str) -> str | None:
    """The block whose guests share limits, of SHARE_OF_BLOCK times those of one; None for IPv4.

    A block of IPv4 addresses has many customers.
    """
    return block_of(address) if ":" in address else None


def today() -> date:
    return timezone.now().astimezone(UTC).date()


def resets_at() -> datetime:
    return datetime.combine(today() + timedelta(days=1), datetime.min.time(), UTC)


def used(guest: str) -> int:
    return GuestDay.objects.filter(day=today(), guest=guest).values_list("used", flat=True).first() or 0


def count_conversion(guest: str, limit: int) -> int:
    """Count one conversion and return how many are left today, in the caller's transaction.

    Raises GuestQuotaExceeded if the quota is used up, concurrent requests included.
    """
    if limit < 1:
        raise quota_exceeded(limit)
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [today().isoformat(), guest, limit])
        row = cursor.fetchone()
    if row is None:
        raise quota_exceeded(limit)
    return limit - int(row[0])


def failed_ms(guest: str) -> int:
    """Milliseconds of processor time of the guest's failed work today."""
    return GuestDay.objects.filter(day=today(), guest=guest).values_list("failed_ms", flat=True).first() or 0


def count_failed(guest: str, milliseconds: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_FAILED, [today().isoformat(), guest, milliseconds])


def lock(guest: str) -> None:
    """Lock a guest, or a network of guests, until the caller's transaction ends."""
    if connection.vendor == "postgresql":  # SQLite has one writer at a time
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int(guest[:15], 16)])


def quota_exceeded(limit: int) -> GuestQuotaExceeded:
    return GuestQuotaExceeded(
        _(
            "Guests can convert %(limit)s files a day, and you have used "
            "them all. Sign up for a free account to continue now."
        )
        % {"limit": limit},
        limit=limit,
        resetsAt=resets_at(),
    )
