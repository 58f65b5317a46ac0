"""Register what is counted in fonts."""

from __future__ import annotations

from pathlib import Path

from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import OTF, TTF, WOFF, WOFF2


def _count(path: Path) -> Census:
    from engine.families.fonts import counting

    return counting.count(path)


_FONT = Counting(_count, frozenset({"glyphs", "outlines", "characters", "layout", "axes", "coloured"}))
COUNTINGS = {TTF: _FONT, OTF: _FONT, WOFF: _FONT, WOFF2: _FONT}
