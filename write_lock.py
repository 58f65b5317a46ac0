"""A lock for writing to a SQLite file, shared by the threads and processes of one machine.

SQLite itself retries a locked database after sleeps that grow to a tenth of a second, so that a busy process may wait
long while nobody writes. Writing without this lock is safe: SQLite's own lock still applies.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Iterator

_POLL = 0.0005
TIMEOUT = 2.0
"""Seconds to wait for the lock."""


class WriteLock:
    """The lock of one database, a file beside it; one thread holds it at a time.

    The lock only saves time: if it can't be acquired within TIMEOUT, or the file can't be created or locked, the block
    runs without it.
    """

    def __init__(self, database: str) -> None:
        self._path = f"{database}.turn"
        self._own = threading.Lock()
        self._descriptor: tuple[int, int] | None = None

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """Run the block while holding the lock, waiting for it if need be."""
        due = time.monotonic() + TIMEOUT
        mine = self._own.acquire(timeout=TIMEOUT)
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
                    time.sleep(_POLL)
        except OSError:
            return None

    def _opened(self) -> int:
        """The file's descriptor, opened by this process: one from before a fork would share the parent's lock."""
        process = os.getpid()
        if self._descriptor is None or self._descriptor[0] != process:
            self._descriptor = process, os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._descriptor[1]
