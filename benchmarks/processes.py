"""Measure the time and peak memory of whole processes."""

from __future__ import annotations

import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The environment of measured commands: with it, a Python program compiles its modules in the first run only."""


class Failed(Exception):
    """A measured command ended with an error; the message is the end of its output."""


@dataclass(frozen=True)
class Cost:
    """The cost of a process and its children: wall-clock and processor seconds, and peak resident memory in MB."""

    wall: float
    cpu: float
    peak: float


def run(command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> Cost:
    """Run a command to its end; raises Failed."""
    # A child started by vfork begins with this process's peak memory, so this process must stay small.
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment or COMPILED,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    output = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise Failed(output.decode(errors="replace")[-500:])
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6)


def make(write: Callable[[Path], None], path: Path) -> None:
    """Create an input in a separate process, whose memory is freed before anything is measured; raises Failed."""
    process = multiprocessing.get_context("fork").Process(target=write, args=(path,))
    process.start()
    process.join()
    if process.exitcode:
        raise Failed(f"{path.name} could not be made")


def own_peak() -> float:
    """This process's peak memory in MB, the lowest that `run` can measure."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def convert(slug: str, source: Path, target: Path, options: str = "{}") -> list[str]:
    """The command that converts one file in a process of its own."""
    return [sys.executable, "-m", "benchmarks.convert", slug, str(source), str(target), options]


def median(costs: Sequence[Cost]) -> Cost:
    return Cost(*(statistics.median(getattr(each, name) for each in costs) for name in ("wall", "cpu", "peak")))
