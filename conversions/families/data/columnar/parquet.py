"""Apache Parquet: a table with typed columns, in and out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars

from conversions.families.data.columnar.cells import name_bytes
from conversions.families.data.columnar.cells import rows as rows_of
from conversions.families.data.columnar.sinks import ROWS, stream
from conversions.families.data.damage import unreadable
from conversions.families.data.table import Frames, Row, Table, check_width, unique_names
from conversions.families.data.values import Number, Value, exact_float, text
from conversions.toolkit.failures import OverLimit, Unreadable
from conversions.toolkit.warnings import Warn

READ_ROWS = 50_000
MAX_BYTES = 600_000_000
"""What the columns may take in memory once unpacked."""

_LARGEST = 2**63
_DAMAGED = "The Parquet file is damaged and can't be read. Write or download it again."


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The one table of a Parquet file; lists and structs stay values, decimals keep their digits.

    Raises Unreadable for a damaged file and OverLimit where its columns unpack to more than MAX_BYTES.
    """
    with unreadable(_DAMAGED, polars.exceptions.PolarsError, OSError):
        scan = polars.scan_parquet(source, glob=False)
        schema = scan.collect_schema()
        rows = scan.select(polars.len()).collect().item()
    if not schema:
        raise Unreadable("The Parquet file has no columns.")
    check_width(len(schema))
    if rows * len(schema) * 8 > MAX_BYTES:
        raise OverLimit("memory", f"The file has {rows:,} rows of {len(schema):,} columns, too many to unpack at once.")
    warn.detect(rows=rows)
    size = max(1, min(READ_ROWS, 2_000_000 // len(schema)))

    def frames() -> Iterator[polars.DataFrame]:
        found = False
        with unreadable(_DAMAGED, polars.exceptions.PolarsError):
            for frame in scan.collect_batches(chunk_size=size, maintain_order=True):
                found = True
                yield frame
        if not found:
            yield polars.DataFrame(schema=schema)

    def batches() -> Iterator[list[Row]]:
        name_bytes(schema, warn)
        return map(rows_of, frames())

    return [Table("Sheet1", list(schema), batches, frames=Frames(frames, rows * len(schema) * 8))]


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write the table with one type a column: that of all its values, else text.

    Integers and floats together are floats; lists and objects are JSON text.
    """
    names = unique_names(table.columns, warn)
    kinds = [] if table.frames else _kinds(table)
    columns = list(zip(names, kinds, strict=False))
    schema = {name: _TYPES.get(kind, polars.String) for name, kind in columns}
    for name, kind in columns:
        if kind == "mixed":
            warn("VALUE_CONVERTED", f"The values of the column “{name}” are of several types and became text.")
    frames = table.frames.open() if table.frames else _from_rows(table, dict(columns), schema)
    stream(
        (frame.rename(dict(zip(frame.columns, names, strict=True))) for frame in frames),
        lambda lazy: lazy.sink_parquet(
            target, compression=options.compression, statistics=True, row_group_size=ROWS, maintain_order=True
        ),
    )


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
