"""Read and write Apache Arrow files (Feather version 2)."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import polars

from engine.families.data.columnar import building, scanning, types
from engine.families.data.columnar.sinks import ROWS, stream
from engine.families.data.damage import unreadable
from engine.families.data.table import Table
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_DAMAGED = say("The Arrow file can't be read: it is damaged or uses an unsupported type. Export or download it again.")
_FULL = "failed to map"
"""Part of the loader's message if the address space has no room for a library (dlopen(3), mmap(2))."""


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The one table of an Arrow file. Raises Unreadable for a damaged file."""
    return [scanning.table(_scan(source, warn), warn, name="Arrow", size=source.stat().st_size, damaged=_DAMAGED)]


def _scan(source: Path, warn: Warn) -> polars.LazyFrame:
    try:
        # The first row is enough to detect a type that polars lacks.
        with unreadable(_DAMAGED, polars.exceptions.PolarsError, OSError):
            scan = polars.scan_ipc(source, glob=False)
            scan.head(1).collect()
        schema = scan.collect_schema()
        may_be_misread = types.has_times(schema) or types.may_have_long_dates(schema)
        rewritten = may_be_misread and _rarer().is_misread(source, damaged=_DAMAGED)
    except Unreadable:
        rewritten = True
    if rewritten:
        return polars.scan_ipc(_rarer().rewritten(source, warn, damaged=_DAMAGED), glob=False)
    return scan


def _rarer() -> ModuleType:
    """Import what reads rarer files: half the size of polars, so that no other job loads it."""
    try:
        from engine.families.data.arrow import rarer
    except ImportError as error:
        if _FULL not in str(error):
            raise
        # Polars has allocated as much as a damaged length declares, and does not free it.
        raise Unreadable(_DAMAGED, reason="damaged") from error
    return rarer


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write the table with one type per column, as in Parquet."""
    stream(
        building.frames(table, warn),
        lambda lazy: lazy.sink_ipc(target, compression=options.compression, record_batch_size=ROWS),
    )
