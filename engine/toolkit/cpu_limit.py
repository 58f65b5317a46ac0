"""Interrupt work in this process that takes too much processor time."""

from __future__ import annotations

import math
import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class CpuTimeUsedUp(BaseException):
    """The time is up. Not an Exception, so that the interrupted code does not mistake it for a damaged file."""


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raise CpuTimeUsedUp in this block once it has used `seconds` of processor time, or up to one second later.

    The limit is RLIMIT_CPU, which counts whole seconds and which, unlike a timer, every child may set for itself.
    Python
    code and regular expressions are interrupted at once, calls into other libraries when they return. Outside the main
    thread, which alone receives signals, there is no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    over, end = False, time.process_time() + seconds

    def stop(number: int, frame: FrameType | None) -> None:
        # The kernel counts in ticks, so it may signal seconds before that much processor time was really used.
        if not over and time.process_time() >= end:
            raise CpuTimeUsedUp

    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    until = math.ceil(end)
    before = signal.signal(signal.SIGXCPU, stop)
    # From then on the signal is sent every second: an exception raised inside a library's callback may be lost.
    resource.setrlimit(resource.RLIMIT_CPU, (until if soft == resource.RLIM_INFINITY else min(soft, until), hard))
    try:
        yield
    finally:
        over = True
        late = soft != resource.RLIM_INFINITY and time.process_time() >= soft - 1
        # If the outer limit is used up as well, lift it: the results so far must still be delivered.
        resource.setrlimit(resource.RLIMIT_CPU, (hard if late else soft, hard))
        signal.signal(signal.SIGXCPU, before)
