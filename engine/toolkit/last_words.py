"""A note at the end of the error log that explains a fault of a library, should one end the process."""

from __future__ import annotations

import os
import stat

_LOG = 2
"""The descriptor of the error log."""
_left: list[tuple[int, int]] = []
"""Where each note begins and ends in the log, in bytes."""


def leave(words: str) -> None:
    """Leave a note at the end of the error log, until it is taken back. Does nothing unless the log is a file."""
    status = os.fstat(_LOG)
    if stat.S_ISREG(status.st_mode):
        os.write(_LOG, words.encode())
        _left.append((status.st_size, os.fstat(_LOG).st_size))


def take_back() -> None:
    """Remove the notes, but for those that something was written behind."""
    while _left:
        begin, end = _left.pop()
        if os.fstat(_LOG).st_size == end:
            os.ftruncate(_LOG, begin)
            os.lseek(_LOG, begin, os.SEEK_SET)
