"""Rows by the thousand, a page of them at a time, and as lines of CSV (RFC 4180)."""

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
    """A file for the csv module that hands back what is written to it."""

    def write(self, text: str) -> str:
        return text


def line_writer() -> Callable[[Iterable[Any]], str]:
    """A function that makes a line of CSV of each row that it is given."""
    return csv.writer(_Line()).writerow


def pages(rows: QuerySet[Any], first: str) -> Iterator[Any]:
    """All rows, in the order of one field and the primary key, a page at a time.

    One query for all would hold its snapshot of the database until the client has read the rest.
    """
    falling, name = first.startswith("-"), first.lstrip("-")
    model: type[models.Model] = rows.model
    key = model._meta.pk.name
    field = key if name == "pk" else name
    if "__" in field or model._meta.get_field(field).null:
        # What is empty has no place among the others, and what is another table's no index here.
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
            # The first part is for the index.
            after = Q(**{f"{field}__{than}e": value}) & (Q(**{f"{field}__{than}": value}) | after)


def of_ledger(user: User) -> Iterator[str]:
    """Every entry of an account's ledger as CSV, the oldest first."""
    line = line_writer()
    yield line(["time", "kind", "amount", "balance", "reason", "conversion"])
    for each in pages(CreditEntry.objects.filter(user=user), "pk"):
        when = timestamp(each.created_at)
        yield line([when, each.kind, each.amount, each.balance, each.reason, each.reference or ""])
