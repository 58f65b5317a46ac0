"""Convert TrueType (quadratic) outlines to PostScript (cubic) and back."""

from __future__ import annotations

from typing import Any

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import newTable

from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_HINTS = ("cvt ", "fpgm", "prep", "hdmx", "VDMX", "LTSH", "gasp")
_ERROR = 1.0
"""The maximum deviation of a curve, in thousandths of the em."""

MOST_PARTS = 1_000_000
"""The maximum outlines, each component of a composite glyph counted; of 78 fonts none has more than 124,157, in 49,775
glyphs."""
_DEEPEST = 50
"""The maximum nesting of composite glyphs."""


def check_parts(font: Any) -> None:
    """Raise OverLimit for a TrueType font whose composite glyphs expand to too many outlines to draw."""
    if "glyf" not in font:
        return
    table = font["glyf"]
    sizes: dict[str, int] = {}

    def size(name: str, depth: int) -> int:
        if depth > _DEEPEST:
            return MOST_PARTS + 1
        if name not in sizes:
            sizes[name] = MOST_PARTS + 1  # in case it contains itself
            glyph = table[name]
            parts = glyph.components if glyph.isComposite() else ()
            sizes[name] = 1 + sum(size(each.glyphName, depth + 1) for each in parts)
        return sizes[name]

    if sum(size(each, 0) for each in font.getGlyphOrder()) > MOST_PARTS:
        raise OverLimit("limit", "The font's glyphs are composed of too many other glyphs.")


def to_quadratic(font: Any, warn: Warn) -> None:
    """Replace PostScript outlines by TrueType ones. Raises Unreadable for variable fonts."""
    if "CFF " not in font or "fvar" in font:
        raise Unreadable(
            "A variable font's outlines can't be converted to TrueType. Fix all of its axes first.",
            reason="unsupported_feature",
        )
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
    _report(warn, say("quadratic curves, accurate to a thousandth of the letter height"))


def to_cubic(font: Any, warn: Warn) -> None:
    """Replace TrueType outlines by PostScript ones. Raises Unreadable for variable fonts, and as check_parts()."""
    if "fvar" in font:
        raise Unreadable(
            "A variable font's outlines can't be converted to PostScript. Fix all of its axes first.",
            reason="unsupported_feature",
        )
    check_parts(font)
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
    _report(warn, say("cubic curves"))


def _report(warn: Warn, what: str) -> None:
    warn("VALUE_CONVERTED", say("The outlines became {what}, so hinting was lost.", what=what))
