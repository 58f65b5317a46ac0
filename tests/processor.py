"""Processor: how much of it processes have had."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def seconds_of(processes: Iterable[int]) -> float:
    """Seconds of processor that living processes have had so far, in programs and in the kernel (proc(5), stat)."""
    ticks = 0
    for each in processes:
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
