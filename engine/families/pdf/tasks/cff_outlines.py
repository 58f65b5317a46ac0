"""Subset CFF fonts, dropping unused outlines and subroutines."""

from __future__ import annotations

import io

from fontTools.cffLib import CFFFontSet
from fontTools.cffLib.transforms import remove_unused_subroutines
from fontTools.misc.psCharStrings import T2CharString


class _Alone:
    """Stands in for the OpenType font that a CFF font expects around it."""

    recalcBBoxes = False
    cfg: dict[str, object] = {}


def opened(data: bytes) -> CFFFontSet:
    """The font in these bytes."""
    font = CFFFontSet()
    font.decompile(io.BytesIO(data), None)
    top = font[0]
    # The default, ISOAdobe, may be omitted (Adobe technical note 5176, table 9).
    top.rawDict.setdefault("charset", 0)
    # The library omits values that equal a default. That matters for a matrix: readers combine an explicit one with the
    # matrices of a font's parts, and use those alone if it is omitted.
    top.defaults = {name: value for name, value in top.defaults.items() if name != "FontMatrix"}
    return font


def without_outlines(font: CFFFontSet, kept: set[str]) -> bytes:
    """The font with the outlines outside `kept` emptied."""
    outlines = font[0].CharStrings
    for name in list(outlines.keys()):
        if name not in kept:
            old = outlines[name]
            outlines[name] = T2CharString(program=["endchar"], private=old.private, globalSubrs=old.globalSubrs)
    remove_unused_subroutines(font)
    out = io.BytesIO()
    font.compile(out, _Alone())
    return out.getvalue()
