"""Usage by day, slug and duration, updated with each conversion and summed on demand."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from datetime import UTC, date, timedelta
from functools import cache
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Q, Sum, TextField
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.functional import cached_property

from accounts.models import User
from conversions.models import Conversion, Usage

STEP = 1.1
"""Width of a bucket: durations within it differ by at most a tenth."""

ALL = ""
"""The slug of a day's total."""


def bucket_of(duration_ms: int) -> str:
    """The bucket of a duration, as three digits, so that they sort numerically."""
    return f"{round(math.log(max(1, duration_ms)) / math.log(STEP)):03}"


@cache
def _middle(bucket: str) -> int:
    return round(STEP ** int(bucket))


_ONE_MORE = {
    "postgresql": "jsonb_set({0}, ARRAY[%s::text], to_jsonb(coalesce(({0} ->> %s::text)::bigint, 0) + 1))",
    "sqlite": "json_set({0}, '$.\"' || %s || '\"', coalesce({0} ->> %s, 0) + 1)",
}
_COUNT = """
INSERT INTO conversions_usage
    (owner_id, span, start, slug, conversions, failures, credits, bytes_in, bytes_out, durations)
SELECT %s, column1, {start}, column3, 1, %s, %s, %s, %s, {durations} FROM (VALUES {rows}) AS each WHERE true
ON CONFLICT (owner_id, span, start, slug) DO UPDATE SET
    conversions = conversions_usage.conversions + 1,
    failures = conversions_usage.failures + excluded.failures,
    credits = conversions_usage.credits + excluded.credits,
    bytes_in = conversions_usage.bytes_in + excluded.bytes_in,
    bytes_out = conversions_usage.bytes_out + excluded.bytes_out,
    durations = {more}
"""
_TYPED = {
    "postgresql": {"start": "CAST(column2 AS date)", "durations": "CAST(%s AS jsonb)"},
    "sqlite": {"start": "column2", "durations": "%s"},
}


@cache
def _counting(vendor: str, *, failed: bool, rows: int) -> str:
    kept = "conversions_usage.durations"
    more = kept if failed else _ONE_MORE[vendor].format(kept)
    return _COUNT.format(rows=", ".join(["(%s, %s, %s)"] * rows), more=more, **_TYPED[vendor])


def count(conversion: Conversion, *, api_key: UUID | None = None) -> None:
    """Add a conversion to the sums of its account and API key, in the transaction that records it."""
    if conversion.owner_id is None:
        return
    failed = conversion.status == Conversion.Status.FAILED
    bucket = bucket_of(conversion.duration_ms)
    today = conversion.created_at.astimezone(UTC).date()
    day, month = today.isoformat(), today.replace(day=1).isoformat()
    # Months have no total over slugs, as they have few rows.
    rows = [
        (Usage.Span.DAY.value, day, ALL),
        (Usage.Span.DAY.value, day, conversion.slug),
        (Usage.Span.MONTH.value, month, conversion.slug),
    ]
    if api_key is not None:
        rows.append((Usage.Span.KEY.value, day, api_key.hex))
    owner = Usage._meta.get_field("owner").get_db_prep_value(conversion.owner_id, connection)
    sums = (int(failed), conversion.credits, conversion.input_bytes, conversion.output_bytes or 0)
    durations = json.dumps({} if failed else {bucket: 1})
    bucketed = () if failed else (bucket, bucket)
    parameters = [owner, *sums, durations, *(value for row in rows for value in row), *bucketed]
    with connection.cursor() as cursor:
        cursor.execute(_counting(connection.vendor, failed=failed, rows=len(rows)), parameters)


@dataclass
class Sums:
    """Totals of any set of rows; `durations` is the histogram of completed conversions, by bucket."""

    conversions: int = 0
    failures: int = 0
    credits: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    durations: dict[str, int] = field(default_factory=dict)

    def add(self, other: Sums) -> None:
        self.conversions += other.conversions
        self.failures += other.failures
        self.credits += other.credits
        self.bytes_in += other.bytes_in
        self.bytes_out += other.bytes_out
        known = self.durations
        for bucket, number in other.durations.items():
            known[bucket] = known.get(bucket, 0) + number

    @property
    def median_ms(self) -> int | None:
        return self._percentiles[0]

    @property
    def p95_ms(self) -> int | None:
        return self._percentiles[1]

    @cached_property
    def _percentiles(self) -> tuple[int | None, int | None]:
        """The median and 95th percentile duration of completed conversions, exact to a twentieth."""
        numbers, total = self.durations, sum(self.durations.values())
        if not total:
            return None, None
        buckets = sorted(numbers)
        below, above = math.ceil(total * 0.5), total - math.ceil(total * 0.95)
        for middle in buckets:
            below -= numbers[middle]
            if below <= 0:
                break
        for late in reversed(buckets):
            above -= numbers[late]
            if above < 0:
                break
        return _middle(middle), _middle(late)


_NUMBERS = ("conversions", "failures", "credits", "bytes_in", "bytes_out")
_SUMS = ("start", "slug", *_NUMBERS, Cast("durations", TextField()))
"""Decoding hundreds of histograms directly is three times as fast as through the model's field."""


_histogram = msgspec.json.Decoder(dict[str, int]).decode


@dataclass(frozen=True)
class Report:
    since: date
    until: date
    totals: Sums
    slugs: dict[str, Sums]
    days: dict[date, Sums]
    calendar: dict[date, Sums]
    """The single days of the calendar, if it covers more days than the report."""


def report(user: User, *, days: int, calendar: int = 0) -> Report:
    """The account's usage of the last `days` days, including today: total, by slug and by day, in one query.

    `calendar` is the number of single days, if more are needed.
    """
    until = timezone.now().astimezone(UTC).date()
    since = until - timedelta(days=days - 1)
    first = until - timedelta(days=max(days, calendar) - 1)
    by_day = {first + timedelta(days=number): Sums() for number in range(max(days, calendar))}
    totals, slugs = Sums(), dict[str, Sums]()
    days_of_all = Q(span=Usage.Span.DAY, slug=ALL, start__gte=first, start__lte=until)
    # The current month has nothing after today.
    rows = Usage.objects.filter(_window(since, _next_month(until)) | days_of_all, owner=user)
    for start, slug, conversions, failures, credits, bytes_in, bytes_out, text in rows.values_list(*_SUMS):
        sums = Sums(conversions, failures, credits, bytes_in, bytes_out, _histogram(text))
        if slug == ALL:
            by_day[start] = sums
        elif slug in slugs:
            slugs[slug].add(sums)
        else:
            slugs[slug] = sums
    for each in slugs.values():
        totals.add(each)
    shown = {day: sums for day, sums in by_day.items() if day >= since}
    return Report(since, until, totals, dict(sorted(slugs.items())), shown, by_day)


KEY_DAYS = 30


def of_keys(user: User) -> dict[UUID, Sums]:
    """The usage of each API key in the last `KEY_DAYS` days, without durations, in one query."""
    since = timezone.now().astimezone(UTC).date() - timedelta(days=KEY_DAYS - 1)
    rows = Usage.objects.filter(owner=user, span=Usage.Span.KEY, start__gte=since)
    sums = rows.values_list("slug").annotate(*(Sum(name) for name in _NUMBERS)).order_by()
    return {UUID(slug): Sums(*numbers) for slug, *numbers in sums}


def number_of_conversions(
    user: User, *, slug: str | None, status: str | None, since: date | None, end: date | None
) -> int:
    """The number of an account's conversions between two days, from the sums."""
    rows = Usage.objects.filter(_window(since or date.min, end or date.max), owner=user)
    rows = rows.exclude(slug=ALL) if slug is None else rows.filter(slug=slug)
    sums = rows.aggregate(all=Sum("conversions", default=0), failed=Sum("failures", default=0))
    if status is None:
        return int(sums["all"])
    return int(sums["failed"] if status == Conversion.Status.FAILED else sums["all"] - sums["failed"])


def slugs_of(user: User) -> list[str]:
    """The slugs that an account has used, sorted."""
    own = Usage.objects.filter(owner=user, span=Usage.Span.MONTH)
    return list(own.order_by("slug").values_list("slug", flat=True).distinct())


def _window(since: date, end: date) -> Q:
    """The rows from `since` until before `end`: whole months, and the days around them."""
    first = since if since.day == 1 else _next_month(since)
    last = end.replace(day=1)
    days = Q(span=Usage.Span.DAY)
    if first >= last:
        return days & Q(start__gte=since, start__lt=end)
    return (
        Q(span=Usage.Span.MONTH, start__gte=first, start__lt=last)
        | days & Q(start__gte=since, start__lt=first)
        | days & Q(start__gte=last, start__lt=end)
    )


def _next_month(day: date) -> date:
    if (day.year, day.month) == (date.max.year, date.max.month):
        return date.max
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)
