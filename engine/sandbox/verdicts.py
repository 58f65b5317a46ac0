"""Determine why a child ended, and send the verdict to its client."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
from typing import Literal

from engine.sandbox.limits import Limits

Verdict = Literal["done", "timeout", "memory", "output", "crashed"]


def reason(status: int, usage: resource.struct_rusage, limits: Limits, *, ran_out_of_memory: bool) -> Verdict:
    """Why a child ended that was not killed deliberately, by its wait status, peak memory and error output."""
    code = os.waitstatus_to_exitcode(status)
    if code == 0:
        return "done"
    if code == -signal.SIGXCPU:
        return "timeout"
    if code == -signal.SIGXFSZ:
        return "output"
    # Many libraries crash on a failed allocation, and when memory is short the kernel kills the largest process.
    if code < 0 and (ran_out_of_memory or usage.ru_maxrss * 1024 > limits.memory * 3 // 4):
        return "memory"
    return "crashed"


def crash(status: int, pid: int) -> str:
    """The event for a crash: how the process ended, and its id, by which the log names it."""
    code = os.waitstatus_to_exitcode(status)
    return f"crashed:{f'exit-{code}' if code >= 0 else signal.Signals(-code).name}:{pid}"


def send(verdict: socket.socket, event: str) -> None:
    """Send the outcome of a job to the web process, which may be gone or not reading."""
    with contextlib.suppress(OSError):
        verdict.send(event.encode())


def hung_up(verdict: socket.socket) -> bool:
    """Whether the web process has stopped waiting for this verdict."""
    try:
        return not verdict.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except ConnectionResetError:  # it did not read the previous message
        return True
