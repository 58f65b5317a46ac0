"""Frames streamed into files: how many may be made before a slow sink takes them."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import polars
import pytest

from engine.families.data.columnar.sinks import stream

WAIT = 2.0
"""Seconds that a sink waits at most for frames to be made ahead of it."""


@pytest.mark.parametrize(("size", "ahead"), [(10, True), (9_000_000, False)])
def test_small_frames_are_made_while_the_sink_is_busy_and_large_ones_wait(size: int, ahead: bool) -> None:
    made_ahead = threading.Event()
    was_ahead: list[bool] = []
    found: list[list[int]] = []

    def frames() -> Iterator[polars.DataFrame]:
        for number in range(12):
            yield polars.DataFrame({"number": [number], "text": ["x" * size]})
        made_ahead.set()

    def sink(lazy: polars.LazyFrame) -> None:
        was_ahead.append(made_ahead.wait(WAIT if not ahead else 60))
        found.append(lazy.select("number").collect()["number"].to_list())

    stream(frames(), sink)
    assert was_ahead == [ahead]
    assert found == [list(range(12))]


def test_what_a_sink_raises_ends_the_stream() -> None:
    def frames() -> Iterator[polars.DataFrame]:
        while True:
            yield polars.DataFrame({"text": ["x" * 5_000_000]})

    def sink(lazy: polars.LazyFrame) -> None:
        raise OSError("full")

    with pytest.raises(OSError, match="full"):
        stream(frames(), sink)
