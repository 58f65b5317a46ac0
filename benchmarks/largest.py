"""Convert large tables in the time that a job has: 250 MB of each format that is read by columns, and a workbook."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from benchmarks import processes
from benchmarks.engines import remove, shown
from benchmarks.rows.columns import MAKE
from benchmarks.rows.data import workbook
from benchmarks.table import Line, Table

SIZE = 250_000_000
_SECONDS = 60
_WORKBOOK, _COLUMNS, _WORKBOOK_SECONDS = 600_000, 5, 12
"""Rows and columns that unpack to less than the limit for a workbook, and the goal in seconds for its text."""


def measure(table: Table, folder: Path, *, runs: int) -> None:
    """Measure every pair once: the question is whether it finishes in time, not by how much."""
    for source, make in MAKE.items():
        given = folder / f"largest.{source}"
        processes.make(partial(make, size=SIZE), given)
        for target in MAKE:
            if source == target and source not in ("csv", "json"):
                continue
            _line(table, f"{source}-to-{target}: 250 MB", given, folder / f"written.{target}", seconds=_SECONDS)
        remove(given)
    given = folder / "largest.xlsx"
    processes.make(partial(workbook, rows=_WORKBOOK, columns=_COLUMNS), given)
    name = f"xlsx-to-csv: {_WORKBOOK:,} rows"
    _line(table, name, given, folder / "written.csv", seconds=_WORKBOOK_SECONDS)
    remove(given)


def _line(table: Table, name: str, given: Path, written: Path, *, seconds: int) -> None:
    print(name, file=sys.stderr, flush=True)
    try:
        cost = processes.run(processes.convert(name.partition(":")[0], given, written))
    except processes.Failed as error:
        table.skipped.append(f"{name}: failed: {str(error).strip()[-200:]!r}")
        return
    good = cost.wall <= seconds
    table.add("250 MB in time", Line(name=name, ours=shown(cost), goal=f"<= {seconds} s", good=good, runs=1))
    remove(written)
