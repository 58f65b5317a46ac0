"""Run rows as the service converts them: as jobs of a running sandbox, compared with a peer's whole process."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
import time
from pathlib import Path

from benchmarks import engines, processes
from benchmarks.convert import find
from benchmarks.processes import Cost
from benchmarks.row import Row
from benchmarks.sandbox import REST
from benchmarks.table import Line, Table
from engine.sandbox.client import Zygote
from engine.sandbox.limits import limits_for
from engine.toolkit.options import describe

WARM = 3


def measure(table: Table, folder: Path, *, only: str, runs: int) -> None:
    """Measure the rows that are a `job` and have `only` in their name, slug or peer.

    Users wait for such a job plus the overhead of the service. It takes from the moment that the service hands over the
    file until it has the open result: a child confined to its folder copies, converts and answers.
    """
    for row in engines.all_rows():
        title = f"{row.slug}: {row.name}"
        if not row.job or only not in f"{title} {row.peer_name}".lower():
            continue
        if absent := engines.missing(row):
            table.skipped.append(f"{title}, as a job, against {row.peer_name}: {', '.join(absent)} is not installed")
            continue
        print(f"{title} as a job, against {row.peer_name}", file=sys.stderr, flush=True)
        try:
            table.add("As jobs of the service", _line(row, title, folder, runs))
        except processes.Failed as error:
            table.skipped.append(f"{title}, as a job, against {row.peer_name}: {str(error).strip()[-200:]!r}")


def _line(row: Row, title: str, folder: Path, runs: int) -> Line:
    source = engines.input_of(row, folder)
    converter = find(row.slug)
    values = {each.name: each.default for each in describe(converter.options)} | dict(row.options)
    peer, other = engines.peer_of(row, folder)
    mine: list[Cost] = []
    theirs: list[Cost] = []
    with (
        contextlib.closing(Zygote(converter.profile, limits_for(converter.profile))) as zygote,
        source.open("rb") as file,
    ):
        for number in range(WARM + runs):
            # Time to start the next child, as between the requests of two users.
            time.sleep(REST)
            started = time.perf_counter()
            answer = zygote.convert(row.slug, values, file.fileno())
            taken = time.perf_counter() - started
            answer.output.close()
            if number >= WARM:
                mine.append(Cost(taken, 0.0, 0.0))
                theirs.append(processes.run(peer))
                engines.remove(other)
    row = dataclasses.replace(row, seconds=row.job_seconds or row.seconds)
    return engines.line(row, title, mine, theirs, row.goal if row.job_goal is None else row.job_goal)
