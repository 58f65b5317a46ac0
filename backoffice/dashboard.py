"""The dashboard of the last 30 days, from daily sums, in a constant number of queries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from functools import partial
from typing import Any

from django.db.models import Q, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.credits import figures
from accounts.currencies import formatted
from accounts.models import Plan
from accounts.templatetags.quantities import milliseconds, size, thousands
from conversions.models import Day
from conversions.pages.chart import Chart, bars

DAYS = 30
ROWS = 10
_FAILED = ~Q(code="")


@dataclass(frozen=True)
class Panel:
    """A chart of one daily number; `total` is the formatted sum."""

    title: str
    total: str
    chart: Chart
    days: tuple[tuple[date, str], ...]
    note: str = ""


@dataclass(frozen=True)
class Share:
    """A plan, its accounts, and their percentage of all."""

    name: str
    accounts: int
    percent: float


@dataclass(frozen=True)
class Dashboard:
    since: date
    until: date
    panels: tuple[Panel, ...]
    failures: tuple[dict[str, Any], ...]
    slugs: tuple[dict[str, Any], ...]
    plans: tuple[Share, ...]
    today: tuple[tuple[str, str], ...]


def dashboard(*, money: bool) -> Dashboard:
    """The last 30 days (UTC), including today; revenue and plans only with `money`."""
    until = timezone.now().astimezone(UTC).date()
    since = until - timedelta(days=DAYS - 1)
    days = [since + timedelta(days=number) for number in range(DAYS)]
    work = {row["day"]: row for row in _sums(Day.objects.filter(day__gte=since).values("day")).order_by("day")}
    counted, standing = _figures(since)

    def panel(title: str, number: Callable[[date], int], write: Any = thousands, marked: Any = None) -> Panel:
        values = [number(day) for day in days]
        failed = [marked(day) if marked else 0 for day in days]
        note = _("%(failures)s failed") % {"failures": thousands(sum(failed))} if marked else ""
        # A day with more refunds than revenue has no bar.
        chart = bars([(day, max(0, value), bad) for day, value, bad in zip(days, values, failed, strict=True)])
        written = tuple((day, str(write(value))) for day, value in zip(days, values, strict=True) if value)
        return Panel(title, str(write(sum(values))), chart, written, note)

    def daily(column: str) -> Callable[[date], int]:
        return lambda day: int(work[day][column]) if day in work else 0

    panels = [
        panel(_("Conversions"), daily("conversions"), marked=daily("failures")),
        panel(_("Work"), daily("duration_ms"), milliseconds),
        panel(_("Bytes in"), daily("bytes_in"), size),
        panel(_("Bytes out"), daily("bytes_out"), size),
        panel(_("Credits spent"), daily("credits")),
        panel(_("Sign-ups"), lambda day: counted[figures.SIGN_UPS][day]),
        panel(_("Accounts that converted"), lambda day: counted[figures.ACTIVE][day]),
    ]
    for name in sorted(counted) if money else ():
        if name.startswith(figures.REVENUE):
            currency, taken = name.removeprefix(figures.REVENUE), counted[name]
            title = _("Revenue in %(currency)s") % {"currency": currency}
            panels.append(panel(title, taken.__getitem__, partial(formatted, currency=currency)))
    by_slug = _sums(Day.objects.filter(day__gte=since).values("slug")).order_by("-conversions", "slug")
    failures: Any = (
        Day.objects.filter(_FAILED, day__gte=since).values("slug", "code").annotate(number=Sum("conversions"))
    ).order_by("-number", "slug", "code")
    return Dashboard(
        since,
        until,
        tuple(panels),
        tuple(failures[:ROWS]),
        tuple(by_slug[:ROWS]),
        _shares(standing) if money else (),
        (
            (_("Conversions"), thousands(daily("conversions")(until))),
            (_("Failures"), thousands(daily("failures")(until))),
            (_("New accounts"), thousands(counted[figures.SIGN_UPS][until])),
            (_("Credits spent"), thousands(daily("credits")(until))),
        ),
    )


def _sums(rows: Any) -> Any:
    numbers = ("conversions", "duration_ms", "credits", "bytes_in", "bytes_out")
    failures = Sum("conversions", filter=_FAILED, default=0)
    return rows.annotate(failures=failures).annotate(**{each: Sum(each) for each in numbers})


def _figures(since: date) -> tuple[defaultdict[str, Counter[date]], dict[str, int]]:
    """Figures by name and day, and running totals by name."""
    counted: defaultdict[str, Counter[date]] = defaultdict(Counter)
    standing = {}
    for day, name, number in figures.totals(since):
        if day == figures.ALWAYS:
            standing[name] = number
        else:
            counted[name][day] = number
    return counted, standing


def _shares(standing: dict[str, int]) -> tuple[Share, ...]:
    accounts = [(plan.name, standing.get(f"{figures.PLAN}{plan.pk}", 0)) for plan in Plan.objects.exclude(code="guest")]
    every = sum(number for _, number in accounts)
    return tuple(Share(name, number, round(100 * number / every, 1) if every else 0.0) for name, number in accounts)
