"""Run the engine rows: our converter and a peer as whole processes, alternately on the same input."""

from __future__ import annotations

import importlib
import importlib.util
import json
import pkgutil
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import processes, rows
from benchmarks.processes import Cost
from benchmarks.row import Row
from benchmarks.table import Line, Table

LONG = 60.0
"""Seconds from which a command is run fewer times."""
FEW = 2


def all_rows() -> Iterator[Row]:
    for module in pkgutil.iter_modules(rows.__path__):
        yield from importlib.import_module(f"benchmarks.rows.{module.name}").ROWS


def missing(row: Row) -> list[str]:
    return [need for need in row.needs if shutil.which(need) is None and importlib.util.find_spec(need) is None]


def measure(table: Table, folder: Path, *, only: str, runs: int) -> None:
    """Measure every row whose name, slug or peer contains `only`; a row that fails is named and skipped."""
    for row in all_rows():
        title = f"{row.slug}: {row.name}"
        if not row.process or only not in f"{title} {row.peer_name}".lower():
            continue
        if absent := missing(row):
            table.skipped.append(f"{title}, against {row.peer_name}: {', '.join(absent)} is not installed")
            continue
        print(f"{title} against {row.peer_name}", file=sys.stderr, flush=True)
        try:
            table.add("Engines", _line(row, title, folder, runs))
        except processes.Failed as error:
            table.skipped.append(f"{title}, against {row.peer_name}: failed: {str(error).strip()[-200:]!r}")


def input_of(row: Row, folder: Path) -> Path:
    """The row's input, created unless an earlier row has used it."""
    source = folder / row.input
    if not source.exists():
        processes.make(row.make, source)
    return source


def peer_of(row: Row, folder: Path) -> tuple[list[str], Path]:
    """The peer's command, and the path of its output."""
    other = folder / f"peer.{row.slug.rpartition('-to-')[2] or 'out'}"
    names = {"{input}": str(folder / row.input), "{output}": str(other), "{python}": sys.executable}
    return [_filled(part, names) for part in row.peer], other


def _line(row: Row, title: str, folder: Path, runs: int) -> Line:
    source = input_of(row, folder)
    target = folder / f"ours.{row.slug.rpartition('-to-')[2] or 'out'}"
    ours = processes.convert(row.slug, source, target, json.dumps(dict(row.options)))
    peer, other = peer_of(row, folder)
    mine: list[Cost] = []
    theirs: list[Cost] = []
    while len(mine) < (FEW if _long(mine) or _long(theirs) else runs):
        mine.append(processes.run(ours))
        theirs.append(processes.run(peer))
        remove(target)
        remove(other)
    return line(row, title, mine, theirs, row.goal)


def line(row: Row, title: str, mine: list[Cost], theirs: list[Cost], goal: float) -> Line:
    """The medians of both, compared with the row's `goal`."""
    first, second = processes.median(mine), processes.median(theirs)
    most = row.most if first.peak else None  # the peak of a job is unknown here
    ratio = getattr(first, row.measure) / getattr(second, row.measure)
    return Line(
        name=title,
        ours=shown(first),
        peer_name=row.peer_name,
        peer=shown(second),
        ratio=ratio,
        goal=f"{row.measure} <= {goal:g}x"
        + (f", <= {most:g} MB" if most else "")
        + (f", <= {row.seconds:g} s" if row.seconds else ""),
        good=ratio <= goal and (not most or first.peak <= most) and (not row.seconds or first.wall <= row.seconds),
        runs=len(mine),
    )


def _filled(part: str, names: dict[str, str]) -> str:
    for name, value in names.items():
        part = part.replace(name, value)
    return part


def _long(costs: list[Cost]) -> bool:
    return any(each.wall > LONG for each in costs)


def remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def shown(cost: Cost) -> str:
    """The time, and the peak if it is known."""
    time = f"{cost.wall:.2f} s" if cost.wall >= 1 else f"{cost.wall * 1000:.0f} ms"
    return f"{time}, {cost.peak:.0f} MB" if cost.peak else time
