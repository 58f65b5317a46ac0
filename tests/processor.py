"""Processor: how much of it processes have had."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

WINDOW = 1.0
"""Seconds in which processes that rest are looked at."""


def come_to_rest(processes: Iterable[int], *, windows: int = 10) -> bool:
    """Whether there is a window in which the processes do next to nothing, once what they were at is done."""
    watched = list(processes)
    for _ in range(windows):
        before = seconds_of(watched)
        time.sleep(WINDOW)
        if seconds_of(watched) - before < 0.05 * WINDOW:
            return True
    return False


def seconds_of(processes: Iterable[int]) -> float:
    """Seconds of processor that living processes have had so far, in programs and in the kernel (proc(5), stat)."""
    ticks = 0
    for each in processes:
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
