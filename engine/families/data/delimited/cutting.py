"""Split UTF-8 delimited text at row ends: the header, then blocks of many rows."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from engine.families.data import whole_lines
from engine.families.data.exactness import Inexact

LARGEST = 1 << 24
"""Maximum bytes that are read beyond a block to find the end of its last row."""
_MARK = b"\xef\xbb\xbf"


Cuts = Generator[bytes, bool | None, None]


def cut(source: Path, encoding: str, *, header: bool, size: int, hopeful: bool = False) -> Cuts:
    """Yield the first row alone, if it is a `header`, then blocks of about `size` bytes, all in UTF-8.

    A row ends at a line break with an even number of quotes before it. A `hopeful` cut is at any line break, and
    parsing the block has to prove it: send False to get the block again with the rest of its last row. Raises Inexact
    for a very long row, and for bytes that don't fit the encoding.
    """
    with _in_utf_8(source, encoding) as file:
        try:
            if header:
                yield _to_the_end_of_a_row(file, file.readline(LARGEST))
            while data := _lines(file, size):
                if hopeful:
                    _check_end(file, data)
                    if (yield data) is not False:
                        continue
                yield _to_the_end_of_a_row(file, data)
        except UnicodeError:
            raise Inexact from None


def _lines(file: BinaryIO | _Recoded, size: int) -> bytes:
    if not isinstance(file, _Recoded):
        return whole_lines.read(file, size, longest=LARGEST)
    data = file.read(size)
    return data if data.endswith(b"\n") else data + file.readline(LARGEST)


def _to_the_end_of_a_row(file: BinaryIO | _Recoded, data: bytes) -> bytes:
    """Return lines with the rest of the row in which they end."""
    if data.count(b'"') % 2:
        further, size, inside = [data], 0, True
        while inside and (line := file.readline(LARGEST)):
            size += len(line)
            if size >= LARGEST:
                raise Inexact
            further.append(line)
            inside = line.count(b'"') % 2 == 0
        data = b"".join(further)
    _check_end(file, data)
    return data


def _check_end(file: BinaryIO | _Recoded, data: bytes) -> None:
    if not data.endswith(b"\n") and file.read(1):
        raise Inexact


@contextmanager
def _in_utf_8(source: Path, encoding: str) -> Iterator[BinaryIO | _Recoded]:
    if encoding in ("utf-8", "utf-8-sig"):
        with source.open("rb") as file:
            file.seek(len(_MARK) if encoding == "utf-8-sig" else 0)
            yield file
    else:
        with source.open(encoding=encoding, newline="\n") as text:
            yield _Recoded(text)


class _Recoded:
    """A text file that is read as UTF-8 bytes."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def read(self, size: int) -> bytes:
        return self._file.read(size).encode()

    def readline(self, size: int) -> bytes:
        return self._file.readline(size).encode()
