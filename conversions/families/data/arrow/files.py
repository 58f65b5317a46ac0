"""Apache Arrow's file format, which is Feather's second version: a table with typed columns, in and out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars

from conversions.families.data.columnar import building, scanning
from conversions.families.data.columnar.sinks import ROWS, stream
from conversions.families.data.damage import unreadable
from conversions.families.data.table import Table
from conversions.toolkit.warnings import Warn

_DAMAGED = "The Arrow file is damaged and can't be read. Write or download it again."


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The one table of an Arrow file. Raises Unreadable for a damaged file."""
    with unreadable(_DAMAGED, polars.exceptions.PolarsError, OSError):
        scan = polars.scan_ipc(source, glob=False)
    return [scanning.table(scan, warn, name="Arrow", damaged=_DAMAGED)]


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write the table with one type a column, as Parquet has them."""
    stream(
        building.frames(table, warn),
        lambda lazy: lazy.sink_ipc(target, compression=options.compression, record_batch_size=ROWS),
    )
