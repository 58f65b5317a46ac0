"""Strays: letters that come after their line in a page's text, as scripts do, or where it is printed twice in part."""

from __future__ import annotations

from collections.abc import Sequence

from conversions.families.pdf.page.glyphs import SLANTED, Glyph

_TOUCHING = 0.12
"""Times the size: how far a letter is at most from the one that it follows, and how far it may reach over the next."""

_ON = 0.02
"""Times the size: how far letters of one line are off it."""

_FARTHEST = 48
"""Letters of a line among which the place of one is looked for."""

_SMALLER, _LEAST_OFF, _RAISED, _LOWERED = 0.86, 0.1, 0.55, 0.35
"""Times the size of a line's letters: how large scripts on it are at most, and how far off it, upwards and down."""

_FAR, _MOST = 200, 500
"""Letters among which the one is looked for that a script is on, and scripts that come before theirs on a page."""

_NEAREST = 4.0
"""Points: what ends farther from where a script begins has it not, however large it is."""

_FROM_RIGHT = "\u0590"
"""From this letter on texts may run to the left."""


def put_back(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The letters of a page, those out of the order of their line put where they touch another one of it."""
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
            glyph = glyph._replace(spaced=False)  # what came between was put back
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
    """The letters with those scripts put on theirs that come before them."""
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
    """Whether a letter is not where the text went on."""
    size = before.style.size
    return not (abs(glyph.base - before.base) < size and -0.5 * size < glyph.x0 - before.x1 < size)


def _touches(before: Glyph, glyph: Glyph) -> bool:
    near = _TOUCHING * glyph.style.size
    off = abs(before.base - glyph.base)
    return before.style is glyph.style and off < _ON * glyph.style.size and abs(glyph.x0 - before.x1) < near


def _continued(found: list[Glyph], end: int, glyph: Glyph) -> int:
    """The place after a script that was put back, where a letter is the next one of it; 0 where it is not."""
    return end if end and _touches(found[end - 1], glyph) else 0


def _script_place(found: list[Glyph], glyph: Glyph, start: int, step: int) -> int:
    """Between which two letters from `start` on a script stands, by the number of the second; 0 where nowhere."""
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
