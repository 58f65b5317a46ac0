"""Processor seconds of failed work today (UTC), of an account and of a member in an organisation."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Case, F, Value, When

from accounts.credits import guests
from accounts.credits.limits import Limits
from accounts.models import Membership, User

LEAST = 180
"""Seconds that a member may use however small their monthly limit: as many as guests are installed with.

They are three files that reach a limit of 60 seconds, or at least 450 that can't be read: those take up to 0.3 seconds,
and 0.1 for the record.
"""


def used(row: User | Membership) -> float:
    """The seconds of today, as last read."""
    return _milliseconds(row) / 1000


def share(member: Membership, whole: Limits) -> int:
    """The seconds a day that a member may use of their organisation's: as large a part as of its monthly credits."""
    if member.monthly_credits is None:
        return whole.failed_seconds
    part: int = min(member.monthly_credits, whole.credits) * whole.failed_seconds // max(1, whole.credits)
    return min(max(LEAST, part), whole.failed_seconds)


def count(seconds: float, account: User, member: Membership | None) -> None:
    """Add to the seconds of the account, and of the member who acts for it, atomically.

    The account's row is locked first, as by a charge.
    """
    today, added = guests.today(), round(seconds * 1000)
    total = Case(When(failed_on=today, then=F("failed_ms") + added), default=Value(added))
    with transaction.atomic():
        User.objects.filter(pk=account.pk).update(failed_ms=total, failed_on=today)
        if member is not None:
            Membership.objects.filter(pk=member.pk).update(failed_ms=total, failed_on=today)
    # These instances may be used for further work.
    for each in (account, member) if member is not None else (account,):
        each.failed_ms, each.failed_on = _milliseconds(each) + added, today


def _milliseconds(row: User | Membership) -> int:
    return int(row.failed_ms or 0) if row.failed_on == guests.today() else 0
