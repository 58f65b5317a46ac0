"""Map combined Arabic marks, such as a shadda with its vowel, and emoji in drawings to the characters they stand for.

The engine writes U+FFFD for a glyph that no single character has (ISO 32000-1, 9.10.3). The glyph is identified by its
outline, which subsetting a font does not change.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Set
from io import BytesIO
from typing import Any

import pikepdf
import uharfbuzz
from fontTools.ttLib import TTFont

from engine.toolkit import emoji_font
from engine.toolkit.own_fonts import FONTS

_UNKNOWN = re.compile(rb"<([0-9a-fA-F]{4})> <(?i:fffd)>")
_LETTER, _SHADDA = "\u0628", "\u0651"
_VOWELS = "\u064b\u064c\u064d\u064e\u064f\u0650\u0670\u0652\u0653\u0654\u0655"

Outline = tuple[tuple[int, int], ...]


def name(pdf: pikepdf.Pdf, emoji: Set[str]) -> None:
    """Set in a PDF's ToUnicode maps the text of glyphs that are combined marks of a bundled font, or these emoji."""
    for font in pdf.objects:
        if not isinstance(font, pikepdf.Dictionary) or font.get("/Subtype") != "/Type0" or "/ToUnicode" not in font:
            continue
        data = font.ToUnicode.read_bytes()
        if not _UNKNOWN.search(data):
            continue
        face = str(font.BaseFont).rpartition("+")[2]
        if known := _of_emoji(emoji) if face == emoji_font.PATH.stem else _outlines(face):
            font.ToUnicode.write(_named(data, font, known))


def _named(data: bytes, font: Any, known: dict[Outline, str]) -> bytes:
    descriptor = font.DescendantFonts[0].FontDescriptor
    if "/FontFile2" not in descriptor:
        return data
    glyphs = _Glyphs(TTFont(BytesIO(descriptor.FontFile2.read_bytes()), lazy=True))

    def mapping(match: re.Match[bytes]) -> bytes:
        text = known.get(glyphs.outline(int(match[1], 16)))
        return match[0] if text is None else b"<%s> <%s>" % (match[1], text.encode("utf-16-be").hex().encode())

    return _UNKNOWN.sub(mapping, data)


class _Glyphs:
    """The outlines of a font by glyph index."""

    def __init__(self, font: TTFont) -> None:
        self._glyphs = font["glyf"]
        self._count = len(self._glyphs.glyphOrder)

    def outline(self, number: int) -> Outline:
        """The points of a glyph; none if it is missing or empty."""
        if number >= self._count:
            return ()
        glyph = self._glyphs[self._glyphs.glyphOrder[number]]
        return tuple(glyph.getCoordinates(self._glyphs)[0])


@functools.cache
def _outlines(face: str) -> dict[Outline, str]:
    """The combined marks of a bundled font with this PostScript name."""
    path = next((each for each in FONTS.rglob("*.ttf") if each.stem == face), None)
    if path is None:
        return {}
    shaper = uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path))))
    glyphs = _Glyphs(TTFont(path, lazy=True))
    found: dict[Outline, str] = {}
    shaped = _shaped(shaper, _LETTER)
    for vowel in _VOWELS:
        marks = [each for each in _shaped(shaper, f"{_LETTER}{_SHADDA}{vowel}") if each not in shaped]
        outline = glyphs.outline(marks[0]) if len(marks) == 1 else ()
        if outline:
            found[outline] = f"{_SHADDA}{vowel}"
    return found


def _of_emoji(emoji: Set[str]) -> dict[Outline, str]:
    glyphs = _Glyphs(TTFont(emoji_font.PATH, lazy=True))
    numbers = {each: emoji_font.glyph(each) for each in sorted(emoji)}
    return {glyphs.outline(number): each for each, number in numbers.items() if number is not None}


def _shaped(shaper: uharfbuzz.Font, text: str) -> list[int]:
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    uharfbuzz.shape(shaper, buffer)
    return [each.codepoint for each in buffer.glyph_infos]
