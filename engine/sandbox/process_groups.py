"""List, slow down and pause the processes of a process group."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator

_LOWEST_PRIORITY = 19
_STOPS_WITHIN = 0.01
"""Seconds to wait for processes to stop; those blocked in the kernel may not."""


def members(group: int) -> list[int]:
    """The processes of a process group."""
    found = []
    for each in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(ProcessLookupError):
            if os.getpgid(int(each)) == group:
                found.append(int(each))
    return found


def slow_down(group: int) -> None:
    """Lower the priority of all threads of a process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended
        os.setpriority(os.PRIO_PGRP, group, _LOWEST_PRIORITY)


@contextlib.contextmanager
def paused(group: int) -> Iterator[None]:
    """Stop a process group for the duration of the block, without waiting for processes blocked in the kernel.

    A group that something else has stopped remains stopped.
    """
    if _is_stopped(group):
        yield
        return
    try:
        os.killpg(group, signal.SIGSTOP)
    except (ProcessLookupError, PermissionError):
        yield  # it has ended, or is about to
        return
    try:
        until = time.monotonic() + _STOPS_WITHIN
        while os.waitid(os.P_PID, group, os.WSTOPPED | os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if time.monotonic() > until:
                break
            time.sleep(0.0002)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGCONT)


def _is_stopped(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[:1] == [b"T"]
    except OSError:
        return False
