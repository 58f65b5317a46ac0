"""Apache Arrow's file format, which is Feather's second version: a table with typed columns, in and out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars

from conversions.families.data.columnar import building, scanning
from conversions.families.data.columnar.sinks import ROWS, stream
from conversions.families.data.damage import unreadable
from conversions.families.data.table import Table
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

_DAMAGED = (
    "The Arrow file can't be read: it is damaged, or has a type that is not known here. Write or download it again."
)
_FULL = "failed to map"
"""In what the loader says of a library for which the address space has no room (dlopen(3), mmap(2))."""


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The one table of an Arrow file. Raises Unreadable for a damaged file."""
    return [scanning.table(_scan(source, warn), warn, name="Arrow", damaged=_DAMAGED)]


def _scan(source: Path, warn: Warn) -> polars.LazyFrame:
    try:
        # The first row is enough to see a type that polars does not have.
        with unreadable(_DAMAGED, polars.exceptions.PolarsError, OSError):
            scan = polars.scan_ipc(source, glob=False)
            scan.head(1).collect()
    except Unreadable:
        # Half as large as polars and seldom needed: no other job loads it.
        try:
            from conversions.families.data.arrow import rarer
        except ImportError as error:
            if _FULL not in str(error):
                raise
            # Polars has made room for as much as a damaged length says, and does not give it back.
            raise Unreadable(_DAMAGED) from error

        return polars.scan_ipc(rarer.rewritten(source, warn, damaged=_DAMAGED), glob=False)
    return scan


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write the table with one type a column, as Parquet has them."""
    stream(
        building.frames(table, warn),
        lambda lazy: lazy.sink_ipc(target, compression=options.compression, record_batch_size=ROWS),
    )
