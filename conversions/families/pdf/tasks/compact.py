"""CFF fonts without the outlines that are not shown, and without what only those were made of."""

from __future__ import annotations

import io

from fontTools.cffLib import CFFFontSet
from fontTools.cffLib.transforms import remove_unused_subroutines
from fontTools.misc.psCharStrings import T2CharString


class _Alone:
    """What a CFF font asks the font file around it, where there is none."""

    recalcBBoxes = False
    cfg: dict[str, object] = {}


def opened(data: bytes) -> CFFFontSet:
    """The font in these bytes."""
    font = CFFFontSet()
    font.decompile(io.BytesIO(data), None)
    font[0].rawDict.setdefault("charset", 0)  # ISOAdobe, which need not be said (Adobe technical note 5176, table 9)
    return font


def without_outlines(font: CFFFontSet, kept: set[str]) -> bytes:
    """The font with empty outlines in place of those whose names are not `kept`."""
    outlines = font[0].CharStrings
    for name in list(outlines.keys()):
        if name not in kept:
            old = outlines[name]
            outlines[name] = T2CharString(program=["endchar"], private=old.private, globalSubrs=old.globalSubrs)
    remove_unused_subroutines(font)
    out = io.BytesIO()
    font.compile(out, _Alone())
    return out.getvalue()
