"""Stream data frames into columnar files, holding one row group in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from threading import Condition, Thread
from typing import Any

import polars
from polars.io.plugins import register_io_source

ROWS = 122_880
"""Rows in a row group or record batch. The bytes of a file depend on this, not on the size of the frames."""


_FEW, _BYTES = 2, 16_000_000
"""Frames queued ahead of the sink, and the bytes up to which more may be queued: a sink takes none while it writes a
row group, and small frames are produced faster than they are written."""
_POLL = 0.2
"""Seconds between checks whether the sink's thread is still alive."""


class _Waiting:
    """A queue of frames between two threads; None marks the end."""

    def __init__(self) -> None:
        self._frames: deque[tuple[polars.DataFrame | None, int]] = deque()
        self._bytes = 0
        self._changed = Condition()

    def add(self, frame: polars.DataFrame | None) -> bool:
        """Append a frame as soon as there is room. Returns False if there was none for `_POLL` seconds."""
        size = 0 if frame is None else int(frame.estimated_size())
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._frames) < _FEW or self._bytes + size < _BYTES, _POLL):
                return False
            self._frames.append((frame, size))
            self._bytes += size
            self._changed.notify_all()
        return True

    def take(self) -> polars.DataFrame | None:
        """Remove and return the first frame; blocks until there is one."""
        with self._changed:
            self._changed.wait_for(lambda: self._frames)
            frame, size = self._frames.popleft()
            self._bytes -= size
            self._changed.notify_all()
        return frame


def stream(frames: Iterator[polars.DataFrame], sink: Callable[[polars.LazyFrame], None]) -> None:
    """Pass all frames to `sink` as one lazy frame with the columns of the first.

    Raises what `frames` and `sink` raise.

    The sink runs in its own thread: polars pulls frames from a thread of its choice, and their source, such as a
    database, may need to stay in the caller's. If `frames` fails, the sink still runs to its end, because an aborted
    sink may write to the file after the next one has started.
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
