"""Strays: letters that come after their line in a page's text, as where it is printed twice and once in part."""

from __future__ import annotations

from collections.abc import Sequence

from conversions.families.pdf.page.glyphs import SLANTED, Glyph

_TOUCHING = 0.12
"""Times the size: how far a letter is at most from the one that it follows, and how far it may reach over the next."""

_ON = 0.02
"""Times the size: how far letters of one line are off it."""

_FARTHEST = 48
"""Letters of a line among which the place of one is looked for."""

_FROM_RIGHT = "\u0590"
"""From this letter on texts may run to the left."""


def put_back(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The letters of a page, those that step back on their line put where they touch another one of it."""
    found: list[Glyph] = []
    for glyph in glyphs:
        if found and glyph.x0 < found[-1].x0 and glyph.base == found[-1].base and (at := _place(found, glyph)):
            before, after = found[at - 1], found[at]
            touches = after.x0 - glyph.x1 < _TOUCHING * glyph.style.size
            found[at] = after._replace(spaced=after.spaced and not touches)
            found.insert(at, glyph._replace(spaced=False, order=before.order))
        else:
            found.append(glyph)
    return found


def _place(found: list[Glyph], glyph: Glyph) -> int:
    """Between which two letters it stands, by the number of the second; 0 where nowhere."""
    style, near = glyph.style, _TOUCHING * glyph.style.size
    if style.turn == SLANTED or glyph.text >= _FROM_RIGHT:
        return 0
    for at in range(len(found) - 1, max(0, len(found) - _FARTHEST), -1):
        before, after = found[at - 1], found[at]
        if abs(after.base - glyph.base) > _ON * style.size or abs(before.base - glyph.base) > _ON * style.size:
            return 0
        if before.style is style and abs(glyph.x0 - before.x1) < near and glyph.x1 < after.x0 + near:
            return at
    return 0
