"""Turns: who writes to a file of SQLite next, where several threads and processes want to.

SQLite itself has whoever finds it locked sleep, ever longer, up to a tenth of a second, and then look again: with two
busy workers some wait for long while nobody writes. Whoever writes without a turn is kept apart by SQLite's own lock.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Iterator

_LOOK_EVERY = 0.0005
WITHIN = 2.0
"""Seconds after which a turn is waited for no more."""


class Turns:
    """Those of one database, kept in a file beside it; a thread takes one at a time.

    A turn that does not come, as somebody stands still who has it, or that can't be had, as there is no room for the
    file or its system has no locks, is done without.
    """

    def __init__(self, database: str) -> None:
        self._path = f"{database}.turn"
        self._own = threading.Lock()
        self._descriptor: tuple[int, int] | None = None

    @contextlib.contextmanager
    def take(self) -> Iterator[None]:
        """Wait for this thread's turn among those of all processes, and have it inside."""
        due = time.monotonic() + WITHIN
        mine = self._own.acquire(timeout=WITHIN)
        held = None
        try:
            held = self._lock(due) if mine else None
            yield
        finally:
            if held is not None:
                fcntl.flock(held, fcntl.LOCK_UN)
            if mine:
                self._own.release()

    def _lock(self, due: float) -> int | None:
        try:
            descriptor = self._opened()
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    return descriptor
                except BlockingIOError:
                    if time.monotonic() > due:
                        return None
                    time.sleep(_LOOK_EVERY)
        except OSError:
            return None

    def _opened(self) -> int:
        """The file, opened by this process: what was opened before a fork would be one lock with the parent's."""
        process = os.getpid()
        if self._descriptor is None or self._descriptor[0] != process:
            self._descriptor = process, os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._descriptor[1]
