"""Measure how time and memory of JSON to CSV grow with the file."""

from __future__ import annotations

from pathlib import Path

from benchmarks import processes
from benchmarks.rows import rows
from benchmarks.table import Line, Table

SIZES = (1, 10, 50, 100, 250)
"""Sizes in MB."""
BOUND = 128
"""Goal: the peak memory, in MB, that no size may exceed."""


def measure(table: Table, folder: Path, *, runs: int) -> None:
    """Convert flat arrays of 1 to 250 MB: seconds per MB, and peak memory, which must not grow."""
    base = 0.0
    for size in SIZES:
        source, target = folder / f"flat-{size}.json", folder / "grown.csv"
        processes.make(rows.flat_array(size * 1_000_000), source)
        cost = processes.median([processes.run(processes.convert("json-to-csv", source, target)) for _ in range(runs)])
        source.unlink()
        start = base = base or cost.wall
        slope = (cost.wall - start) / (size - SIZES[0]) * 1000 if size > SIZES[0] else 0
        table.add(
            "Growth with the file",
            Line(
                name=f"json-to-csv, {size} MB",
                ours=f"{cost.wall:.2f} s, {cost.peak:.0f} MB"
                + (f", {slope:.1f} ms a MB more than {SIZES[0]} MB" if slope else ""),
                goal=f"at most {BOUND} MB",
                good=cost.peak <= BOUND,
                runs=runs,
            ),
        )
