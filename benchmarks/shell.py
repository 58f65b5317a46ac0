"""Time conversions from a shell: `manage.py convert` as a whole, from the start of Python to the written file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import processes
from benchmarks.engines import remove, shown
from benchmarks.rows import markup, rows
from benchmarks.table import Line, Table


@dataclass(frozen=True)
class _Command:
    """One file and its output format; `wall` is the goal in seconds."""

    name: str
    input: str
    make: Callable[[Path], None]
    output: str
    wall: float


_COMMANDS = (
    _Command("json-to-csv: 1 KB", "tiny.json", rows.TINY, "csv", wall=0.8),
    _Command("html-to-pdf: an invoice of one page", "bootstrap.html", markup.bootstrap_invoice, "pdf", wall=1.2),
)


def measure(table: Table, folder: Path, *, only: str, runs: int) -> None:
    """Measure each command with `only` in its name, including the start of the sandbox, which a service starts only
    once."""
    for command in _COMMANDS:
        if only not in command.name.lower():
            continue
        source = folder / command.input
        if not source.exists():
            processes.make(command.make, source)
        target = folder / f"shell.{command.output}"
        words = [sys.executable, "manage.py", "convert", str(source), str(target)]
        costs = []
        for _ in range(runs):
            costs.append(processes.run(words))
            remove(target)
        cost = processes.median(costs)
        table.add(
            "From the shell",
            Line(
                name=command.name,
                ours=shown(cost),
                goal=f"<= {command.wall:g} s",
                good=cost.wall <= command.wall,
                runs=runs,
            ),
        )
