"""Blocks of delimited text whose bytes alone prove how RFC 4180 splits them, without inspecting cells.

Every row has as many cells as the header, quotes enclose whole cells or are doubled inside one, and lines end with a
line feed, alone or after a carriage return.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from operator import itemgetter

from engine.families.data.delimited.cutting import Cuts
from engine.families.data.exactness import Inexact

SEAM = b"\xff"
"""Placeholder for a quoted part; the byte never occurs in UTF-8."""
ESCAPED = bytes(range(32)) + b"\\"
"""Characters that JSON has to escape."""
MANY_QUOTED = 1
"""Quoted parts per row."""

first = itemgetter(slice(1))
_first_byte, _last_byte = itemgetter(0), itemgetter(-1)
_STEP = 1 << 16
_LONE_RETURN = re.compile(b"\r(?!\n)")


@dataclass(frozen=True, slots=True)
class Block:
    """Whole rows in UTF-8.

    `inside` is the parts of `text` between quotes, `around` the rest with a SEAM for each of them, and `outside` the
    rest split at the seams. Two adjacent seams are a doubled quote inside a cell. `line_end` is that of all rows, or
    None where rows differ or ESCAPED characters may occur outside the quotes.
    """

    text: bytes
    around: bytes
    outside: list[bytes]
    inside: list[bytes]
    rows: int
    line_end: bytes | None

    @property
    def ended(self) -> bool:
        """Return whether the last row ends with a line break."""
        return self.text.endswith(b"\n")

    @property
    def is_mostly_quoted(self) -> bool:
        """Return whether so many cells are quoted that parsing every cell is faster than bytes alone."""
        return len(self.inside) > MANY_QUOTED * self.rows

    def cells(self, delimiter: bytes) -> list[list[str]]:
        """Return the rows, cell by cell."""
        return list(csv.reader(io.StringIO(self.text.decode(), newline=""), delimiter=delimiter.decode()))


def woven(outside: list[bytes], inside: list[bytes]) -> list[bytes]:
    """Interleave the parts outside and inside quotes."""
    parts = [b""] * (len(outside) + len(inside))
    parts[::2] = outside
    parts[1::2] = inside
    return parts


def block(text: bytes, *, delimiter: bytes, width: int, sound: bool = False) -> Block:
    """Return the rows of a text, each of `width` cells; `sound` means that the text is known to be UTF-8.

    Raises Inexact for any text that RFC 4180 may split otherwise.
    """
    parts = text.split(b'"')
    outside, inside = parts[::2], parts[1::2]
    around = SEAM.join(outside)
    marks = around.translate(None, _all_but(delimiter + ESCAPED))
    found = _rows(marks, delimiter, width, ended=text.endswith(b"\n"))
    if (
        found is None
        or len(outside) == len(inside)
        or not _are_around_cells(outside, delimiter)
        or (found[1] != b"\n" and _LONE_RETURN.search(around))
        or (width == 1 and _has_empty_line(around))
        or not (sound or _is_utf_8(text))
    ):
        raise Inexact
    return Block(text, around, outside, inside, found[0], found[1])


def _are_around_cells(outside: list[bytes], delimiter: bytes) -> bool:
    """Return whether quotes enclose whole cells only; a quote directly after another is a doubled one."""
    if len(outside) == 1:
        return True
    between = list(filter(None, outside[1:-1]))
    return {*map(_first_byte, between), *outside[-1][:1]} <= {*b"\r\n", *delimiter} and {
        *map(_last_byte, between),
        *outside[0][-1:],
    } <= {*b"\n", *delimiter}


def _rows(marks: bytes, delimiter: bytes, width: int, *, ended: bool) -> tuple[int, bytes | None] | None:
    """Return the row count and the common line end, if these marks form rows of `width` cells; else None."""
    for end in (b"\r\n", b"\n"):
        whole, line = marks if ended else marks + end, delimiter * (width - 1) + end
        if whole == line * (rows := len(whole) // len(line)):
            return rows, end
    bare = whole.translate(None, _all_but(delimiter + b"\n"))
    rows = len(bare) // len(line)
    return (rows, None) if bare == line * rows else None


def _is_utf_8(text: bytes) -> bool:
    # In small steps: allocating a large decoded text takes longer than decoding it.
    view, at = memoryview(text), 0
    try:
        while at < len(text):
            at += codecs.utf_8_decode(view[at : at + _STEP], "strict", at + _STEP >= len(text))[1]
    except UnicodeDecodeError:
        return False
    return True


def _has_empty_line(around: bytes) -> bool:
    return around.startswith((b"\n", b"\r\n")) or b"\n\n" in around or b"\n\r\n" in around


@cache
def _all_but(kept: bytes) -> bytes:
    return bytes(sorted({*range(256)} - {*kept}))


def blocks(texts: Iterator[bytes], *, delimiter: bytes, width: int, sound: bool = False) -> Iterator[Block]:
    """Yield the block of each text. Raises Inexact."""
    for text in texts:
        yield block(text, delimiter=delimiter, width=width, sound=sound)


def without_header(texts: Cuts, delimiter: bytes, width: int) -> Cuts:
    """Yield all texts but the first. Raises Inexact unless the first is a single row."""
    if (first := next(texts, None)) is not None and block(first, delimiter=delimiter, width=width).rows != 1:
        raise Inexact
    yield from texts
