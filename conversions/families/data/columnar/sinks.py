"""Frames streamed into files of columns: only as many rows are in memory as one group of them has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Full, Queue
from threading import Thread
from typing import Any

import polars
from polars.io.plugins import register_io_source

ROWS = 122_880
"""In a row group or record batch: the bytes of a file depend on it, those of a frame do not."""


_WAITING = 2
"""Frames that are made before the sink has taken them."""
_LOOK = 0.2
"""Seconds after which it is seen whether the sink still lives."""


def stream(frames: Iterator[polars.DataFrame], sink: Callable[[polars.LazyFrame], None]) -> None:
    """Give `sink` all frames as one, whose columns are those of the first; raises what `frames` and `sink` raise.

    The sink runs in a thread of its own: polars asks for frames in one that it chooses, and what makes them may, as
    databases do, demand its own. Where no more can be made, the sink is left to finish, as one that is broken off may
    still write to the file when the next one does.
    """
    first = next(frames)
    waiting: Queue[polars.DataFrame | None] = Queue(_WAITING)
    failed: list[BaseException] = []

    def source(with_columns: Any, predicate: Any, n_rows: Any, batch_size: Any) -> Iterator[polars.DataFrame]:
        yield first
        while (frame := waiting.get()) is not None:
            yield frame

    def run() -> None:
        try:
            sink(register_io_source(source, schema=first.schema))
        except BaseException as error:
            failed.append(error)

    def put(frame: polars.DataFrame | None) -> None:
        while worker.is_alive():
            with suppress(Full):
                waiting.put(frame, timeout=_LOOK)
                break

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
