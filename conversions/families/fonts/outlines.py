"""Outlines: the curves of TrueType (quadratic) as those of PostScript (cubic), and back."""

from __future__ import annotations

from typing import Any

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import newTable

from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

_HINTS = ("cvt ", "fpgm", "prep", "hdmx", "VDMX", "LTSH", "gasp")
_ERROR = 1.0
"""How far a curve may be from what it was, in thousandths of the letters' height."""


def to_quadratic(font: Any, warn: Warn) -> None:
    """Give a font with PostScript outlines those of TrueType. Raises Unreadable for variable ones."""
    if "CFF " not in font or "fvar" in font:
        raise Unreadable("Outlines of a variable OpenType font can't become TrueType's: fix all of its axes first.")
    glyphs, order = font.getGlyphSet(), font.getGlyphOrder()
    limit = _ERROR * font["head"].unitsPerEm / 1000
    table = newTable("glyf")
    table.glyphOrder, table.glyphs = order, {}
    for name in order:
        pen = TTGlyphPen(None)
        glyphs[name].draw(Cu2QuPen(pen, limit, reverse_direction=True))
        table.glyphs[name] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), table
    font["maxp"].tableVersion = 0x00010000
    for field in ("maxZones", "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs",
                  "maxStackElements", "maxSizeOfInstructions", "maxComponentElements", "maxPoints", "maxContours",
                  "maxCompositePoints", "maxCompositeContours", "maxComponentDepth"):  # fmt: skip
        setattr(font["maxp"], field, 1 if field == "maxZones" else 0)
    font["post"].formatType, font["post"].extraNames, font["post"].mapping = 2.0, [], {}
    font["post"].glyphOrder = order
    for each in ("CFF ", "VORG"):
        if each in font:
            del font[each]
    font.sfntVersion = "\x00\x01\x00\x00"
    _said(warn, "quadratic curves, at most a thousandth of the letters' height away")


def to_cubic(font: Any, warn: Warn) -> None:
    """Give a font with TrueType outlines those of PostScript. Raises Unreadable for variable ones."""
    if "fvar" in font:
        raise Unreadable("Outlines of a variable TrueType font can't become PostScript's: fix all of its axes first.")
    glyphs, order = font.getGlyphSet(), font.getGlyphOrder()
    strings = {}
    for name in order:
        pen = T2CharStringPen(glyphs[name].width, glyphs)
        glyphs[name].draw(pen)
        strings[name] = pen.getCharString()
    title = font["name"].getDebugName(6) or "Font"
    safe = "".join(each for each in title if (each.isascii() and each.isalnum()) or each in "-_")[:60] or "Font"
    for each in ("glyf", "loca", *_HINTS):
        if each in font:
            del font[each]
    font.sfntVersion = "OTTO"
    builder = FontBuilder(font=font)
    builder.setupCFF(safe, {"FullName": safe}, strings, {})
    font["maxp"].tableVersion = 0x00005000
    font["post"].formatType = 3.0
    _said(warn, "cubic curves")


def _said(warn: Warn, what: str) -> None:
    warn("VALUE_CONVERTED", f"The outlines became {what}; hints for small sizes could not be kept.")
