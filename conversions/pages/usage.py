"""The account's usage: credits left, daily chart, conversions by kind, and ledger."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, timedelta
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts.credits import ledger, limits
from accounts.credits.payers import owner_of
from accounts.models import CreditEntry, User
from conversions.models import Usage
from conversions.pages.calendar import heat_map
from conversions.pages.chart import bars
from conversions.work import extracts, statistics
from conversions.work.offer import current

PAGE_SIZE = 20
RANGES = (30, 90, 365)
YEAR = 365
"""Days of the heat map, independent of the chart."""


@login_required
def usage(request: HttpRequest) -> HttpResponse:
    user = owner_of(request)
    days = _asked_days(request)
    report = statistics.report(user, days=days, calendar=YEAR)
    entries = CreditEntry.objects.filter(user=user)
    page = Paginator(entries, PAGE_SIZE).get_page(request.GET.get("page"))
    allowance = limits.of_user(user).credits
    context: dict[str, Any] = {
        "owner": user,
        "ranges": RANGES,
        "days": days,
        "report": report,
        "year": heat_map({day: sums.conversions for day, sums in report.calendar.items()}),
        "conversions": bars([(day, sums.conversions, sums.failures) for day, sums in report.days.items()]),
        "credits": bars([(day, sums.credits, 0) for day, sums in report.days.items()]),
        "active_days": [(day, sums) for day, sums in reversed(report.days.items()) if sums.conversions],
        "by_converter": sorted(
            (
                (slug, current().converters.get(slug), sums, _percent(sums.conversions, report.totals.conversions))
                for slug, sums in report.slugs.items()
            ),
            key=lambda each: -each[2].conversions,
        ),
        "allowance": allowance,
        "share": min(100, _percent(user.monthly_credits, allowance)),
        "resets_at": ledger.resets_at(user),
        "entries": page.object_list,
        "page": page,
        "query": f"days={days}",
    }
    return render(request, "conversions/usage.html", context)


def _asked_days(request: HttpRequest) -> int:
    asked = request.GET.get("days", "")
    return int(asked) if asked in map(str, RANGES) else RANGES[0]


def _percent(part: int, whole: int) -> int:
    return round(100 * part / whole) if whole else 0


@login_required
def ledger_csv(request: HttpRequest) -> StreamingHttpResponse:
    """All entries of the account's ledger, oldest first, as CSV (RFC 4180)."""
    response = StreamingHttpResponse(extracts.of_ledger(owner_of(request)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="credits.csv"'
    return response


_COLUMNS = ("start", "slug", "conversions", "failures", "credits", "bytes_in", "bytes_out")


def _days(user: User, since: date) -> Iterator[str]:
    """Rows by day and slug, with keyset pagination."""
    line = extracts.line_writer()
    yield line(["day", "conversion", *_COLUMNS[2:]])
    days = Usage.objects.filter(owner=user, span=Usage.Span.DAY, start__gte=since).exclude(slug=statistics.ALL)
    after = Q()
    while page := list(days.filter(after).order_by("start", "slug").values_list(*_COLUMNS)[: extracts.PAGE]):
        yield "".join(map(line, page))
        start, slug = page[-1][:2]
        after = Q(start__gt=start) | Q(start=start, slug__gt=slug)


@login_required
def days_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Daily numbers of each conversion, oldest first, as CSV (RFC 4180)."""
    days = _asked_days(request)
    since = timezone.now().astimezone(UTC).date() - timedelta(days=days - 1)
    response = StreamingHttpResponse(_days(owner_of(request), since), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="usage-{days}-days.csv"'
    return response
