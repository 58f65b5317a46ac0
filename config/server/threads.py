"""A thread pool whose most recently idle thread takes the next call."""

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
class _IdleThread:
    """An idle thread, waiting for its next job; None ends it."""

    gate: threading.Lock = field(default_factory=threading.Lock)
    job: _Job | None = None

    def give(self, job: _Job | None) -> None:
        self.job = job
        self.gate.release()


class LifoThreadPool:
    """At most `most` threads, each started when all others are busy; further calls are queued.

    The standard library's executor rotates through its threads, so that each finds cold CPU caches, and its database
    connections must check for changes by others.
    """

    def __init__(self, most: int, *, name: str) -> None:
        self._most = most
        self._name = name
        self._lock = threading.Lock()
        self._resting: list[_IdleThread] = []
        self._waiting: collections.deque[_Job] = collections.deque()
        self._started = 0
        self._closed = False

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Submit a call; raises RuntimeError after `shutdown`, and where not one thread can be started."""
        job = _Job(Future(), function, arguments)
        with self._lock:
            if self._closed:
                raise RuntimeError("no call is taken after shutdown")
            if self._resting:
                self._resting.pop().give(job)
            elif self._started == self._most or not self._start(job):
                self._waiting.append(job)
        return job.future

    def _start(self, job: _Job) -> bool:
        """Start a thread with its first job; False if the system has no thread left, but this pool has others."""
        name = f"{self._name}_{self._started + 1}"
        try:
            # Daemons: a request that exceeds the time to stop must not keep the process alive.
            threading.Thread(target=self._work, args=(job,), name=name, daemon=True).start()
        except RuntimeError:
            if not self._started:
                raise
            return False
        self._started += 1
        return True

    def shutdown(self, wait: bool = False) -> None:
        """Accept no more calls, and end each thread when the queue is empty; `wait` is passed by gunicorn."""
        with self._lock:
            self._closed = True
            while self._resting:
                self._resting.pop().give(None)

    def _work(self, first: _Job) -> None:
        idle, job = _IdleThread(), first
        idle.gate.acquire()
        while True:
            error = result = None
            try:
                result = job.function(*job.arguments)
            except BaseException as raised:
                error = raised
            # Idle before the result is announced: the call that this may trigger should find the thread idle.
            following = self._following(idle)
            if error is None:
                job.future.set_result(result)
            else:
                job.future.set_exception(error)
            del result, error
            if following is None:
                idle.gate.acquire()
                following = idle.job
            if following is None:
                return
            job = following

    def _following(self, idle: _IdleThread) -> _Job | None:
        """The next queued call; if there is none, the thread becomes idle or, after shutdown, ends."""
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            if self._closed:
                idle.give(None)
            else:
                self._resting.append(idle)
        return None
