"""Count the points of TrueType glyphs and the characters of a font, before they are read one by one."""

from __future__ import annotations

import struct
from typing import Any

from engine.toolkit.failures import OverLimit

_MOST_CHARACTERS = 5_000_000
"""The maximum characters of all tables together, of which 4.5 million take 4.7 s; a table may have 1.1 million."""
_SPARE_POINTS = 100_000
"""Points beyond one for each byte of the table: a real point takes one to five bytes, one on top of another none."""
_ALL, _LAST = 65_536, 0x10FFFF


def check(font: Any) -> None:
    """Raise OverLimit for a font that says in a few bytes that it has very many points or characters."""
    if "cmap" in font and _characters(font.reader["cmap"]) > _MOST_CHARACTERS:
        raise OverLimit("limit", "The font maps too many characters.")
    if "glyf" in font:
        table = font["glyf"]
        raw = [getattr(each, "data", b"") for each in table.glyphs.values()]  # empty ones have none
        if sum(map(_points, raw)) > sum(map(len, raw)) + _SPARE_POINTS:
            raise OverLimit("limit", "The font's glyphs are drawn with too many lines and curves.")


def _points(glyph: bytes) -> int:
    """The points of a simple glyph (OpenType, `glyf`): the number of its last one."""
    outlines = int.from_bytes(glyph[:2], "big", signed=True)
    last = glyph[8 + 2 * outlines : 10 + 2 * outlines]
    return int.from_bytes(last, "big") + 1 if outlines > 0 and last else 0


def _characters(table: bytes) -> int:
    """The characters of all subtables (OpenType, `cmap`), until they are too many.

    Subtables may overlap, so a range without characters counts as one: it takes as long to read.
    """
    count = int.from_bytes(table[2:4], "big")
    places = {int.from_bytes(table[at + 4 : at + 8], "big") for at in range(4, 4 + 8 * count, 8)}
    total = 0
    for place in places:
        total += _of_subtable(memoryview(table)[place:])
        if total > _MOST_CHARACTERS:
            break
    return total


def _of_subtable(table: memoryview) -> int:
    format = int.from_bytes(table[:2], "big")
    if format == 4:
        size = int.from_bytes(table[6:8], "big") & ~1
        ends, starts = table[14 : 14 + size], table[16 + size : 16 + 2 * size]
        whole = len(starts) & ~1
        pairs = zip(struct.iter_unpack(">H", starts[:whole]), struct.iter_unpack(">H", ends[:whole]), strict=True)
        return sum(max(1, end - start + 1) for (start,), (end,) in pairs)
    if format in (12, 13):
        groups = table[16 : 16 + 12 * int.from_bytes(table[12:16], "big")]
        whole = len(groups) // 12 * 12
        return sum(max(1, min(end, _LAST) - start + 1) for start, end, _ in struct.iter_unpack(">III", groups[:whole]))
    if format == 14:
        return _variants(table)
    return min(_ALL, len(table))


def _variants(table: memoryview) -> int:
    """The characters with variants: ranges of usual ones, and single ones; several selectors may share a list."""
    records = table[10 : 10 + 11 * int.from_bytes(table[6:10], "big")]
    whole = len(records) // 11 * 11
    total = whole // 11
    for usual, own in struct.iter_unpack(">3xII", records[:whole]):
        for place in filter(None, (usual, own)):
            total += int.from_bytes(table[place : place + 4], "big")
        if usual and total <= _MOST_CHARACTERS:
            ranges = int.from_bytes(table[usual : usual + 4], "big")
            total += sum(table[usual + 7 : usual + 4 + 4 * ranges : 4])
    return total
