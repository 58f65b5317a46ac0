"""Daily business figures: sign-ups, active accounts, revenue, and accounts by plan.

Database triggers (see migrations) count sign-ups and plans in the transaction that changes an account. Each figure is
spread over several rows and each connection writes only one of them, so that transactions don't wait for each other.
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
"""The day of running totals, such as the number of accounts on each plan."""

_ENTER = """
INSERT INTO accounts_figure (day, name, shard, number) VALUES (%s, %s, %s, %s)
ON CONFLICT (day, name, shard) DO UPDATE SET number = accounts_figure.number + excluded.number
"""


def add_revenue(amount: int, currency: str, *, day: date | None = None) -> None:
    """Add to a day's revenue (default today, UTC); negative amounts are refunds.

    `amount` is in the currency's smallest unit, for example cents for `EUR` (ISO 4217). Runs in the caller's
    transaction, so that an event counts once.
    """
    day = day or timezone.now().astimezone(UTC).date()
    shard = random.randrange(Figure.SHARDS)  # noqa: S311
    with connection.cursor() as cursor:
        cursor.execute(_ENTER, (day, REVENUE + currency.upper(), shard, amount))


def totals(since: date) -> Iterator[tuple[date, str, int]]:
    """Day, name and value of every figure since a day, and of the running totals (day ALWAYS), in one query."""
    found = Figure.objects.filter(Q(day__gte=since) | Q(day=ALWAYS)).order_by("day", "name").values_list("day", "name")
    return found.annotate(total=Sum("number")).iterator()
