"""Convert a small file in a process with all imports done, as in the service: function against function."""

from __future__ import annotations

import csv
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import processes
from benchmarks.rows import rows
from benchmarks.table import Line, Table

ROUNDS = 400
"""The conversions of one run, whose median counts."""
GOAL = 1.0


def measure(table: Table, folder: Path, *, runs: int) -> None:
    """JSON of 1 KB to CSV, compared with the standard library's two modules doing the same."""
    source = folder / "tiny.json"
    rows.TINY(source)
    command = [sys.executable, "-m", "benchmarks.warm", str(source)]
    found = []
    for _ in range(runs):
        answer = subprocess.run(command, cwd=processes.ROOT, capture_output=True, text=True, check=True)
        found.append([float(part) for part in answer.stdout.split()])
    ours, theirs = (statistics.median(column) for column in zip(*found, strict=True))
    table.add(
        "In a process that is ready",
        Line(
            name="json-to-csv: 1 KB",
            ours=f"{ours:.0f} µs",
            peer_name="json and csv",
            peer=f"{theirs:.0f} µs",
            ratio=ours / theirs,
            goal=f"<= {GOAL:g}x",
            good=ours <= GOAL * theirs,
            runs=runs,
        ),
    )


def _standard_library(source: Path, target: Path) -> None:
    with source.open(encoding="utf-8") as file:
        found = json.load(file)
    keys = list(dict.fromkeys(key for row in found for key in row))
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, keys)
        writer.writeheader()
        writer.writerows(found)


def _converter() -> Callable[[Path, Path], None]:
    """The converter with its default options, imported as a zygote imports it."""
    from benchmarks.convert import find
    from engine.toolkit.options import build
    from engine.toolkit.warnings import Warn

    converter = find("json-to-csv")
    for module in converter.engine.modules:
        __import__(module)
    options = build(converter.options, {})

    def convert(source: Path, target: Path) -> None:
        converter.run(source, target, options, Warn())

    return convert


def _medians(source: Path) -> list[float]:
    """The median microseconds of the converter and of the standard library, run alternately."""
    target = source.with_suffix(".csv")
    both = (_converter(), _standard_library)
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for convert, times in zip(both, taken, strict=True):
            started = time.perf_counter()
            convert(source, target)
            times.append((time.perf_counter() - started) * 1e6)
            target.unlink()
    return [statistics.median(times) for times in taken]


if __name__ == "__main__":
    print(*_medians(Path(sys.argv[1])))
