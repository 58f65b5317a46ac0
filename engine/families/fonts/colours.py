"""Find the coloured and bitmap glyphs of a font, which specimens show only in part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fontTools.pens.boundsPen import ControlBoundsPen

from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Kind, Warn

_PLAIN = Kind("STYLE_DROPPED", "Coloured glyphs are shown in black: {count}{places}.")
_BLANK = Kind("GLYPH_MISSING", "Glyphs that only exist in colour or as pictures are not shown: {count}{places}.")
_PICTURES = ("sbix", "CBDT", "CBLC", "EBDT", "EBLC", "SVG ")
"""Tables without which a font is drawn by its outlines."""
_SIMPLE = 0
"""The COLR version that picture specimens support."""


def has_layers(font: Any) -> bool:
    """Return whether the font has colour layers that FreeType can draw."""
    return "COLR" in font and font["COLR"].version == _SIMPLE


def by_outlines(font: Any) -> None:
    """Drop tables that replace outlines. Raises Unreadable for a font without outlines."""
    if "glyf" not in font and "CFF " not in font and "CFF2" not in font:
        raise Unreadable(
            "The font consists of pictures. Only fonts with outlines can be shown.", reason="unsupported_feature"
        )
    for each in _PICTURES:
        if each in font:
            del font[each]


def report(font: Any, names: Iterable[str], warn: Warn, *, layers: bool) -> None:
    """Warn of the glyphs among `names` that are shown without colours, or not at all; `layers` means that colour layers
    are shown."""
    coloured = _coloured(font, layers)
    wanted = [each for each in dict.fromkeys(names) if each in coloured]
    glyphs = font.getGlyphSet()
    blank = []
    for each in wanted:
        pen = ControlBoundsPen(glyphs)
        glyphs[each].draw(pen)
        if pen.bounds is None:
            blank.append(each)
    warn.tally(_BLANK, len(blank), blank)
    warn.tally(_PLAIN, len(wanted) - len(blank), [each for each in wanted if each not in blank])


def _coloured(font: Any, layers: bool) -> set[str]:
    found: set[str] = set()
    order = font.getGlyphOrder()
    if "COLR" in font:
        colours = font["COLR"]
        if colours.version == _SIMPLE:
            found.update(() if layers else colours.ColorLayers)
        else:
            table = colours.table
            newer, older = table.BaseGlyphList, table.BaseGlyphRecordArray
            found.update(each.BaseGlyph for each in (newer.BaseGlyphPaintRecord if newer else ()))
            found.update(each.BaseGlyph for each in (older.BaseGlyphRecord if older else ()))
    if "SVG " in font:
        for document in font["SVG "].docList:
            found.update(order[document.startGlyphID : document.endGlyphID + 1])
    if "sbix" in font:
        for strike in font["sbix"].strikes.values():
            found.update(name for name, glyph in strike.glyphs.items() if glyph.imageData)
    if "CBDT" in font:
        for glyphs in font["CBDT"].strikeData:
            found.update(glyphs)
    return found
