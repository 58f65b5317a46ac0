"""Apache Parquet: a table with typed columns, in and out."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import polars

from conversions.families.data.columnar import building, footer, meanings, scanning
from conversions.families.data.columnar.sinks import ROWS, stream
from conversions.families.data.damage import unreadable
from conversions.families.data.table import Table
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

_DAMAGED = (
    "The Parquet file can't be read: it is damaged, or uses an encoding or a type that is not known here. "
    "Write it again, with plain encodings if you can choose."
)
_ENCRYPTED = "The Parquet file is encrypted, and its keys are kept elsewhere. Write it again without encryption."
_LEVELS = {"zstd": 2}
"""Tables of names, numbers and days are no larger than by the usual third level, which takes longer."""


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The one table of a Parquet file. Raises Unreadable for one that is damaged or encrypted."""
    try:
        with unreadable(_DAMAGED, polars.exceptions.PolarsError, OSError):
            scan = _scan(footer.mended(source), warn)
    except Unreadable:
        if footer.is_encrypted(source):
            raise Unreadable(_ENCRYPTED) from None
        raise
    return [scanning.table(scan, warn, name="Parquet", damaged=_DAMAGED)]


def _scan(source: Path, warn: Warn) -> polars.LazyFrame:
    leaves = footer.leaves(source)
    scan = polars.scan_parquet(source, glob=False)
    unit: Literal["ns", "us", ""] = ""
    try:
        # The first row is enough to see an encoding that polars does not have, or a footer that it takes for wrong.
        with unreadable(_DAMAGED, polars.exceptions.PolarsError):
            scan.head(1).collect()
            if meanings.cut(scan, leaves):
                unit = "us"
            elif any(each.physical == footer.FIXED for each in leaves) and footer.is_delta_coded(source):
                unit = "ns"
    except Unreadable:
        unit = "ns"
    if unit:
        # Half as large as polars and seldom needed: no other job loads it.
        from conversions.families.data.columnar import rewriting

        scan = polars.scan_ipc(rewriting.as_arrow(source, warn, damaged=_DAMAGED, unit=unit), glob=False)
    return meanings.shown(scan, leaves)


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write the table with one type a column, in row groups as its rows come."""
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
