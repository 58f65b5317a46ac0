"""The shop's figures by day: accounts made, accounts at work, money taken, and how many accounts each plan has.

Sign-ups and plans are counted by triggers of the database (see migrations), in the transaction that changes an account.
A figure has several rows, of which each connection writes one, so that no transaction waits for another's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, date

from django.db import connection
from django.db.models import Q, Sum
from django.utils import timezone

from accounts.models import Figure

SIGN_UPS, ACTIVE = "sign-ups", "active"
PLAN, REVENUE = "plan:", "revenue:"
ALWAYS = date(1970, 1, 1)
"""The day of what stands rather than happens: the accounts of a plan, by its id."""

_ENTER = """
INSERT INTO accounts_figure (day, name, shard, number) VALUES (%s, %s, %s, %s)
ON CONFLICT (day, name, shard) DO UPDATE SET number = accounts_figure.number + excluded.number
"""


def enter_revenue(amount: int, currency: str, *, day: date | None = None) -> None:
    """Add money that was taken, negative for what was paid back, to a day's revenue (today's, UTC, unless given).

    `amount` is in the smallest unit of the currency, an ISO 4217 code: cents of `EUR`. Part of the caller's
    transaction: an event that is entered once counts once.
    """
    day = day or timezone.now().astimezone(UTC).date()
    shard = random.randrange(Figure.SHARDS)  # noqa: S311
    with connection.cursor() as cursor:
        cursor.execute(_ENTER, (day, REVENUE + currency.upper(), shard, amount))


def totals(since: date) -> Iterator[tuple[date, str, int]]:
    """Day, name and number of every figure since a day, and of those that stand (their day is ALWAYS), in one query."""
    found = Figure.objects.filter(Q(day__gte=since) | Q(day=ALWAYS)).order_by("day", "name").values_list("day", "name")
    return found.annotate(total=Sum("number")).iterator()
