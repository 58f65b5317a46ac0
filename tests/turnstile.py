"""The turnstile: tests that measure how long others wait have the machine to themselves, all others share it."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

DOOR = Path(__file__)


@contextlib.contextmanager
def turn(*, alone: bool, door: Path = DOOR) -> Iterator[None]:
    """Do one test of one process among those of a run: beside others, or after all that run and before all that come.

    Whoever waits to be alone stands in the door, so that those behind can't go on taking turns with each other. It is
    a file, and the room behind it the folder where it is: what is locked need only be there.
    """
    with contextlib.ExitStack() as room:
        with _locked(door, fcntl.LOCK_EX):
            room.enter_context(_locked(door.parent, fcntl.LOCK_EX if alone else fcntl.LOCK_SH))
        yield


@contextlib.contextmanager
def _locked(path: Path, kind: int) -> Iterator[None]:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, kind)
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)  # also for processes that were forked meanwhile and have it, too
        os.close(descriptor)
