"""Leases: a lock that its process renews, and that expires a few seconds after the process dies."""

from __future__ import annotations

import logging
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")

LEASE_SECONDS = 9.0
"""Seconds until a lease expires unless renewed."""

RENEW_EVERY = 3.0
"""Seconds between renewals: two may fail before a lease is lost."""

YOUNG = 1.0
"""Seconds before a new lease is first renewed: most work is done by then."""

SKEW = 60.0
"""Seconds of clock difference to tolerate; a lease from further in the future was made before the clock was set back,
and would be valid for too long.
"""

log = logging.getLogger("service.leases")


@dataclass(eq=False)
class _Held(Generic[T]):
    item: T
    since: float


class Keeper(Generic[T]):
    """Renews all leases of one kind that this process holds, from one thread, in one call of `renew`.

    `renew` must not recreate a lease that was released, nor touch one that another process has taken over, as happens
    to a process suspended for longer than LEASE_SECONDS. Its errors are logged, and it is called again.
    """

    def __init__(self, name: str, renew: Callable[[list[T]], None]) -> None:
        self._name = name
        self._renew = renew
        self._lock = threading.Lock()
        self._held: set[_Held[T]] = set()
        self._thread: threading.Thread | None = None
        _keepers.add(self)

    @contextmanager
    def held(self, item: T) -> Iterator[None]:
        """Renew the lease `item` until the block ends."""
        one = _Held(item, time.monotonic())
        with self._lock:
            if self._thread is None:
                thread = threading.Thread(target=self._work, name=f"leases of {self._name}", daemon=True)
                thread.start()  # raises RuntimeError where there are too many; the next lease tries again
                self._thread = thread
            self._held.add(one)
        try:
            yield
        finally:
            with self._lock:
                self._held.discard(one)

    def holds(self, item: T) -> bool:
        """Whether the lease `item` has not been released."""
        with self._lock:
            return any(each.item is item for each in self._held)

    def beat(self) -> None:
        """Renew every lease that is due, once."""
        now = time.monotonic()
        with self._lock:
            due = [each.item for each in self._held if now - each.since >= YOUNG]
        if not due:
            return
        try:
            self._renew(due)
        except Exception:
            log.exception("leases were not renewed", extra={"kind": self._name, "leases": len(due)})

    def _work(self) -> None:
        while True:
            time.sleep(RENEW_EVERY)
            self.beat()

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._held.clear()
        self._thread = None


_keepers: weakref.WeakSet[Keeper[Any]] = weakref.WeakSet()


def _after_fork() -> None:
    """After a fork the child holds no lease, and has none of the parent's threads."""
    for each in list(_keepers):
        each._forget()


os.register_at_fork(after_in_child=_after_fork)
