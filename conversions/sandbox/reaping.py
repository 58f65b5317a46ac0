"""Reaping: the processes of a zygote that have ended, each with all that is left of its group."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Sequence

from conversions.sandbox.janitor import Janitor
from conversions.sandbox.pool import Pool


def reap(pools: Sequence[Pool], janitor: Janitor) -> None:
    """Collect every dead process, for the pool that it is of; raises EOFError if the janitor is among them."""
    while True:
        try:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if found is None:
            return
        pid = found.si_pid
        # Before the number is free for others: the group may still have members, programs that it started.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
        if pid == janitor.pid:
            raise EOFError
        for pool in pools:  # none for an orphan of a program
            if pool.bury(pid, status, usage):
                break
