"""Frames streamed into files of columns: only as many rows are in memory as one group of them has."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from threading import Condition, Thread
from typing import Any

import polars
from polars.io.plugins import register_io_source

ROWS = 122_880
"""In a row group or record batch: the bytes of a file depend on it, those of a frame do not."""


_FEW, _BYTES = 2, 16_000_000
"""Frames that are made before the sink has taken them, and the size of more: a sink takes none while it writes a row
group, and small ones are sooner made than many of them written."""
_LOOK = 0.2
"""Seconds after which it is seen whether the sink still lives."""


class _Waiting:
    """Frames in line, and None after the last of them, given by one thread and taken by another."""

    def __init__(self) -> None:
        self._frames: deque[tuple[polars.DataFrame | None, int]] = deque()
        self._bytes = 0
        self._changed = Condition()

    def add(self, frame: polars.DataFrame | None) -> bool:
        """Put a frame at the end of the line as soon as there is room; False where there was none for a while."""
        size = 0 if frame is None else int(frame.estimated_size())
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._frames) < _FEW or self._bytes + size < _BYTES, _LOOK):
                return False
            self._frames.append((frame, size))
            self._bytes += size
            self._changed.notify_all()
        return True

    def take(self) -> polars.DataFrame | None:
        """The first in line, for which it is waited."""
        with self._changed:
            self._changed.wait_for(lambda: self._frames)
            frame, size = self._frames.popleft()
            self._bytes -= size
            self._changed.notify_all()
        return frame


def stream(frames: Iterator[polars.DataFrame], sink: Callable[[polars.LazyFrame], None]) -> None:
    """Give `sink` all frames as one, whose columns are those of the first; raises what `frames` and `sink` raise.

    The sink runs in a thread of its own: polars asks for frames in one that it chooses, and what makes them may, as
    databases do, demand its own. Where no more can be made, the sink is left to finish, as one that is broken off may
    still write to the file when the next one does.
    """
    first = next(frames)
    waiting = _Waiting()
    failed: list[BaseException] = []

    def source(with_columns: Any, predicate: Any, n_rows: Any, batch_size: Any) -> Iterator[polars.DataFrame]:
        yield first
        while (frame := waiting.take()) is not None:
            yield frame

    def run() -> None:
        try:
            sink(register_io_source(source, schema=first.schema))
        except BaseException as error:
            failed.append(error)

    def put(frame: polars.DataFrame | None) -> None:
        while worker.is_alive() and not waiting.add(frame):
            pass

    worker = Thread(target=run, name="sink")
    worker.start()
    try:
        for frame in frames:
            put(frame)
            if failed:
                break
    finally:
        put(None)
        worker.join()
    if failed:
        raise failed[0]
