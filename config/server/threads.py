"""The threads that serve requests: the one that has rested for the shortest time takes the next one."""

from __future__ import annotations

import collections
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class _Job:
    future: Future[Any]
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(eq=False)
class _Seat:
    """Where a thread that rests finds its next job; no job means that it ends."""

    gate: threading.Lock = field(default_factory=threading.Lock)
    job: _Job | None = None

    def give(self, job: _Job | None) -> None:
        self.job = job
        self.gate.release()


class LastRestedFirst:
    """At most `most` threads, each started when all others are busy; calls beyond that wait in line.

    The executor of the standard library hands calls round: each thread would come to its next one when the processor
    has forgotten it, and when its database connections have to look again at what others have written.
    """

    def __init__(self, most: int, *, name: str) -> None:
        self._most = most
        self._name = name
        self._lock = threading.Lock()
        self._resting: list[_Seat] = []
        self._waiting: collections.deque[_Job] = collections.deque()
        self._started = 0
        self._closed = False

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Call the function in one of the threads; raises RuntimeError after `shutdown`."""
        job = _Job(Future(), function, arguments)
        with self._lock:
            if self._closed:
                raise RuntimeError("no call is taken after shutdown")
            if self._resting:
                self._resting.pop().give(job)
            elif self._started < self._most:
                self._started += 1
                # Daemons: a request that outlasts the time to stop must not keep the process.
                threading.Thread(
                    target=self._work, args=(job,), name=f"{self._name}_{self._started}", daemon=True
                ).start()
            else:
                self._waiting.append(job)
        return job.future

    def shutdown(self, wait: bool = False) -> None:
        """Take no more calls, and let each thread end when none is left for it; `wait` is what gunicorn passes."""
        with self._lock:
            self._closed = True
            while self._resting:
                self._resting.pop().give(None)

    def _work(self, first: _Job) -> None:
        seat, job = _Seat(), first
        seat.gate.acquire()
        while True:
            error = result = None
            try:
                result = job.function(*job.arguments)
            except BaseException as raised:
                error = raised
            # Before others hear of the end: the next call, which it may bring, is to find this thread resting.
            following = self._following(seat)
            if error is None:
                job.future.set_result(result)
            else:
                job.future.set_exception(error)
            del result, error
            if following is None:
                seat.gate.acquire()
                following = seat.job
            if following is None:
                return
            job = following

    def _following(self, seat: _Seat) -> _Job | None:
        """The next call that waits; where there is none the seat is taken, unless no more will come."""
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            if self._closed:
                seat.give(None)
            else:
                self._resting.append(seat)
        return None
