"""Processor seconds of failed work today (UTC), of an account and of a member in an organisation."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Case, F, Value, When
from django.db.models.functions import Coalesce

from accounts.credits import guests
from accounts.credits.limits import Limits
from accounts.credits.shares import half
from accounts.models import Membership, User

LEAST = 180
"""Seconds that a member may use however small their monthly limit, if half of the organisation's are as many.

As many as guests have by default: three files that reach a limit of 60 seconds, or at least 450 that can't be read, as
those take up to 0.3 seconds, and 0.1 for the record.
"""


def used(row: User | Membership) -> float:
    """The seconds of today, as last read."""
    return _milliseconds(row) / 1000


def share(member: Membership, whole: Limits) -> int:
    """The seconds a day that a limited member may use of their organisation's.

    As large a part as of its monthly credits, but at most what all such members may use together.
    """
    part: int = min(member.monthly_credits or 0, whole.credits) * whole.failed_seconds // max(1, whole.credits)
    return min(max(LEAST, part), half(whole.failed_seconds))


def used_by_limited(organisation: User) -> float:
    """The seconds of today of all limited members, those who have left included, as last read."""
    return int(organisation.limited_failed_ms or 0) / 1000 if organisation.failed_on == guests.today() else 0.0


def count(seconds: float, account: User, member: Membership | None) -> None:
    """Add to the seconds of the account, and of the member who acts for it, atomically.

    The account's row is locked first, as by a charge.
    """
    today, added = guests.today(), round(seconds * 1000)
    limited = added if member is not None and member.monthly_credits is not None else 0
    counted: dict[str, Any] = {"failed_ms": _sum("failed_ms", added), "failed_on": today}
    with transaction.atomic():
        both = counted | {"limited_failed_ms": _sum("limited_failed_ms", limited)}
        User.objects.filter(pk=account.pk).update(**both)
        if member is not None:
            Membership.objects.filter(pk=member.pk).update(**counted)
    # These instances may be used for further work.
    account.limited_failed_ms = round(used_by_limited(account) * 1000) + limited
    for each in (account, member) if member is not None else (account,):
        each.failed_ms, each.failed_on = _milliseconds(each) + added, today


def _sum(field: str, added: int) -> Case:
    return Case(When(failed_on=guests.today(), then=Coalesce(F(field), 0) + added), default=Value(added))


def _milliseconds(row: User | Membership) -> int:
    return int(row.failed_ms or 0) if row.failed_on == guests.today() else 0
