"""The cells of data frames as SQLite stores them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars

from engine.families.data.columnar import cells as cells_of
from engine.families.data.columnar import typed
from engine.families.data.databases.storing import Cells, Column
from engine.families.data.schema import Kind
from engine.families.data.table import Frames, Table
from engine.families.data.values import Value, integer, number
from engine.toolkit.warnings import Warn

_WHOLE = r"^-?[0-9]+$"
_INTEGERS = (
    polars.Int8, polars.Int16, polars.Int32, polars.Int64, polars.UInt8, polars.UInt16, polars.UInt32,
)  # fmt: skip
_ROWS = 10_000
"""Rows that are Python values at a time."""


def cells(table: Table, frames: Frames, columns: list[Column], warn: Warn) -> Iterator[Sequence[Cells]]:
    """Yield the columns of some rows at a time; columns that frames give as text of several kinds go by rows."""
    for frame, numbers in frames.as_written():
        cells_of.name_bytes(frame.schema, warn)
        for part in cells_of.called_by_place(frame).iter_slices(_ROWS):
            yield [
                _numbers(series, column) if at in numbers else _values(series, column)
                for at, (series, column) in enumerate(zip(part, columns, strict=True))
            ]
    if frames.of_one_kind and not frames.of_one_kind():
        table.by_rows()


def _values(series: polars.Series, column: Column) -> Cells:
    kind = _kind(series)
    if kind is None:
        return column.stored(cells_of.values(series))
    if series.null_count() < len(series):
        column.kinds.add(kind)
    if kind in ("text", "date", "timestamp"):
        return cells_of.texts(series).to_list()
    return series.to_list()


def _kind(series: polars.Series) -> Kind | None:
    """Return the kind of a column whose values need no look at each."""
    kind = series.dtype
    if kind in (*cells_of.TEXTS, polars.Decimal) or kind.is_nested():
        return "text"
    if kind in _INTEGERS:
        return "integer"
    if kind == polars.Boolean:
        return "boolean"
    if kind == polars.Float64 and series.is_finite().all():
        return "number"
    if kind == polars.Date and cells_of.in_calendar(series):
        return "date"
    if kind in (polars.Datetime("us"), polars.Datetime("ms")) and cells_of.in_calendar(series):
        return "timestamp"
    return None


def _numbers(series: polars.Series, column: Column) -> Cells:
    """Return the numbers of text in source form; those without a fraction or an exponent are integers."""
    long = typed.of_kind(series, "long")
    if long is not None:
        return _values(long, column)
    found = typed.of_kind(series, "number")
    whole = series.str.contains(_WHOLE)
    if found is None or whole.any():
        return column.stored(list(map(_number, series.to_list())))
    return _values(found, column)


def _number(digits: str | None) -> Value:
    if digits is None:
        return None
    return integer(digits) if digits.lstrip("-").isdigit() else number(digits)
