"""Turn the errors of libraries for damaged files into Unreadable, and forget what their panics have printed."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from engine.toolkit.failures import Unreadable

_STDERR = 2
_MOST = 1 << 20
_PANIC = re.compile(rb"thread '[^'\n]*' (?:\(\d+\) )?panicked at ")
"""The start of what Rust prints of a panic (std::panic); a line with the message follows."""
_MORE = (b" ", b"stack backtrace:", b"note: ")
"""What further lines of a panic begin with."""


@contextmanager
def unreadable(message: str, *errors: type[Exception]) -> Iterator[None]:
    """Raise Unreadable with this message for any of `errors`, and for panics of Rust libraries.

    What panics print is removed from standard error, as they are answered.
    """
    start = printed()
    try:
        yield
    except errors as error:
        forget_panics(start)
        raise Unreadable(message, reason="damaged") from error
    except BaseException as error:
        # Panics are of a class that can't be imported and is no Exception.
        if type(error).__module__ != "pyo3_runtime":
            raise
        forget_panics(start)
        raise Unreadable(message, reason="damaged") from error


def printed() -> int:
    """Return the bytes on standard error so far; -1 where it is no file of this process alone, as a log is not."""
    try:
        status = os.fstat(_STDERR)
    except OSError:
        return -1
    return status.st_size if stat.S_ISREG(status.st_mode) and not status.st_nlink else -1


def forget_panics(start: int) -> None:
    """Remove the messages of panics from standard error, from an offset that `printed` gave on."""
    if not 0 <= start < printed() <= start + _MOST:
        return
    text = os.pread(_STDERR, _MOST, start)
    kept = _without_panics(text)
    if kept != text:
        os.pwrite(_STDERR, kept, start)
        os.ftruncate(_STDERR, start + len(kept))
        os.lseek(_STDERR, start + len(kept), os.SEEK_SET)


def _without_panics(text: bytes) -> bytes:
    kept: list[bytes] = []
    in_panic = is_message = False
    for line in text.splitlines(keepends=True):
        if _PANIC.match(line):
            in_panic = is_message = True
            if kept and kept[-1] == b"\n":
                kept.pop()
        elif is_message:
            is_message = False
        elif not (in_panic and line.startswith(_MORE)):
            in_panic = False
            kept.append(line)
    return b"".join(kept)
