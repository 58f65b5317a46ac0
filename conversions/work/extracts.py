"""Many rows, read a page at a time, and CSV lines (RFC 4180)."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db import models
from django.db.models import Q, QuerySet

from accounts.errors import timestamp
from accounts.models import CreditEntry, User

PAGE = 2000


class _Line:
    """A file for the csv module that returns what is written."""

    def write(self, text: str) -> str:
        return text


def line_writer() -> Callable[[Iterable[Any]], str]:
    """A function that formats a row as a line of CSV."""
    return csv.writer(_Line()).writerow


def pages(rows: QuerySet[Any], first: str) -> Iterator[Any]:
    """All rows, ordered by one field and the primary key, a page at a time.

    One query for all would hold its snapshot until the client has read everything.
    """
    falling, name = first.startswith("-"), first.lstrip("-")
    model: type[models.Model] = rows.model
    key = model._meta.pk.name
    field = key if name == "pk" else name
    if "__" in field or model._meta.get_field(field).null:
        # Nulls have no position in the order, and another table's field no index here.
        field = key
    than = "lt" if falling else "gt"
    rows = rows.order_by(*([key] if field == key else [field, key]))
    rows = rows.reverse() if falling else rows
    after = Q()
    while page := list(rows.filter(after)[:PAGE]):
        yield from page
        last = page[-1]
        after = Q(**{f"{key}__{than}": last.pk})
        if field != key:
            value = getattr(last, field)
            # The first condition is for the index.
            after = Q(**{f"{field}__{than}e": value}) & (Q(**{f"{field}__{than}": value}) | after)


def of_ledger(user: User) -> Iterator[str]:
    """All ledger entries of an account as CSV, oldest first."""
    line = line_writer()
    yield line(["time", "kind", "amount", "balance", "reason", "conversion"])
    for each in pages(CreditEntry.objects.filter(user=user), "pk"):
        when = timestamp(each.created_at)
        yield line([when, each.kind, each.amount, each.balance, each.reason, each.reference or ""])
