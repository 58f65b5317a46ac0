"""Delimited text in UTF-8, cut where a row ends: first the header, then blocks of many rows."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from conversions.families.data import whole_lines

LARGEST = 1 << 24
"""Bytes that may follow on a block until its last row ends."""
_MARK = b"\xef\xbb\xbf"


class Inexact(Exception):
    """Text that has to be read row by row."""


Cuts = Generator[bytes, bool | None, None]


def cut(source: Path, encoding: str, *, header: bool, size: int, hopeful: bool = False) -> Cuts:
    """The first row alone, if it is a `header`, then blocks of about `size` bytes.

    A row ends at a line break with an even number of quotes before it. A `hopeful` cut is any line break, which has to
    be proven by what is made of the block: send False for one that is not, to get it with the rest of its last row.
    Raises Inexact for a row that is very long, and for bytes that are none of the encoding.
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
    """Lines with what follows on them in the row that they end in."""
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
    """A text file, read as if it were in UTF-8."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def read(self, size: int) -> bytes:
        return self._file.read(size).encode()

    def readline(self, size: int) -> bytes:
        return self._file.readline(size).encode()
