"""Flatten contacts and events to rows: lists become numbered or joined cells, in a fixed column order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.families.data.table import Row, Table, batched, check_width, is_sparse
from engine.families.data.values import Value
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

Record = dict[str, Any]
_SPARE_CELLS = 5_000_000
"""Contacts with properties of their own make as many cells as their number squared: 195 KB made 16 million, which took
8 s as HTML. 10,000 contacts with 15 values each may have 680 columns."""


def table(records: list[Record], flat: Callable[[Record], dict[str, Value]], order: Iterable[str]) -> Table:
    """One row per record; columns missing from `order` come last, in order of appearance."""
    rows = [flat(each) for each in records]
    met = dict.fromkeys(name for row in rows for name in row)
    rank = {name: at for at, name in enumerate(order)}
    columns = sorted(met, key=lambda name: rank.get(_base(name), len(rank)))
    numbers = {name: (_number(name) if _base(name) in rank else 0) for name in columns}
    columns = sorted(columns, key=lambda name: (_group(name, rank), numbers[name], rank.get(_base(name), len(rank))))
    check_width(len(columns))
    if is_sparse(len(rows), len(columns), sum(map(len, rows)), spare=_SPARE_CELLS):
        raise OverLimit(
            "limit",
            say(
                "{rows} rows with {columns} columns would be almost all empty. Convert the file to JSON instead.",
                rows=len(rows),
                columns=len(columns),
            ),
        )

    def batches() -> Iterator[list[Row]]:
        return batched([row.get(name) for name in columns] for row in rows)

    return Table("Sheet1", columns, batches)


def numbered(name: str, number: int) -> str:
    """The column name for the first, second, ... of several: `email`, `email2`; `emailType`, `email2Type`."""
    if number == 1:
        return name
    return f"{name.removesuffix('Type')}{number}Type" if name.endswith("Type") else f"{name}{number}"


def _base(name: str) -> str:
    """The name without its number; a parameter, such as `email2.ALTID`, belongs to its column."""
    name = name.partition(".")[0]
    stem = name.removesuffix("Type").rstrip("0123456789")
    return f"{stem}Type" if name.endswith("Type") else stem


def _number(name: str) -> int:
    name = name.partition(".")[0]
    digits = name.removesuffix("Type")[len(_base(name).removesuffix("Type")) :]
    return int(digits) if digits.isdecimal() and len(digits) < 6 else 1


def _group(name: str, rank: dict[str, int]) -> int:
    """Sorts the columns of a group together, by number: a street with its city."""
    at = rank.get(_base(name), len(rank))
    for first, last in _GROUPS:
        if first in rank and last in rank and rank[first] <= at <= rank[last]:
            return rank[first]
    return at


_GROUPS = (("email", "emailType"), ("phone", "phoneType"), ("url", "urlType"), ("messenger", "messengerType"),
           ("street", "addressType"))  # fmt: skip
