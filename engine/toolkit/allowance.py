"""Stop work in this process that takes more processor time than it is worth."""

from __future__ import annotations

import math
import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Spent(BaseException):
    """The time is used up. No Exception, so that what is stopped does not take it for a fault of a file."""


@contextmanager
def allowed(seconds: float) -> Iterator[None]:
    """Raise Spent in what is done here once it has taken so many seconds of this process's processor time, or up to one
    more: a limit of the kernel in whole seconds, which every child may set for itself, unlike a timer.

    Python and its regular expressions are stopped at once, a call of another library when it returns. Nothing is
    stopped outside the main thread, which alone receives signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    over, end = False, time.process_time() + seconds

    def stop(number: int, frame: FrameType | None) -> None:
        # The kernel counts whole ticks, which may be seconds ahead of the time that was really taken.
        if not over and time.process_time() >= end:
            raise Spent

    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    until = math.ceil(end)
    before = signal.signal(signal.SIGXCPU, stop)
    # The signal comes every second from then on: what is raised in a callback of a library is lost.
    resource.setrlimit(resource.RLIMIT_CPU, (until if soft == resource.RLIM_INFINITY else min(soft, until), hard))
    try:
        yield
    finally:
        over = True
        late = soft != resource.RLIM_INFINITY and time.process_time() >= soft - 1
        # Where what was allowed before is all used, there is still what was done before to hand over.
        resource.setrlimit(resource.RLIMIT_CPU, (hard if late else soft, hard))
        signal.signal(signal.SIGXCPU, before)
