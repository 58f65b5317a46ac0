"""Usage by day, slug and duration, kept up to date conversion by conversion and summed on demand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, timedelta
from typing import Any

from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from accounts.models import User
from conversions.models import Conversion, UsageCell

STEP = 1.1
"""Durations of one bucket differ by at most a tenth."""


def bucket_of(duration_ms: int) -> int:
    return round(math.log(max(1, duration_ms)) / math.log(STEP))


def _middle(bucket: int) -> int:
    return round(STEP**bucket)


_COUNT = """
INSERT INTO conversions_usagecell (owner_id, day, slug, failed, bucket, conversions, credits, bytes_in, bytes_out)
VALUES (%s, %s, %s, %s, %s, 1, %s, %s, %s)
ON CONFLICT (owner_id, day, slug, failed, bucket) DO UPDATE SET
    conversions = conversions_usagecell.conversions + 1,
    credits = conversions_usagecell.credits + excluded.credits,
    bytes_in = conversions_usagecell.bytes_in + excluded.bytes_in,
    bytes_out = conversions_usagecell.bytes_out + excluded.bytes_out
"""


def count(conversion: Conversion) -> None:
    """Add one conversion of an account's to its sums; part of the transaction that records it."""
    if conversion.owner_id is None:
        return
    owner = UsageCell._meta.get_field("owner").get_db_prep_value(conversion.owner_id, connection)
    with connection.cursor() as cursor:
        cursor.execute(
            _COUNT,
            [
                owner,
                conversion.created_at.astimezone(UTC).date(),
                conversion.slug,
                conversion.status == Conversion.Status.FAILED,
                bucket_of(conversion.duration_ms),
                conversion.credits,
                conversion.input_bytes,
                conversion.output_bytes or 0,
            ],
        )


@dataclass
class Sums:
    """Totals of any set of cells; durations are of completed conversions, in milliseconds."""

    conversions: int = 0
    failures: int = 0
    credits: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    buckets: dict[int, int] = field(default_factory=dict)

    def add(self, cell: Mapping[str, Any]) -> None:
        self.conversions += cell["conversions"]
        self.credits += cell["credits"]
        self.bytes_in += cell["bytes_in"]
        self.bytes_out += cell["bytes_out"]
        if cell["failed"]:
            self.failures += cell["conversions"]
        else:
            self.buckets[cell["bucket"]] = self.buckets.get(cell["bucket"], 0) + cell["conversions"]

    def percentile(self, share: float) -> int | None:
        """The duration that `share` of the completed conversions did not exceed, exact to a twentieth."""
        rank, seen = math.ceil(sum(self.buckets.values()) * share), 0
        for bucket, number in sorted(self.buckets.items()):
            seen += number
            if seen >= rank:
                return _middle(bucket)
        return None

    @property
    def median_ms(self) -> int | None:
        return self.percentile(0.5)

    @property
    def p95_ms(self) -> int | None:
        return self.percentile(0.95)


@dataclass(frozen=True)
class Report:
    since: date
    until: date
    totals: Sums
    slugs: dict[str, Sums]
    days: dict[date, Sums]


def report(user: User, *, days: int) -> Report:
    """The account's usage of the last `days` days, today included: in total, by slug and by day, in one query."""
    until = timezone.now().astimezone(UTC).date()
    since = until - timedelta(days=days - 1)
    totals, slugs = Sums(), dict[str, Sums]()
    by_day = {since + timedelta(days=number): Sums() for number in range(days)}
    cells = UsageCell.objects.filter(owner=user, day__gte=since, day__lte=until).values(
        "day", "slug", "failed", "bucket", "conversions", "credits", "bytes_in", "bytes_out"
    )
    for cell in cells:
        totals.add(cell)
        slugs.setdefault(cell["slug"], Sums()).add(cell)
        by_day[cell["day"]].add(cell)
    return Report(since, until, totals, dict(sorted(slugs.items())), by_day)


def number_of_conversions(
    user: User, *, slug: str | None, status: str | None, since: date | None, until: date | None
) -> int:
    """How many conversions an account has between two days, both included, without counting them one by one."""
    cells = UsageCell.objects.filter(owner=user)
    if slug is not None:
        cells = cells.filter(slug=slug)
    if status is not None:
        cells = cells.filter(failed=status == Conversion.Status.FAILED)
    if since is not None:
        cells = cells.filter(day__gte=since)
    if until is not None:
        cells = cells.filter(day__lte=until)
    return cells.aggregate(total=Sum("conversions"))["total"] or 0
