"""Password hashing, and the longest password."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.errors import TooManyRequests
from addresses import current_block

MAX_PASSWORD = 256

_T = TypeVar("_T")
_NICENESS = 10
"""Niceness of the hashing thread: about a tenth of a busy processor, all of an idle one (sched(7))."""
_MAX_WAITING = max(1, settings.THREADS // 2)
_MAX_PROCESSES = max(1, len(os.sched_getaffinity(0)) // 2)
_REST = 10.0
"""Seconds without a hash after which a client may take the last place. Four addresses at their limits of log-ins kept
all places taken; each may take the last one for about a hundredth of the time."""


class Places:
    """At most `most` requests wait for their hash; the last place is kept for clients that have had none recently.

    A client is a block of addresses: whoever has several must not keep all places for themselves.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = 0
        self._lock = threading.Lock()
        self._latest: dict[str, float] = {}

    @contextmanager
    def one(self, client: str) -> Iterator[None]:
        """Take a place for the duration of the block; raises TooManyRequests."""
        if not self._take(client):
            raise TooManyRequests(_("Too many people are logging in. Try again in a second."), wait=1)
        try:
            yield
        finally:
            with self._lock:
                self._taken -= 1

    def _take(self, client: str) -> bool:
        now = time.monotonic()
        with self._lock:
            while self._latest and next(iter(self._latest.values())) <= now - _REST:
                del self._latest[next(iter(self._latest))]
            last = self._most > 1 and self._taken == self._most - 1
            if self._taken >= self._most or (last and client in self._latest):
                return False
            self._taken += 1
            if client:
                self._latest.pop(client, None)  # the longest ago come first
                self._latest[client] = now
            return True


_places = Places(_MAX_WAITING)
_thread: ThreadPoolExecutor | None = None
_lock = threading.Lock()


class ServiceArgon2(Argon2PasswordHasher):
    """Argon2id with 19 MiB, two passes and one lane (OWASP's password storage recommendation).

    One hash at a time in a process, in a low-priority thread, and on at most half of the processors; at most half of
    the process's requests wait for theirs, so that password guessing does not block others. Raises TooManyRequests
    beyond that (see Places).
    """

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        encode = super().encode
        return _in_turn(lambda: encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        verify = super().verify
        return _in_turn(lambda: verify(password, encoded))


def _in_turn(call: Callable[[], _T]) -> _T:
    with _places.one(current_block()):
        return _hasher().submit(_among_few, call).result()


def _hasher() -> ThreadPoolExecutor:
    """The hashing thread, started by the first hash: a thread does not survive a fork."""
    global _thread
    with _lock:
        if _thread is None:
            _thread = ThreadPoolExecutor(1, thread_name_prefix="hash", initializer=_lower_priority)
        return _thread


def _among_few(call: Callable[[], _T]) -> _T:
    """Call it when few other processes are hashing: 19 MiB each would evict everything else from the CPU caches."""
    # Opened for each hash: a forked child would share the lock and keep it.
    with lock_file(os.getpid() % _MAX_PROCESSES).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        return call()


def lock_file(number: int) -> Path:
    """Path of a lock file (flock(2)); there are as many as processes that may hash at once."""
    return Path(settings.TEMPORARY_DIR, f"hashing-{number}.lock")


def _lower_priority() -> None:
    # Linux has a niceness for each thread, by its kernel id.
    thread = threading.get_native_id()
    os.setpriority(os.PRIO_PROCESS, thread, min(19, os.getpriority(os.PRIO_PROCESS, thread) + _NICENESS))


def _after_fork() -> None:
    global _thread, _lock, _places
    _thread, _lock, _places = None, threading.Lock(), Places(_MAX_WAITING)


os.register_at_fork(after_in_child=_after_fork)


class MaximumLengthValidator:
    """Limits the length of passwords, so that hashing any costs the same."""

    def validate(self, password: str, user: object = None) -> None:
        if len(password) > MAX_PASSWORD:
            raise ValidationError(
                _("Use at most %(most)s characters.") % {"most": MAX_PASSWORD}, code="password_too_long"
            )

    def get_help_text(self) -> str:
        return _("Your password can have up to %(most)s characters.") % {"most": MAX_PASSWORD}
