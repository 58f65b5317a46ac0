"""Write Apache ORC with one type per column, streaming rows into stripes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars
from pyarrow import orc

from engine.families.data.columnar import building
from engine.families.data.columnar.cells import texts
from engine.families.data.table import Table
from engine.toolkit.warnings import Kind, Warn

_TEXT = Kind("VALUE_CONVERTED", "Columns of types that ORC doesn't support became text: {count}{places}.")
_STRIPE = 16_000_000
"""Bytes of a stripe: the writer holds one in memory."""
_FITTED: dict[Any, Any] = {
    polars.UInt8: polars.Int16,
    polars.UInt16: polars.Int32,
    polars.UInt32: polars.Int64,
    polars.UInt64: polars.Decimal(20, 0),
    polars.Float16: polars.Float32,
    polars.Categorical: polars.String,
    polars.Enum: polars.String,
    polars.Null: polars.String,
}
"""Types that ORC does not have, and those that hold all of their values."""
_MISSING = (polars.Time, polars.Duration, polars.Int128, polars.UInt128, polars.Object)


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write the table with one type for each column.

    Unsigned integers get a larger type, timestamps keep their nanoseconds; times of day, durations and 128-bit
    integers, and lists and structs of them, become text.
    """
    frames = building.frames(table, warn)
    first = next(frames)
    fitted = {name: _fitted(kind) for name, kind in first.schema.items()}
    became = [f"“{name}”" for name, kind in fitted.items() if kind is None]
    warn.tally(_TEXT, len(became), became)
    with orc.ORCWriter(target, compression=options.compression, stripe_size=_STRIPE) as writer:
        for frame in _from(first, frames):
            columns = [texts(each) if (kind := fitted[each.name]) is None else each.cast(kind) for each in frame]
            writer.write(polars.DataFrame(columns).to_arrow())


def _from(first: polars.DataFrame, rest: Iterator[polars.DataFrame]) -> Iterator[polars.DataFrame]:
    yield first
    yield from rest


def _fitted(kind: Any) -> Any:
    """Return the type to store a type as: itself or a larger one; None where only text can hold it."""
    if isinstance(kind, polars.Struct):
        fields = {field.name: _fitted(field.dtype) for field in kind.fields}
        return None if None in fields.values() or not fields else polars.Struct(fields)
    if isinstance(kind, polars.Array):
        inner = _fitted(kind.inner)
        return None if inner is None else polars.List(inner)
    if isinstance(kind, polars.List):
        inner = _fitted(kind.inner)
        return None if inner is None else polars.List(inner)
    if isinstance(kind, polars.Map):
        return kind if _fitted(kind.key) == kind.key and _fitted(kind.value) == kind.value else None
    return None if isinstance(kind, _MISSING) else _FITTED.get(kind.base_type(), kind)
