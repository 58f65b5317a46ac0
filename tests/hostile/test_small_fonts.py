"""Small fonts that unpack, draw or refer to very much are refused in time, and real ones are not."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

import brotli
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from tests.hostile.costs import Meter
from tests.hostile.test_small_inputs import refused

SECONDS = 5
_FONTS = Path(__file__).resolve().parents[2] / "engine" / "fonts"
_ON, _SAME_X, _SAME_Y, _AGAIN = 0x01, 0x10, 0x20, 0x08
"""Flags of a point: on the curve, where the last one is, and repeated as often as the next byte says."""


def _tables(glyphs: int = 2) -> dict[str, bytes]:
    """The tables of a font whose glyphs are all the same triangle."""
    names = [".notdef", *(f"g{number}" for number in range(1, glyphs))]
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({65: "g1"})
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    pen.lineTo((500, 0))
    pen.lineTo((0, 500))
    pen.closePath()
    builder.setupGlyf(dict.fromkeys(names, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "x", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost(keepGlyphNames=False)
    out = io.BytesIO()
    builder.save(out)
    with TTFont(io.BytesIO(out.getvalue())) as font:
        return {str(tag): font.reader[tag] for tag in font.reader.tables}


def _plain(tables: Mapping[str, bytes]) -> bytes:
    directory, body = b"", b""
    for name, data in sorted(tables.items()):
        place = 12 + 16 * len(tables) + len(body)
        directory += name.encode().ljust(4) + struct.pack(">III", 0, place, len(data))
        body += data + bytes(-len(data) % 4)
    return struct.pack(">IHHHH", 0x10000, len(tables), 16, 0, 0) + directory + body


def _woff(tables: Mapping[str, bytes], *, claimed: int = 1_000) -> bytes:
    """The tables as WOFF, whose header says that they have `claimed` bytes."""
    directory, body = b"", b""
    for name, data in sorted(tables.items()):
        smaller = zlib.compress(data, 9)
        packed = smaller if len(smaller) < len(data) else data
        place = 44 + 20 * len(tables) + len(body)
        directory += name.encode().ljust(4) + struct.pack(">IIII", place, len(packed), len(data), 0)
        body += packed + bytes(-len(packed) % 4)
    size = 44 + len(directory) + len(body)
    return b"wOFF" + struct.pack(">IIHHI20x", 0x10000, size, len(tables), 0, claimed) + bytes(4) + directory + body


def _base_128(number: int) -> bytes:
    digits = [number & 127]
    while number := number >> 7:
        digits.insert(0, number & 127 | 128)
    return bytes(digits)


def _woff2(tables: Mapping[str, bytes], *, claimed: int = 1_000) -> bytes:
    directory = b""
    for name, data in tables.items():
        untouched = 0xC0 if name in ("glyf", "loca") else 0
        directory += bytes([63 | untouched]) + name.encode().ljust(4) + _base_128(len(data))
    packed = brotli.compress(b"".join(tables.values()), quality=5)
    size = 48 + len(directory) + len(packed)
    padding = bytes(-size % 4)
    head = struct.pack(">IIHHII24x", 0x10000, size + len(padding), len(tables), 0, claimed, len(packed))
    return b"".join((b"wOF2", head, directory, packed, padding))


def _crowded(glyphs: int) -> dict[str, bytes]:
    """The tables of a font whose glyphs have 60,000 points each, all in one place."""
    tables = _tables(glyphs)
    count, flags = 60_000, b""
    for at in range(0, count, 256):
        flags += bytes([_ON | _SAME_X | _SAME_Y | _AGAIN, min(256, count - at) - 1])
    glyph = struct.pack(">hhhhhHH", 1, 0, 0, 500, 500, count - 1, 0) + flags
    glyph += bytes(-len(glyph) % 4)
    tables["glyf"] = glyph * glyphs
    tables["loca"] = b"".join(struct.pack(">I", at * len(glyph)) for at in range(glyphs + 1))
    tables["head"] = tables["head"][:50] + b"\0\1" + tables["head"][52:]  # offsets of four bytes
    return tables


def _mapped(count: int, subtable: bytes) -> bytes:
    """A font that maps its characters by copies of a subtable."""
    records = b"".join(struct.pack(">HHI", 3, 10, 4 + 8 * count + at * len(subtable)) for at in range(count))
    return _plain({**_tables(), "cmap": struct.pack(">HH", 0, count) + records + subtable * count})


_EVERY = struct.pack(">HHIIIIII", 12, 0, 28, 0, 1, 32, 0x10FFFF, 1)
_BASIC = struct.pack(">HHHHHHHHHHHHHHHH", 4, 32, 0, 4, 4, 1, 0, 0xFFFE, 0xFFFF, 0, 1, 0xFFFF, 1, 1, 0, 0)


def _overlapping(count: int) -> bytes:
    """A font whose subtables each contain all that follow, as ranges that end before they start."""
    records = b"".join(struct.pack(">HHI", 3, 10, 4 + 8 * count + 24 * at) for at in range(count))
    subtable = struct.pack(">HHIIIII", 12, 0, 9, 0, 2 * count, 5, 4)
    return _plain({**_tables(), "cmap": struct.pack(">HH", 0, count) + records + subtable * count})


def _variants() -> bytes:
    """A subtable in which many selectors share one list of ranges."""
    shared = 10 + 11 * 900
    records = b"".join(struct.pack(">I", 0xE0100 + at)[1:] + struct.pack(">II", shared, 0) for at in range(900))
    ranges = b"".join(struct.pack(">I", at << 8 | 255) for at in range(256, 2_256))
    return struct.pack(">HII", 14, shared + 4 + len(ranges), 900) + records + struct.pack(">I", 2_000) + ranges


def _substituting(*, subtables: int, glyphs: int) -> bytes:
    """A font with one substitution whose subtables are all the same one, for all glyphs."""
    one = struct.pack(">HHh", 1, 6, 1) + struct.pack(">HHHHH", 2, 1, 0, glyphs - 1, 0)
    lookup = struct.pack(">HHH", 1, 0, subtables) + struct.pack(">H", 6 + 2 * subtables) * subtables + one
    lookups = struct.pack(">HH", 1, 4) + lookup
    features = struct.pack(">H", 1) + b"liga" + struct.pack(">HHHH", 8, 0, 1, 0)
    scripts = struct.pack(">H", 1) + b"DFLT" + struct.pack(">HHHHHHH", 8, 4, 0, 0, 0xFFFF, 1, 0)
    places = 10, 10 + len(scripts), 10 + len(scripts) + len(features)
    return _woff({**_tables(glyphs), "GSUB": struct.pack(">IHHH", 0x10000, *places) + scripts + features + lookups})


@pytest.mark.parametrize("slug", ["woff-to-woff2", "woff-to-otf"])
def test_tables_of_woff_are_counted_whatever_the_header_says(measured: Meter, slug: str) -> None:
    refused(measured, slug, _woff({**_tables(), "JUNK": bytes(15_000_000)}))


@pytest.mark.parametrize("slug", ["woff2-to-woff2", "woff2-to-ttf"])
def test_tables_of_woff2_are_counted_whatever_the_header_says(measured: Meter, slug: str) -> None:
    refused(measured, slug, _woff2({**_tables(), "JUNK": bytes(150_000_000)}), "memory")


def test_a_font_without_shapes_that_packs_very_well_is_converted(measured: Meter) -> None:
    cost = measured.cost("woff-to-ttf", _woff({**_tables(), "JUNK": bytes(1_000_000)}), most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize("slug", ["ttf-to-otf", "ttf-to-png", "ttf-to-pdf", "ttf-to-woff2"])
def test_points_in_one_place_are_counted(measured: Meter, slug: str) -> None:
    refused(measured, slug, _plain(_crowded(150)))


@pytest.mark.parametrize(
    "font",
    [_mapped(500, _EVERY), _mapped(500, _BASIC), _mapped(1, _variants()), _overlapping(20_000)],
    ids=["of all planes", "of the first plane", "with variants", "without characters"],
)
def test_characters_of_ranges_are_counted(measured: Meter, font: bytes) -> None:
    refused(measured, "ttf-to-woff", font)


def test_substitutions_that_share_their_parts_are_stopped(measured: Meter) -> None:
    font = _substituting(subtables=20_000, glyphs=8_000)
    cost = measured.cost("woff-to-ttf", font, {"subset": "A"}, most=2 * SECONDS)
    assert (cost.end, cost.reason) == ("refused", "timeout"), cost


@pytest.mark.parametrize("name", ["droid/DroidSansFallback.ttf", "symbola/Symbola.ttf"])
def test_large_fonts_are_cut(measured: Meter, name: str) -> None:
    font = (_FONTS / name).read_bytes()
    cost = measured.cost("ttf-to-ttf", font, {"ranges": "20-FFFF"}, most=3 * SECONDS)
    assert cost.end == "written", cost
