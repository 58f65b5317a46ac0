"""Verdicts: why a child ended, what it said last, and who is told."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import socket
from typing import Literal

from conversions.sandbox.limits import Limits

Verdict = Literal["done", "timeout", "memory", "output", "crashed"]

_LAST_WORDS = 8192
# How Rust, C++, glib, GHC and libjpeg say that they could not allocate, before they abort.
_NO_MEMORY = re.compile(
    r"memory allocation of \d+ bytes failed|bad_alloc|out of memory|MemoryError|cannot allocate memory|heap exhausted"
    r"|failed to allocate",
    re.IGNORECASE,
)
_UNPRINTABLE = re.compile(r"[^\n -~]")


def reason(status: int, usage: resource.struct_rusage, said: str, limits: Limits) -> Verdict:
    """Why a child ended that was not killed on purpose, from its wait status, peak memory and standard error."""
    code = os.waitstatus_to_exitcode(status)
    if code == 0:
        return "done"
    if code == -signal.SIGXCPU:
        return "timeout"
    if code == -signal.SIGXFSZ:
        return "output"
    # Many libraries crash on the allocation that fails, and the kernel kills who has most when memory is short.
    if code < 0 and (_NO_MEMORY.search(said) or usage.ru_maxrss * 1024 > limits.memory * 3 // 4):
        return "memory"
    return "crashed"


def last_words(descriptor: int) -> str:
    """The end of what a child wrote to its standard error, with nothing in it that could forge a line of a log."""
    size = os.fstat(descriptor).st_size
    if not size:
        return ""
    text = os.pread(descriptor, _LAST_WORDS, max(0, size - _LAST_WORDS)).decode("ascii", "replace").strip()
    return _UNPRINTABLE.sub("?", text).replace("\n", "\n    ")


def tell(verdict: socket.socket, event: str) -> None:
    """Say to the web process what becomes of its job; it may be gone, or not listening."""
    with contextlib.suppress(OSError):
        verdict.send(event.encode())


def hung_up(verdict: socket.socket) -> bool:
    """Whether the web process waits for this verdict no more."""
    try:
        return not verdict.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
