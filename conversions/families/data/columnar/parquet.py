"""Apache Parquet: a table with typed columns, in and out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars

from conversions.families.data.damage import unreadable
from conversions.families.data.table import Row, Table, check_width, unique_names
from conversions.families.data.values import Number, Value, exact_float, finite, text
from conversions.toolkit.failures import OverLimit, Unreadable
from conversions.toolkit.warnings import Warn

READ_ROWS = 20_000
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
    scan = scan.with_columns(_readable(name, kind, warn) for name, kind in schema.items())

    def batches() -> Iterator[list[Row]]:
        size = max(1, min(READ_ROWS, 2_000_000 // len(schema)))
        for start in range(0, rows, size):
            with unreadable(_DAMAGED, polars.exceptions.PolarsError):
                frame = scan.slice(start, size).collect()
                batch = list(map(list, zip(*(_column(series) for series in frame), strict=True)))
            yield batch

    return [Table("Sheet1", list(schema), batches)]


def _readable(name: str, kind: Any, warn: Warn) -> Any:
    """The column with what Python's types would cut turned into text first."""
    column = polars.col(name)
    if isinstance(kind, polars.Datetime) and kind.time_unit == "ns":
        return column.dt.to_string("iso:strict")
    if kind == polars.Binary:
        warn("VALUE_CONVERTED", f"The bytes of the column “{name}” became Base64 text.")
        return column.bin.encode("base64")
    return column


def _column(series: Any) -> list[Value]:
    values: list[Value] = series.to_list()
    if series.dtype in (polars.Float32, polars.Float64):
        if series.dtype == polars.Float32:
            # The shortest digits of a 32-bit number, not those of the 64-bit number next to it.
            values = [None if value is None else float(value) for value in series.cast(polars.String).to_list()]
        return [finite(value) if type(value) is float else value for value in values]
    return values


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write the table with one type a column: that of all its values, else text.

    Integers and floats together are floats; lists and objects are JSON text.
    """
    kinds = _kinds(table)
    names = unique_names(table.columns, warn)
    columns = list(zip(names, kinds, strict=True))
    schema = {name: _TYPES.get(kind, polars.String) for name, kind in columns}
    for name, kind in columns:
        if kind == "mixed":
            warn("VALUE_CONVERTED", f"The values of the column “{name}” are of several types and became text.")
    frames = []
    for batch in filter(None, table.batches()):
        series = [
            polars.Series(name, [_CASTS.get(kind, _as_text)(cell) for cell in cells], dtype=schema[name], strict=True)
            for (name, kind), cells in zip(columns, zip(*batch, strict=True), strict=True)
        ]
        frames.append(polars.DataFrame(series))
    frame = polars.concat(frames) if frames else polars.DataFrame(schema=schema)
    frame.write_parquet(target, compression=options.compression, statistics=True)


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
