"""`python -m benchmarks [--only TEXT] [--runs N] [--write]`: measure everything and write RESULTS.md.

`--only` selects the engines, jobs and commands whose name, or whose peer's name, contains the text, and prints the
table; with `--write` its lines replace those in RESULTS.md. The name of a part (engines, quality, kept, likeness,
largest, warm, jobs, shell, command, growth, counted, service, costs, fetching, cores, crowd, resident, clicks) selects
all of that part, and writes its figures into RESULTS.md.
"""

from __future__ import annotations

import argparse
import importlib
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks import engines, processes
from benchmarks.table import RESULTS, Table

RUNS = 5
PARTS = (
    "quality", "kept", "likeness", "largest", "warm", "jobs", "shell", "command", "growth", "counted", "service",
    "costs", "fetching", "cores", "crowd", "resident", "clicks",
)  # fmt: skip
CHOSEN = ("jobs", "shell")
"""Parts that can be run for some of their rows only."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", default="", help="what to measure, by a part of its name")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"runs of each command ({RUNS})")
    parser.add_argument("--write", action="store_true", help="put what was measured into RESULTS.md")
    given = parser.parse_args()
    only, table = given.only.lower(), Table()
    folder = Path(tempfile.mkdtemp(prefix="bench-"))
    try:
        part = only in ("engines", *PARTS)
        if only == "engines" or not part:
            engines.measure(table, folder, only="" if part else only, runs=given.runs)
        for name in PARTS:
            if only in ("", name) or (name in CHOSEN and not part):
                print(f"{name} ...", file=sys.stderr, flush=True)
                # Imported only now: the memory of this process is the lowest peak that it can measure in others.
                try:
                    importlib.import_module(f"benchmarks.{name}").measure(
                        table, folder, runs=given.runs, **({"only": "" if part else only} if name in CHOSEN else {})
                    )
                except Exception as error:
                    # Parts that failed must not discard the results of the others, which take half an hour.
                    table.skipped.append(f"{name}: broke off: {type(error).__name__} {str(error).strip()[-300:]}")
    except KeyboardInterrupt:
        table.skipped.append("what came after the run was broken off")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    table.skipped.append(f"memory below {processes.own_peak():.0f} MB, which is what the measuring process itself has")
    text = table.markdown()
    print(text)
    if not only:
        RESULTS.write_text(text)
    elif (part or given.write) and RESULTS.exists():
        RESULTS.write_text(table.put_into(RESULTS.read_text(), whole=part))


if __name__ == "__main__":
    main()
