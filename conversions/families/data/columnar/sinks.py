"""Frames streamed into files of columns: only as many rows are in memory as one group of them has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import polars
from polars.io.plugins import register_io_source

ROWS = 122_880
"""In a row group or record batch: the bytes of a file depend on it, those of a frame do not."""


def stream(frames: Iterator[polars.DataFrame], sink: Callable[[polars.LazyFrame], None]) -> None:
    """Give `sink` all frames as one, whose columns are those of the first; raises what `frames` raises."""
    first = next(frames)
    failed: list[Exception] = []

    def source(with_columns: Any, predicate: Any, n_rows: Any, batch_size: Any) -> Iterator[polars.DataFrame]:
        try:
            yield first
            yield from frames
        except Exception as error:
            # The sink is left to finish: one that is broken off may still write to the file when the next one does.
            failed.append(error)

    sink(register_io_source(source, schema=first.schema))
    if failed:
        raise failed[0]
