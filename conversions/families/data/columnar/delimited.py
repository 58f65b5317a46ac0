"""Delimited text as frames, block by block, where a block is certain to mean to polars what it means to RFC 4180.

What polars would read otherwise than Python's csv, or in silence, is looked for in the bytes of each block.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

import polars

BLOCK = 1 << 22
_LARGEST = 1 << 24
"""Bytes that one row may have here."""
_MARK = b"\xef\xbb\xbf"
_CR, _LF = b"\r\n"


class Inexact(Exception):
    """A block that has to be read row by row."""


def frames(
    source: Path, *, encoding: str, delimiter: str, columns: list[str], header: bool, nulls: bool
) -> Iterator[polars.DataFrame]:
    """The rows after the header, all of their cells as text; with `nulls`, empty ones are null. Raises Inexact."""
    schema = dict.fromkeys(columns, polars.String)
    for block in _blocks(source, encoding):
        rows = _rows(block, delimiter.encode(), len(columns))
        try:
            frame = polars.read_csv(
                block, has_header=False, separator=delimiter, schema=schema, empty_string_is_null=nulls
            )
        except polars.exceptions.PolarsError:
            raise Inexact from None
        if frame.height != rows:
            raise Inexact
        if nulls and b'""' in block:
            # An empty cell in quotes is no null to polars.
            frame = frame.with_columns(polars.all().replace("", None))
        yield frame[1:] if header else frame
        header = False


def _blocks(source: Path, encoding: str) -> Iterator[bytes]:
    """The text in UTF-8, cut where a row ends: at a line break with an even number of quotes before it."""
    with _in_utf_8(source, encoding) as file:
        try:
            while data := file.read(BLOCK):
                parts = [data, file.readline(_LARGEST)]
                quotes = data.count(b'"') + parts[1].count(b'"') if b'"' in data else parts[1].count(b'"')
                size = len(parts[1])
                while quotes % 2 and (line := file.readline(_LARGEST)):
                    parts.append(line)
                    quotes += line.count(b'"')
                    size += len(line)
                    if size > _LARGEST:
                        raise Inexact
                yield b"".join(parts)
        except UnicodeError:
            raise Inexact from None


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


def _rows(block: bytes, delimiter: bytes, width: int) -> int:
    """How many rows a block has, each of `width` cells; raises Inexact where that, or the meaning of it, is not sure.

    A row with too many cells is left to polars to refuse, so that the number of all delimiters tells of one with too
    few. Quotes are around whole cells only, or doubled.
    """
    outside = _outside_of_quotes(block, delimiter) if b'"' in block else block
    breaks = outside.count(b"\n")
    rows = breaks + (not outside.endswith(b"\n"))
    if (
        outside.count(delimiter) != (width - 1) * rows
        or (b"\r" in outside and outside.count(b"\r") != outside.count(b"\r\n"))
        or block.startswith(_MARK)
        or (width == 1 and _has_empty_line(outside))
    ):
        raise Inexact
    return rows


def _outside_of_quotes(block: bytes, delimiter: bytes) -> bytes:
    """A block without what stands in quotes."""
    parts = block.split(b'"')
    before, after = {*delimiter, _LF}, {*delimiter, _LF, _CR}
    first, last, between = parts[0], parts[-1], parts[2:-1:2]
    if (
        len(parts) % 2 == 0
        or not all(not each or (each[0] in after and each[-1] in before) for each in between)
        or (first and first[-1] not in before)
        or (last and last[0] not in after)
    ):
        raise Inexact
    return b'"'.join(parts[::2])


def _has_empty_line(outside: bytes) -> bool:
    return outside.startswith((b"\n", b"\r\n")) or b"\n\n" in outside or b"\n\r\n" in outside
