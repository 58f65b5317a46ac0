"""Frames built of rows: one type for each column, that of all its values."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import polars

from conversions.families.data.table import Table, unique_names
from conversions.families.data.values import Number, Value, exact_float, text
from conversions.toolkit.warnings import Warn

_LARGEST = 2**63


def frames(table: Table, warn: Warn) -> Iterator[polars.DataFrame]:
    """The table in frames whose columns have unique names, the first of them maybe without rows.

    Integers and floats together are floats, values of several types become text, lists and objects are JSON text.
    """
    names = unique_names(table.columns, warn)
    if table.frames:
        return (frame.rename(dict(zip(frame.columns, names, strict=True))) for frame in table.frames.open())
    kinds = dict(zip(names, _kinds(table), strict=True))
    for name, kind in kinds.items():
        if kind == "mixed":
            warn("VALUE_CONVERTED", f"The values of the column “{name}” are of several types and became text.")
    return _from_rows(table, kinds, {name: _TYPES.get(kind, polars.String) for name, kind in kinds.items()})


def _from_rows(table: Table, kinds: dict[str, str], schema: dict[str, Any]) -> Iterator[polars.DataFrame]:
    yield polars.DataFrame(schema=schema)
    for batch in filter(None, table.batches()):
        yield polars.DataFrame(
            [
                polars.Series(name, [_CASTS.get(kind, _as_text)(cell) for cell in cells], dtype=schema[name])
                for (name, kind), cells in zip(kinds.items(), zip(*batch, strict=True), strict=True)
            ]
        )


def _kinds(table: Table) -> list[str]:
    """One kind for each column, from a first pass over all rows."""
    found: list[set[str]] = [set() for _ in table.columns]
    for batch in filter(None, table.batches()):
        for kinds, cells in zip(found, zip(*batch, strict=True), strict=True):
            types = set(map(type, cells))
            if types == {str}:
                kinds.add("text")
            else:
                kinds.update(map(_kind, cells))
    return [_joined(kinds - {""}) for kinds in found]


def _kind(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer" if -_LARGEST <= value < _LARGEST else "long"
    if isinstance(value, float):
        return "number"
    if isinstance(value, Number):
        return "number" if exact_float(value) is not None else "long"
    if isinstance(value, datetime):
        return "moment" if value.tzinfo is None else "text"
    if isinstance(value, date):
        return "date"
    if isinstance(value, time):
        return "time"
    if isinstance(value, timedelta):
        return "span"
    return "text" if not isinstance(value, Decimal) else "long"


def _joined(kinds: set[str]) -> str:
    if len(kinds) <= 1:
        return next(iter(kinds), "text")
    if kinds == {"integer", "number"}:
        return "number"
    return "moment" if kinds == {"date", "moment"} else "mixed"


def _as_text(value: Value) -> str | None:
    return None if value is None else text(value)


def _as_float(value: Value) -> float | None:
    return None if value is None else float(value)


def _as_moment(value: Value) -> datetime | None:
    return datetime(value.year, value.month, value.day) if type(value) is date else value


_TYPES: dict[str, Any] = {
    "boolean": polars.Boolean,
    "integer": polars.Int64,
    "number": polars.Float64,
    "moment": polars.Datetime("us"),
    "date": polars.Date,
    "time": polars.Time,
    "span": polars.Duration("us"),
}
_CASTS: dict[str, Any] = {
    **dict.fromkeys(("boolean", "integer", "date", "time", "span"), lambda value: value),
    "number": _as_float,
    "moment": _as_moment,
}
