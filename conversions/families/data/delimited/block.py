"""Blocks of delimited text whose bytes prove what RFC 4180 makes of them, so that no cell has to be looked at.

Every row has as many cells as the header, quotes are around whole cells or doubled in such a cell, and lines end with a
line feed, alone or after a carriage return.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from operator import itemgetter

from conversions.families.data.delimited.cutting import Cuts, Inexact

SEAM = b"\xff"
"""Stands for what was in quotes; no UTF-8 has it."""
ESCAPED = bytes(range(32)) + b"\\"
"""What JSON has not as it is."""

first = itemgetter(slice(1))
_first_byte, _last_byte = itemgetter(0), itemgetter(-1)
_STEP = 1 << 16
_LONE_RETURN = re.compile(b"\r(?!\n)")


@dataclass(frozen=True, slots=True)
class Block:
    """Whole rows in UTF-8.

    `inside` is what of the `text` stands between quotes, `around` all the rest, with a SEAM for each of these, and
    `outside` the same in parts. Two seams in a row are a quote between two parts of one cell. `line_end` is that of all
    rows, or None where they have several or may have ESCAPED characters around the quotes.
    """

    text: bytes
    around: bytes
    outside: list[bytes]
    inside: list[bytes]
    rows: int
    line_end: bytes | None

    @property
    def ended(self) -> bool:
        """Whether there is a line break after the last row."""
        return self.text.endswith(b"\n")


def woven(outside: list[bytes], inside: list[bytes]) -> list[bytes]:
    """What stood around the quotes of a block and inside of them, in turns."""
    parts = [b""] * (len(outside) + len(inside))
    parts[::2] = outside
    parts[1::2] = inside
    return parts


def block(text: bytes, *, delimiter: bytes, width: int, sound: bool = False) -> Block:
    """The rows of a text, each of `width` cells; `sound` says that it is known to be UTF-8.

    Raises Inexact for anything that may mean something else.
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
    """Whether quotes stand only where a cell begins and where one ends, but for those with nothing between them."""
    if len(outside) == 1:
        return True
    between = list(filter(None, outside[1:-1]))
    return {*map(_first_byte, between), *outside[-1][:1]} <= {*b"\r\n", *delimiter} and {
        *map(_last_byte, between),
        *outside[0][-1:],
    } <= {*b"\n", *delimiter}


def _rows(marks: bytes, delimiter: bytes, width: int, *, ended: bool) -> tuple[int, bytes | None] | None:
    """How many rows of `width` cells these delimiters, line ends and others are of, and all rows' line end."""
    for end in (b"\r\n", b"\n"):
        whole, line = marks if ended else marks + end, delimiter * (width - 1) + end
        if whole == line * (rows := len(whole) // len(line)):
            return rows, end
    bare = whole.translate(None, _all_but(delimiter + b"\n"))
    rows = len(bare) // len(line)
    return (rows, None) if bare == line * rows else None


def _is_utf_8(text: bytes) -> bool:
    # A few bytes at a time: more memory at once takes longer to get than the text to look at.
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
    """The rows of all texts. Raises Inexact."""
    for text in texts:
        yield block(text, delimiter=delimiter, width=width, sound=sound)


def without_header(texts: Cuts, delimiter: bytes, width: int) -> Cuts:
    """All texts but the first, which is one row. Raises Inexact for one that is not."""
    if (first := next(texts, None)) is not None and block(first, delimiter=delimiter, width=width).rows != 1:
        raise Inexact
    yield from texts
