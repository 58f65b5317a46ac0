"""The width of a text in the font that draws it: the operator's of that name, or the bundled one for its kind."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import combining, east_asian_width

import uharfbuzz

from engine.families.documents.word import css_classes
from engine.families.documents.word.properties import Properties
from engine.toolkit import font_twins, typefaces

_RAISED = 0.65
"""The size of subscripts and superscripts."""
_UNKNOWN = 0.6
"""The width of a character that the font does not have, in ems: another one draws it."""


def width(text: str, formatting: Properties) -> float:
    """The width of a text on one line, in points."""
    shown = text.upper() if formatting.get("caps") else text
    size = float(formatting.get("size", 10.0))
    if formatting.get("vertAlign") in ("superscript", "subscript"):
        size *= _RAISED
    font = str(formatting.get("font", css_classes.USUAL_FONT))
    bold, italic = bool(formatting.get("b")), bool(formatting.get("i"))
    ems = sum(_advance(each, font, bold, italic) for each in shown)
    return max(ems * size + len(shown) * float(formatting.get("spacing", 0.0)), 0.0)


@lru_cache(maxsize=20_000)
def _advance(letter: str, font: str, bold: bool, italic: bool) -> float:
    for family in (font, css_classes.generic(font)):
        face = _face(family, bold, italic)
        if glyph := face.get_nominal_glyph(ord(letter)):
            return float(face.get_glyph_h_advance(glyph) / face.scale[0])
    if combining(letter):
        return 0.0
    return 1.0 if east_asian_width(letter) in ("W", "F") else _UNKNOWN


@lru_cache(maxsize=100)
def _face(font: str, bold: bool, italic: bool) -> uharfbuzz.Font:
    own = typefaces.by_family().get(font_twins.plain(font), ())
    if own:
        best = max(own, key=lambda each: (each.bold == bold, each.italic == italic))
        return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(best.path)), best.index))
    path = font_twins.file(css_classes.bundled(font), bold=bold, italic=italic)
    return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(path)))
