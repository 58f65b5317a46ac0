"""What the account has used: credits left, a chart of days, conversions by kind, and every movement of its credits."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render

from accounts import ledger, limits
from accounts.errors import timestamp
from accounts.models import CreditEntry, User
from accounts.pages import person
from conversions import statistics
from conversions.families.registry import CONVERTERS
from conversions.pages.chart import bars

PAGE_SIZE = 20
RANGES = (30, 90, 365)


@login_required
def usage(request: HttpRequest) -> HttpResponse:
    user = person(request)
    asked = request.GET.get("days", "")
    days = int(asked) if asked in map(str, RANGES) else RANGES[0]
    report = statistics.report(user, days=days)
    entries = CreditEntry.objects.filter(user=user)
    page = Paginator(entries, PAGE_SIZE).get_page(request.GET.get("page"))
    allowance = limits.of_user(user).credits
    context: dict[str, Any] = {
        "ranges": RANGES,
        "days": days,
        "report": report,
        "conversions": bars([(day, sums.conversions, sums.failures) for day, sums in report.days.items()]),
        "credits": bars([(day, sums.credits, 0) for day, sums in report.days.items()]),
        "active_days": [(day, sums) for day, sums in reversed(report.days.items()) if sums.conversions],
        "by_converter": sorted(
            ((slug, CONVERTERS.get(slug), sums) for slug, sums in report.slugs.items()),
            key=lambda each: -each[2].conversions,
        ),
        "allowance": allowance,
        "share": min(100, round(100 * user.monthly_credits / allowance)) if allowance else 0,
        "resets_at": ledger.resets_at(),
        "entries": page.object_list,
        "page": page,
        "query": f"days={days}",
    }
    return render(request, "conversions/usage.html", context)


class _Line:
    """A file for the csv module that hands back what is written to it."""

    def write(self, text: str) -> str:
        return text


_PAGE = 1000


def _lines(user: User) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield writer.writerow(["time", "kind", "amount", "balance", "reason", "conversion"])
    for entry in _entries(user):
        yield writer.writerow(
            [
                timestamp(entry.created_at),
                entry.kind,
                entry.amount,
                entry.balance,
                entry.reason,
                entry.reference or "",
            ]
        )


def _entries(user: User) -> Iterator[CreditEntry]:
    """All of them, by pages: a query that is left open would hold its connection until the client has read the rest."""
    last = 0
    while page := list(CreditEntry.objects.filter(user=user, id__gt=last).order_by("id")[:_PAGE]):
        yield from page
        last = page[-1].id


@login_required
def ledger_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Every entry of the account's ledger, oldest first, as CSV (RFC 4180)."""
    response = StreamingHttpResponse(_lines(person(request)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="credits.csv"'
    return response
