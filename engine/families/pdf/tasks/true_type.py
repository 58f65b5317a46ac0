"""Remove unused outlines from TrueType fonts."""

from __future__ import annotations

import io
import struct

from fontTools.ttLib import TTFont
from fontTools.ttLib.sfnt import SFNTWriter

_NEEDED = (
    "cmap",
    "cvt ",
    "fpgm",
    "glyf",
    "head",
    "hhea",
    "hmtx",
    "loca",
    "maxp",
    "OS/2",
    "post",
    "prep",
    "vhea",
    "vmtx",
    "CFF ",
)
"""The tables needed to show a font in a PDF (ISO 32000-1, 9.9)."""

_NAMING = ("cmap", "OS/2", "post")
"""The tables that are not needed if a PDF uses glyph indexes."""


def without_outlines(font: TTFont, kept: set[int], *, by_number: bool) -> bytes:
    """The font with the outlines of all glyphs but `kept` emptied, and only the tables needed to show it."""
    long = struct.unpack_from(">h", font.reader["head"], 50)[0] != 0  # as readers interpret it: some fonts have 256
    raw, outlines = font.reader["loca"], font.reader["glyf"]
    count = len(raw) // (4 if long else 2)
    ends = [
        end * (1 if long else 2)
        for end in struct.unpack(f">{count}{'I' if long else 'H'}", raw[: count * (4 if long else 2)])
    ]
    if ends[-2:] and ends[-1] < max(ends):
        ends[-1] = len(outlines)  # as readers treat an end before the beginning
    kept = _with_parts(outlines, ends, kept)
    parts, places, at = [], [0], 0
    for number in range(count - 1):
        if number in kept:
            part = outlines[ends[number] : ends[number + 1]]
            part += bytes(-len(part) % 4)
            parts.append(part)
            at += len(part)
        places.append(at)
    tables = {tag: font.reader[tag] for tag in font.reader.keys() if tag in _NEEDED}  # noqa: SIM118  # it is no mapping
    if by_number:
        for tag in _NAMING:
            tables.pop(tag, None)
    tables["hmtx"] = _widths(font.reader["hmtx"], struct.unpack_from(">H", font.reader["hhea"], 34)[0], kept)
    tables["glyf"] = b"".join(parts)
    tables["loca"] = (
        struct.pack(f">{count}I", *places) if long else struct.pack(f">{count}H", *(at // 2 for at in places))
    )
    out = io.BytesIO()
    writer = SFNTWriter(out, len(tables), font.sfntVersion)
    for tag in sorted(tables):
        writer[tag] = tables[tag]
    writer.close()
    return out.getvalue()


def _widths(table: bytes, count: int, kept: set[int]) -> bytes:
    """Zero, which compresses away, the widths of glyphs outside `kept`; the last applies to all that follow."""
    out = bytearray(len(table))
    for number in (*kept, count - 1):
        start, end = (
            (4 * number, 4 * number + 4) if number < count else (2 * (count + number), 2 * (count + number) + 2)
        )
        out[start:end] = table[start:end]
    return bytes(out)


def _with_parts(outlines: bytes, ends: list[int], kept: set[int]) -> set[int]:
    """`kept` with the components of composite glyphs."""
    found, waiting = set(), [number for number in kept if number < len(ends) - 1]
    while waiting:
        number = waiting.pop()
        if number in found or number >= len(ends) - 1:
            continue
        found.add(number)
        start, end = ends[number], ends[number + 1]
        if end - start < 10 or struct.unpack_from(">h", outlines, start)[0] >= 0:
            continue
        at, more = start + 10, True
        while more and at + 4 <= end:
            flags, part = struct.unpack_from(">HH", outlines, at)
            waiting.append(part)
            # OpenType, glyf: two words or two bytes, then one, two or four values of the matrix.
            at += 4 + (4 if flags & 1 else 2) + (2 if flags & 8 else 4 if flags & 0x40 else 8 if flags & 0x80 else 0)
            more = bool(flags & 0x20)
    return found
