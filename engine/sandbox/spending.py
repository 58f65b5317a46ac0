"""The processor time of a job, as measured by the kernel rather than reported by the job."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterable
from dataclasses import dataclass

_TICK = 1 / os.sysconf("SC_CLK_TCK")
_TIMES = slice(11, 15)
"""utime, stime, cutime and cstime, counted from after the program name (proc(5))."""


@dataclass
class Meter:
    """Adds up the processor seconds of all attempts at one job."""

    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        self.seconds += seconds


def taken(usage: resource.struct_rusage, others: Iterable[int]) -> float:
    """Seconds of an ended process, including children it waited for, and of `others` of its job."""
    return usage.ru_utime + usage.ru_stime + sum(map(_seconds, others))


def _seconds(process: int) -> float:
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return sum(map(int, file.read().rpartition(b")")[2].split()[_TIMES])) * _TICK
    except OSError:
        return 0.0
