"""Kinds: which sorts of values each column of a table has, for writers that declare a type for a column."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Literal

from conversions.families.data.table import Table
from conversions.families.data.values import Number, Value, exact_float

Kind = Literal["text", "integer", "number", "boolean", "bytes", "date", "time", "moment", "instant"]
"""An `integer` is one of 64 bits, a `number` a float, an `instant` a moment with a zone; all else is text."""

LARGEST = 2**63


def kinds(table: Table) -> list[set[Kind]]:
    """The kinds of each column's values but for None, which takes one pass over all rows. May raise Widened."""
    found: list[set[Kind]] = [set() for _ in table.columns]
    for batch in filter(None, table.batches()):
        for kinds, cells in zip(found, zip(*batch, strict=True), strict=True):
            types = set(map(type, cells)) - {type(None)}
            for each in types:
                if each in (int, Number, datetime):
                    kinds.update(_kind(cell) for cell in cells if type(cell) is each)
                else:
                    kinds.add(_KINDS.get(each, "text"))
    return found


def _kind(value: Value) -> Kind:
    if type(value) is int:
        return "integer" if -LARGEST <= value < LARGEST else "text"
    if type(value) is datetime:
        return "moment" if value.tzinfo is None else "instant"
    return "number" if exact_float(value) is not None else "text"


_KINDS: dict[type, Kind] = {bool: "boolean", float: "number", bytes: "bytes", date: "date", time: "time"}
