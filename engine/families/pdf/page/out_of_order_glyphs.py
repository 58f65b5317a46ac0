"""Reattach glyphs that follow their line in content order: superscripts and partial overprints."""

from __future__ import annotations

from collections.abc import Sequence

from engine.families.pdf.page.glyphs import SLANTED, Glyph

_TOUCHING = 0.12
"""Times the text size: the maximum gap to the preceding glyph, and overlap with the next one."""

_ON = 0.02
"""Times the text size: the baseline tolerance within a line."""

_FARTHEST = 48
"""The maximum glyphs of a line that are searched for a place."""

_SMALLER, _LEAST_OFF, _RAISED, _LOWERED = 0.86, 0.1, 0.55, 0.35
"""Times the text size of a line: the maximum size of its scripts, and their offsets, upwards and down."""

_FAR, _MOST = 200, 500
"""The maximum glyphs searched for a script's base, and scripts that precede theirs on a page."""

_NEAREST = 4.0
"""Points: the maximum distance from a script's start to the end of its base, whatever its size."""

_FROM_RIGHT = "\u0590"
"""The first character of right-to-left scripts."""


def reattach(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs of a page, with those out of order moved to where they touch another one of their line."""
    found: list[Glyph] = []
    early: list[Glyph] = []
    end = 0
    for glyph in glyphs:
        if found and _jumps(found[-1], glyph):
            if at := _continued(found, end, glyph) or _script_place(found, glyph, len(found) - 1, -1):
                _insert(found, glyph, at)
                end = at + 1
                continue
            if len(early) < _MOST and glyph.style.size <= _SMALLER * found[-1].style.size:
                early.append(glyph)
        if end and _touches(found[-1], glyph):
            glyph = glyph._replace(spaced=False)  # what came between was moved back
        end = 0
        if found and glyph.x0 < found[-1].x0 and glyph.base == found[-1].base and (at := _place(found, glyph)):
            _insert(found, glyph, at)
        else:
            found.append(glyph)
    return _with_early(found, early)


def _insert(found: list[Glyph], glyph: Glyph, at: int) -> None:
    before, after = found[at - 1], found[at]
    touches = after.x0 - glyph.x1 < _TOUCHING * max(glyph.style.size, after.style.size)
    found[at] = after._replace(spaced=after.spaced and not touches)
    found.insert(at, glyph._replace(spaced=False, order=before.order))


def _with_early(found: list[Glyph], early: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs, with scripts that precede their base moved after it."""
    start = 0
    for glyph in early:
        try:
            start = found.index(glyph, start)
        except ValueError:
            continue
        at = _script_place(found, glyph, start + 2, 1)
        if at:
            _insert(found, glyph, at)
            del found[start]
            if start and _touches(found[start - 1], found[start]):
                found[start] = found[start]._replace(spaced=False)
    return found


def _jumps(before: Glyph, glyph: Glyph) -> bool:
    """Whether a glyph is not where the text continued."""
    size = before.style.size
    return not (abs(glyph.base - before.base) < size and -0.5 * size < glyph.x0 - before.x1 < size)


def _touches(before: Glyph, glyph: Glyph) -> bool:
    near = _TOUCHING * glyph.style.size
    off = abs(before.base - glyph.base)
    return before.style is glyph.style and off < _ON * glyph.style.size and abs(glyph.x0 - before.x1) < near


def _continued(found: list[Glyph], end: int, glyph: Glyph) -> int:
    """The index after a reattached script if a glyph continues it; 0 if not."""
    return end if end and _touches(found[end - 1], glyph) else 0


def _script_place(found: list[Glyph], glyph: Glyph, start: int, step: int) -> int:
    """The index at which a script belongs, searching from `start`; 0 if none."""
    style = glyph.style
    if style.turn == SLANTED or glyph.text >= _FROM_RIGHT:
        return 0
    first, last = (max(0, start - _FAR), start) if step < 0 else (start - 1, min(len(found), start + _FAR) - 1)
    x = glyph.x0
    for at in [first + at for at, before in enumerate(found[first:last], 1) if abs(before.x1 - x) < _NEAREST][::step]:
        before, after = found[at - 1], found[at]
        size = before.style.size
        if (
            abs(x - before.x1) < _TOUCHING * size
            and style.size <= _SMALLER * size
            and -_RAISED * size < glyph.base - before.base < _LOWERED * size
            and abs(glyph.base - before.base) > _LEAST_OFF * size
            and before.style.turn == style.turn
            and abs(after.base - before.base) < _ON * size
            and glyph.x1 < after.x0 + _TOUCHING * size
        ):
            return at
    return 0


def _place(found: list[Glyph], glyph: Glyph) -> int:
    """The index at which a glyph belongs; 0 if none."""
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
