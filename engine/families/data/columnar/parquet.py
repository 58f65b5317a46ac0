"""Read and write Apache Parquet, with typed columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import polars

from engine.families.data.columnar import building, footer, meanings, scanning, types
from engine.families.data.columnar.sinks import ROWS, stream
from engine.families.data.damage import unreadable
from engine.families.data.table import Table
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_DAMAGED = say(
    "The Parquet file can't be read: it is damaged, or uses an unsupported encoding or type. "
    "Export it again, with plain encodings if you can."
)
_ENCRYPTED = say("The Parquet file is encrypted, and its keys are not in the file. Export it again without encryption.")
_LEVELS = {"zstd": 2}
"""Compression levels; for names, numbers and dates, level 2 is as small as the default 3 and faster."""


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """Return the one table of a Parquet file. Raises Unreadable if it is damaged or encrypted."""
    try:
        with unreadable(_DAMAGED, polars.exceptions.PolarsError, OSError):
            scan = _scan(footer.with_correct_row_count(source), warn)
    except Unreadable:
        if footer.is_encrypted(source):
            raise Unreadable(_ENCRYPTED, reason="password") from None
        raise
    return [scanning.table(scan, warn, name="Parquet", size=source.stat().st_size, damaged=_DAMAGED)]


def _scan(source: Path, warn: Warn) -> polars.LazyFrame:
    leaves = footer.leaves(source)
    scan = polars.scan_parquet(source, glob=False)
    unit: Literal["ns", "us", ""] = ""
    try:
        # The first row is enough to find an encoding that polars lacks, or a footer that it rejects.
        with unreadable(_DAMAGED, polars.exceptions.PolarsError):
            scan.head(1).collect()
            if meanings.cut(scan, leaves):
                unit = "us"
            elif (any(each.physical == footer.FIXED for each in leaves) and footer.is_delta_coded(source)) or any(
                map(types.is_misread, scan.collect_schema().values())
            ):
                unit = "ns"
            elif types.has_times(scan.collect_schema()):
                from engine.families.data.columnar import rewriting

                unit = "ns" if rewriting.has_times_outside_a_day(source, damaged=_DAMAGED) else ""
    except Unreadable:
        unit = "ns"
    if unit:
        # Imported only here: pyarrow is half the size of polars and rarely needed.
        from engine.families.data.columnar import rewriting

        scan = polars.scan_ipc(rewriting.as_arrow(source, warn, damaged=_DAMAGED, unit=unit), glob=False)
    return meanings.shown(scan, leaves)


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write the table with one type for each column, one row group at a time."""
    stream(
        building.frames(table, warn),
        lambda lazy: lazy.sink_parquet(
            target,
            compression=options.compression,
            compression_level=_LEVELS.get(options.compression),
            statistics=True,
            row_group_size=ROWS,
            maintain_order=True,
        ),
    )
