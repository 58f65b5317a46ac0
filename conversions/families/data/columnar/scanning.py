"""A file of columns as a table: in frames as they are stored, and as rows of values."""

from __future__ import annotations

from collections.abc import Iterator

import polars

from conversions.families.data.columnar import types
from conversions.families.data.columnar.cells import name_bytes
from conversions.families.data.columnar.cells import rows as rows_of
from conversions.families.data.damage import unreadable
from conversions.families.data.table import Frames, Row, Table, check_width
from conversions.toolkit.failures import OverLimit, Unreadable
from conversions.toolkit.warnings import Warn

READ_ROWS = 50_000
MAX_BYTES = 600_000_000
"""What the columns may take in memory once unpacked."""


def table(scan: polars.LazyFrame, warn: Warn, *, name: str, damaged: str) -> Table:
    """The table of a scan; lists and structs stay values, decimals keep their digits.

    Raises Unreadable, with the message `damaged` where polars can't read it, and OverLimit where
    the columns unpack to more than MAX_BYTES.
    """
    with unreadable(damaged, polars.exceptions.PolarsError, OSError):
        schema = scan.collect_schema()
        rows = scan.select(polars.len()).collect().item()
    if not schema:
        raise Unreadable(f"The {name} file has no columns.")
    check_size(rows, len(schema))
    warn.detect(rows=rows)
    size = max(1, min(READ_ROWS, 2_000_000 // len(schema)))

    def frames() -> Iterator[polars.DataFrame]:
        found = 0
        with unreadable(damaged, polars.exceptions.PolarsError):
            for frame in scan.collect_batches(chunk_size=size, maintain_order=True):
                found += frame.height
                yield frame
        if found != rows:  # a thread of the reader that fails ends the batches as if there were no more
            raise Unreadable(damaged)
        if not rows:
            yield polars.DataFrame(schema=schema)

    def batches() -> Iterator[list[Row]]:
        name_bytes(schema, warn)
        return map(rows_of, frames())

    known = [types.declared(each) for each in schema.values()]
    return Table("Sheet1", list(schema), batches, frames=Frames(frames, rows * len(schema) * 8), schema=lambda: known)


def check_size(rows: int, columns: int) -> None:
    """Raise OverLimit for a table that is too wide or unpacks to more than MAX_BYTES."""
    check_width(columns)
    if rows * columns * 8 > MAX_BYTES:
        raise OverLimit("memory", f"The file has {rows:,} rows of {columns:,} columns, too many to unpack at once.")
