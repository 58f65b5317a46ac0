"""Large blocks of whole lines out of a file, read at once: to add the end of a line to one copies all of it."""

from __future__ import annotations

from typing import BinaryIO


def read(file: BinaryIO, size: int, *, longest: int = -1) -> bytes:
    """At least `size` bytes with the rest of their last line, of which `longest` bytes at most; or all that is left."""
    start = file.tell()
    file.seek(start + size - 1)
    last = file.readline(longest)
    file.seek(start)
    return file.read(size - 1 + len(last)) if last else file.read()
