"""Sampling: how much of a file has been read, seen from outside of whatever reads it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conversions.toolkit.progress import Progress, Tell

_EVERY = 0.25
_DESCRIPTORS = range(3, 64)


@contextmanager
def sampled(source: Path, tell: Tell) -> Iterator[None]:
    """Tell now and then, from a thread, how many bytes of `source` are through, while the block reads it in pieces.

    It is the position of the descriptors that are open on the file; of a file that is read at once nothing is told.
    """
    status = source.stat()
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(_EVERY):
            at = _position(status)
            if 0 < at < status.st_size:
                tell(Progress(at, status.st_size, "bytes"))

    threading.Thread(target=look, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _position(wanted: os.stat_result) -> int:
    """The furthest position of a descriptor of this file, 0 without one."""
    furthest = 0
    for each in _DESCRIPTORS:
        try:
            found = os.fstat(each)
            if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino):
                furthest = max(furthest, os.lseek(each, 0, os.SEEK_CUR))
        except OSError:  # there is none, or it was closed meanwhile
            continue
    return furthest
