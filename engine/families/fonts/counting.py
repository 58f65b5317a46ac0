"""Count the contents of font tables in TrueType, OpenType, WOFF and WOFF2 (OpenType 1.9, WOFF 1.0 and 2.0)."""

from __future__ import annotations

import itertools
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import brotli

from engine.families.fonts import drawn_glyphs
from engine.toolkit.census import Census

_KNOWN = (
    "cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT "
    "VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar "
    "fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill"
)
_TAGS = tuple(_KNOWN[at : at + 4].encode() for at in range(0, len(_KNOWN), 5))
"""The table tags that WOFF2 encodes as numbers."""
_UNICODE = frozenset({(0, each) for each in range(7)} | {(3, 1), (3, 10)})
_MOST_CHARACTERS = 4_000_000
"""Total of all character maps of a font, which may overlap."""
_LEAST_CURVE = 7
"""Bytes from which a CFF glyph draws something: an empty one has only a width and an end."""


@dataclass(frozen=True)
class _Table:
    data: bytes
    transformed: bool = False


Tables = dict[bytes, _Table]


def count(path: Path) -> Census:
    """Return the census of a font."""
    tables = _tables(path.read_bytes())
    census = Census()
    for kind, found in (
        ("glyphs", struct.unpack_from(">H", tables[b"maxp"].data, 4)[0]),
        ("outlines", _outlines(tables)),
        ("characters", len(_characters(tables[b"cmap"].data))),
        ("axes", struct.unpack_from(">H", tables[b"fvar"].data, 8)[0] if b"fvar" in tables else 0),
        ("coloured", _coloured(tables)),
    ):
        if found:
            census.add(kind, found)
    for table in (b"GSUB", b"GPOS"):
        if table in tables:
            for feature in _features(tables[table].data):
                census.add("layout", label=feature)
    return census


def _tables(data: bytes) -> Tables:
    if data[:4] == b"wOF2":
        return dict(_packed(data))
    found = {}
    if data[:4] == b"wOFF":
        for at in range(44, 44 + 20 * struct.unpack_from(">H", data, 12)[0], 20):
            tag, place, length, whole = struct.unpack_from(">4sIII", data, at)
            body = data[place : place + length]
            found[tag] = _Table(zlib.decompressobj().decompress(body, whole) if 0 < length < whole else body)
        return found
    for at in range(12, 12 + 16 * struct.unpack_from(">H", data, 4)[0], 16):
        tag, place, length = struct.unpack_from(">4s4xII", data, at)
        found[tag] = _Table(data[place : place + length])
    return found


def _packed(data: bytes) -> Iterator[tuple[bytes, _Table]]:
    """Yield the tables of a WOFF2 font; those of outlines are transformed."""
    (count,) = struct.unpack_from(">H", data, 12)
    (size,) = struct.unpack_from(">I", data, 20)
    at, rows = 48, []

    def number() -> int:
        nonlocal at
        value = 0
        for _ in range(5):
            byte = data[at]
            at += 1
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                break
        return value

    for _ in range(count):
        flags = data[at]
        at += 1
        if flags & 63 == 63:
            tag = data[at : at + 4]
            at += 4
        else:
            tag = _TAGS[flags & 63]
        length = number()
        changed = (flags >> 6 != 3) if tag in (b"glyf", b"loca") else flags >> 6 != 0
        rows.append((tag, number() if changed else length, changed))
    whole, place = brotli.decompress(data[at : at + size]), 0
    for tag, length, changed in rows:
        yield tag, _Table(whole[place : place + length], changed)
        place += length


def _characters(data: bytes) -> set[int]:
    """Return the Unicode characters that have a glyph."""
    found: set[int] = set()
    claimed = 0
    for at in range(4, 4 + 8 * struct.unpack_from(">H", data, 2)[0], 8):
        platform, encoding, place = struct.unpack_from(">HHI", data, at)
        if (platform, encoding) in _UNICODE:
            table = data[place:]
            (format,) = struct.unpack_from(">H", table)
            if format == 4:
                found.update(_segments(table))
            elif format == 6:
                first, count = struct.unpack_from(">HH", table, 6)
                glyphs = struct.unpack_from(f">{count}H", table, 10)
                found.update(first + number for number, glyph in enumerate(glyphs) if glyph)
            elif format in (12, 13):
                for group in range(struct.unpack_from(">I", table, 12)[0]):
                    start, end, glyph = struct.unpack_from(">III", table, 16 + 12 * group)
                    claimed += max(0, end - start)
                    if claimed > _MOST_CHARACTERS:
                        raise ValueError("more characters than there are")
                    found.update(range(start + (format == 12 and not glyph), min(end, 0x10FFFF) + 1))
    return found


def _segments(table: bytes) -> Iterator[int]:
    """Yield the characters of a character map of format 4."""
    (double,) = struct.unpack_from(">H", table, 6)
    count = double // 2
    ends = struct.unpack_from(f">{count}H", table, 14)
    starts, deltas, offsets = (struct.unpack_from(f">{count}H", table, 16 + double * each) for each in (1, 2, 3))
    for number, (start, end, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for code in range(start, min(end, 0xFFFE) + 1):
            if not offset:
                glyph = (code + delta) & 0xFFFF
            else:
                place = 16 + 3 * double + 2 * number + offset + 2 * (code - start)
                glyph = struct.unpack_from(">H", table, place)[0] if place + 2 <= len(table) else 0
            if glyph:
                yield code


def _features(data: bytes) -> set[str]:
    """Return the tags of layout features that have a lookup."""
    (at,) = struct.unpack_from(">H", data, 6)
    found = set()
    for row in range(at + 2, at + 2 + 6 * struct.unpack_from(">H", data, at)[0], 6):
        tag, place = struct.unpack_from(">4sH", data, row)
        if struct.unpack_from(">H", data, at + place + 2)[0]:
            found.add(tag.decode("latin-1"))
    return found


def _coloured(tables: Tables) -> int:
    """Return how many glyphs have colour layers, an SVG drawing or bitmaps."""
    found = 0
    if b"COLR" in tables:
        data = tables[b"COLR"].data
        version, found = struct.unpack_from(">HH", data)
        if version and (place := struct.unpack_from(">I", data, 14)[0]):
            found += struct.unpack_from(">I", data, place)[0]
    if b"SVG " in tables:
        data = tables[b"SVG "].data
        (place,) = struct.unpack_from(">I", data, 2)
        for row in range(struct.unpack_from(">H", data, place)[0]):
            first, last = struct.unpack_from(">HH", data, place + 2 + 12 * row)
            found += last - first + 1
    for each in (b"sbix", b"CBDT"):
        found += len(tables[each].data) > 4 if each in tables else 0
    return found


def _outlines(tables: Tables) -> int:
    """Return how many glyphs draw something."""
    if b"CFF " in tables:
        return sum(each >= _LEAST_CURVE for each in _strings(tables[b"CFF "].data))
    if b"glyf" not in tables:
        return 0
    glyphs = tables[b"glyf"]
    if glyphs.transformed:
        return drawn_glyphs.transformed(glyphs.data)
    places = tables[b"loca"].data
    wide = struct.unpack_from(">h", tables[b"head"].data, 50)[0]
    starts = (
        struct.unpack(f">{len(places) // 4}I", places[: len(places) // 4 * 4])
        if wide
        else struct.unpack(f">{len(places) // 2}H", places[: len(places) // 2 * 2])
    )
    scale = 1 if wide else 2
    return drawn_glyphs.plain(glyphs.data, [scale * each for each in starts])


def _strings(data: bytes) -> list[int]:
    """Return the lengths of the charstrings of a CFF table."""
    _, at = _index(data, data[2])
    tops, _ = _index(data, at)
    place, at = 0, tops[0][0]
    numbers: list[int] = []
    while at < tops[0][1]:
        byte = data[at]
        if byte == 17 and numbers:
            place = numbers[-1]
        if byte <= 21:
            numbers, at = [], at + (2 if byte == 12 else 1)
        elif byte == 28:
            numbers.append(struct.unpack_from(">h", data, at + 1)[0])
            at += 3
        elif byte == 29:
            numbers.append(struct.unpack_from(">i", data, at + 1)[0])
            at += 5
        elif byte == 30:
            at += 1
            while data[at] & 15 != 15:
                at += 1
            at += 1
        elif byte < 247:
            numbers.append(byte - 139)
            at += 1
        else:
            numbers.append(
                (byte - 247) * 256 + data[at + 1] + 108 if byte < 251 else -(byte - 251) * 256 - data[at + 1] - 108
            )
            at += 2
    return [end - start for start, end in _index(data, place)[0]] if place else []


def _index(data: bytes, at: int) -> tuple[list[tuple[int, int]], int]:
    """Return the begin and end of each entry of an INDEX, and the offset after it."""
    (count,) = struct.unpack_from(">H", data, at)
    if not count:
        return [], at + 2
    size = data[at + 2]
    base = at + 2 + (count + 1) * size
    places = [
        int.from_bytes(data[row : row + size], "big") + base for row in range(at + 3, at + 3 + (count + 1) * size, size)
    ]
    return list(itertools.pairwise(places)), places[-1]
