"""Read large blocks of whole lines without copying a block to complete its last line."""

from __future__ import annotations

from typing import BinaryIO


def read(file: BinaryIO, size: int, *, longest: int = -1) -> bytes:
    """At least `size` bytes up to a line end, with at most `longest` bytes of the last line; or all that is left."""
    start = file.tell()
    file.seek(start + size - 1)
    last = file.readline(longest)
    file.seek(start)
    return file.read(size - 1 + len(last)) if last else file.read()
