"""Leases: what a process holds while it works is renewed while it lives, and free a few seconds after it has died."""

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

LASTS = 9.0
"""Seconds for which a lease is good unless it is renewed: what a dead process held is free after that."""

EVERY = 3.0
"""Seconds between two renewals: two may fail before a lease is lost."""

YOUNG = 1.0
"""Seconds for which a new lease needs no renewal: most work is done by then."""

SKEW = 60.0
"""Seconds by which a lease may seem to come from the future; one that seems to come from later was made by a clock
that has been set back since, and would else be good until that moment comes again."""

log = logging.getLogger("service.leases")


@dataclass(eq=False)
class _Held(Generic[T]):
    item: T
    since: float


class Keeper(Generic[T]):
    """Renews all leases of one kind that this process holds, in one call of `renew`, from a thread of its own.

    `renew` must not bring back what was given up, and must leave alone what another holds by now: the lease of a
    process that was stopped for longer than LASTS is lost. Its errors are logged, and it is called again.
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
            self._held.add(one)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=f"leases of {self._name}", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                self._held.discard(one)

    def beat(self) -> None:
        """Renew, once, whatever is not new."""
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
            time.sleep(EVERY)
            self.beat()

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._held.clear()
        self._thread = None


_keepers: weakref.WeakSet[Keeper[Any]] = weakref.WeakSet()


def _after_fork() -> None:
    """A forked process holds nothing, and has none of its parent's threads."""
    for each in list(_keepers):
        each._forget()


os.register_at_fork(after_in_child=_after_fork)
