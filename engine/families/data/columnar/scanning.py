"""Wrap a scan of a columnar file as a table, by data frames and by rows of values."""

from __future__ import annotations

from collections.abc import Iterator

import polars

from engine.families.data.columnar import decimals, types
from engine.families.data.columnar.cells import name_bytes
from engine.families.data.columnar.cells import rows as rows_of
from engine.families.data.damage import forget_panics, printed, unreadable
from engine.families.data.schema import leaves
from engine.families.data.table import Frames, Row, Table, check_width
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

READ_ROWS = 50_000
MAX_BYTES = 600_000_000
"""Bytes that the columns may take in memory once decompressed."""
MOST_ROWS_UNSEEN, MOST_PACKED = 3_000_000, 250
"""Above this row count, a file must have one byte for every 250 cells: 20 million rows of one value take 1 KB in Arrow
or 71 KB in Parquet, and 15 s as a single column. The densest honest data known, consecutive integers in ORC, has one
byte for 231 cells."""


def table(scan: polars.LazyFrame, warn: Warn, *, name: str, size: int, damaged: str) -> Table:
    """Return the table of a scan of a file of `size` bytes; lists and structs stay nested, decimals keep their digits.

    Raises Unreadable with the message `damaged` where polars can't read the file, and OverLimit where the columns would
    decompress to more than MAX_BYTES.
    """
    with unreadable(damaged, polars.exceptions.PolarsError, OSError):
        schema = scan.collect_schema()
        rows = scan.select(polars.len()).collect().item()
    if not schema:
        raise Unreadable(say("The {name} file has no columns.", name=name), reason="empty")
    check_size(rows, len(schema), size)
    warn.detect(rows=rows)
    with unreadable(damaged, polars.exceptions.PolarsError):
        scan, schema = decimals.widened(scan, warn)
    batch = max(1, min(READ_ROWS, 2_000_000 // len(schema)))

    def frames() -> Iterator[polars.DataFrame]:
        found, start = 0, printed()
        with unreadable(damaged, polars.exceptions.PolarsError):
            for frame in scan.collect_batches(chunk_size=batch, maintain_order=True):
                found += frame.height
                yield frame
        if found != rows:  # if a reader thread fails, the batches end early without an error
            forget_panics(start)
            raise Unreadable(damaged, reason="damaged")
        if not rows:
            yield polars.DataFrame(schema=schema)

    def batches() -> Iterator[list[Row]]:
        name_bytes(schema, warn)
        return map(rows_of, frames())

    known = [types.declared(each) for each in schema.values()]
    places = sum(1 for each in known for _ in leaves(each))
    return Table("Sheet1", list(schema), batches, frames=Frames(frames, rows * places * 8), schema=lambda: known)


def check_size(rows: int, columns: int, size: int) -> None:
    """Raise OverLimit for a table that is too wide, exceeds MAX_BYTES decompressed, or repeats a few values very often.

    `size` is the file's size in bytes.
    """
    check_width(columns)
    if rows > MOST_ROWS_UNSEEN and rows * columns > MOST_PACKED * size:
        raise OverLimit(
            "limit",
            say(
                "The file unpacks {rows} rows from {size} bytes: it repeats the same values too often.",
                rows=rows,
                size=size,
            ),
        )
    if rows * columns * 8 > MAX_BYTES:
        raise OverLimit(
            "memory",
            say(
                "The file has {rows} rows and {columns} columns, too many to unpack at once.",
                rows=rows,
                columns=columns,
            ),
        )
