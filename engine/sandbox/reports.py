"""Progress reports of a child: throttled by the sender, validated by the receiver."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Mapping
from typing import Any

from engine.sandbox.protocol import Malformed, send_frame
from engine.toolkit.progress import UNITS, OnProgress, Progress

EVERY = 0.25
"""Seconds between two reports of a child."""
MAX_REPORT = 200
"""Bytes of one report."""
_SPARE = 10
_MOST = 1 << 53


class Reporter:
    """The child's side: called with the progress from any thread, it sends at most one report every EVERY seconds."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._lock = threading.Lock()
        self._next = 0.0
        self._open = True

    def __call__(self, progress: Progress) -> None:
        if time.monotonic() < self._next:
            return
        with self._lock:
            now = time.monotonic()
            if not self._open or now < self._next:
                return
            self._next = now + EVERY
            done = min(max(0, int(progress.done)), _MOST)
            total = min(max(1, done, int(progress.total)), _MOST) if progress.total else None
            try:
                send_frame(self._channel, {"progress": [done, total, progress.unit]})
            except OSError:  # nobody reads any more: the zygote is about to end this job
                self._open = False

    def close(self) -> None:
        """Send no more: the next message on the channel is the answer."""
        with self._lock:
            self._open = False


class Reports:
    """The web process's side for a job of at most `wall` seconds; without `on_progress` no report is expected."""

    def __init__(self, on_progress: OnProgress | None, wall: float) -> None:
        self._on_progress = on_progress
        self._left = _SPARE + int(wall / EVERY) if on_progress is not None else 0
        self._next = 0.0

    def take(self, frame: Mapping[str, Any], size: int) -> None:
        """Pass a report on, or drop it if they come too fast; raises Malformed for what no honest child sends."""
        self._left -= 1
        if self._left < 0 or size > MAX_REPORT or self._on_progress is None:
            raise Malformed
        progress = _progress(frame)
        now = time.monotonic()
        if now >= self._next:
            self._next = now + EVERY / 2
            self._on_progress(progress)


def _progress(frame: Mapping[str, Any]) -> Progress:
    match frame:
        case {"progress": [int(done), int() | None as total, str(unit)], **rest} if not rest and unit in UNITS:
            pass
        case _:
            raise Malformed
    if isinstance(done, bool) or isinstance(total, bool) or not 0 <= done <= _MOST:
        raise Malformed
    if total is not None and not max(1, done) <= total <= _MOST:
        raise Malformed
    return Progress(done, total, unit)  # type: ignore[arg-type]  # one of UNITS
