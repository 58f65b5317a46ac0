"""Watch how much of a file has been read, without help from the code that reads it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.toolkit.progress import OnProgress, Progress

_EVERY = 0.25
_DESCRIPTORS = range(3, 64)


@contextmanager
def sampled(source: Path, on_progress: OnProgress) -> Iterator[None]:
    """Report from a thread, now and then, how many bytes of `source` the block has read.

    It observes the offsets of open descriptors, so a file that is read in one call reports nothing.
    """
    status = source.stat()
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(_EVERY):
            at = _position(status)
            if 0 < at < status.st_size:
                on_progress(Progress(at, status.st_size, "bytes"))

    threading.Thread(target=look, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _position(wanted: os.stat_result) -> int:
    """The furthest offset of a descriptor of this file, 0 if there is none."""
    furthest = 0
    for each in _DESCRIPTORS:
        try:
            found = os.fstat(each)
            if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino):
                furthest = max(furthest, os.lseek(each, 0, os.SEEK_CUR))
        except OSError:  # never open, or closed meanwhile
            continue
    return furthest
