"""Tables of 250 MB among the formats that go by whole columns: each has to be done in the seconds that a job has."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from benchmarks import processes
from benchmarks.engines import remove, shown
from benchmarks.rows.columns import MAKE
from benchmarks.table import Line, Table

SIZE = 250_000_000
_SECONDS = 60


def measure(table: Table, folder: Path, *, runs: int) -> None:
    """Measure every pair once: what is asked is whether it is done in time, not by how much."""
    for source, make in MAKE.items():
        given = folder / f"largest.{source}"
        processes.make(partial(make, size=SIZE), given)
        for target in MAKE:
            if source == target and source not in ("csv", "json"):
                continue
            name = f"{source}-to-{target}: 250 MB"
            written = folder / f"written.{target}"
            print(name, file=sys.stderr, flush=True)
            try:
                cost = processes.run(processes.convert(f"{source}-to-{target}", given, written))
            except processes.Failed as error:
                table.skipped.append(f"{name}: failed: {str(error).strip()[-200:]!r}")
                continue
            table.add(
                "250 MB in time",
                Line(
                    name=name,
                    ours=shown(cost),
                    goal=f"<= {_SECONDS} s",
                    good=cost.wall <= _SECONDS,
                    runs=1,
                ),
            )
            remove(written)
        remove(given)
