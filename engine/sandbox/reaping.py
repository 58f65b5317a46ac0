"""Reap the ended processes of a zygote, killing what is left of their process groups."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Sequence

from engine.sandbox.janitor import Janitor
from engine.sandbox.pool import Pool


def reap(pools: Sequence[Pool], janitor: Janitor) -> None:
    """Reap every dead process for its pool; raises EOFError if the janitor is among them."""
    while True:
        try:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if found is None:
            return
        pid = found.si_pid
        # Before the id can be reused: its group may still contain programs it started.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        group = os.getpgid(pid)
        _, status, usage = os.wait4(pid, 0)
        if pid == janitor.pid:
            raise EOFError
        if not any(pool.reap(pid, status, usage) for pool in pools):  # an orphaned program belongs to no pool
            for pool in pools:
                pool.charge(group, usage)
