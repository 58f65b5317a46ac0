"""Read drawn tick boxes as characters, empty or ticked."""

from __future__ import annotations

from collections.abc import Sequence

from engine.families.pdf.page.glyphs import Glyph
from engine.families.pdf.page.view import Box

EMPTY, TICKED = "\u2610", "\u2612"
_FARTHEST = 1.6
"""Times the text size: the maximum distance of a label from its box."""

_MOST = 200
"""The maximum boxes on a page: more are squared paper."""

_TOUCHING = 1.5
"""Points: boxes this close are fields for single characters of a word."""


def with_tick_boxes(glyphs: list[Glyph], squares: Sequence[Box], marks: Sequence[Box]) -> tuple[list[Glyph], list[Box]]:
    """The glyphs with labelled boxes among `squares` added as characters, and these boxes; `marks` are ticks.

    A box with a glyph inside is left alone: the glyph shows its state.
    """
    if not squares or len(squares) > _MOST:
        return glyphs, []
    before: dict[int, list[Glyph]] = {}
    after: dict[int, list[Glyph]] = {}
    found = []
    for box in dict.fromkeys(squares):
        if any(_touch(box, other) for other in squares if other != box) or _has_letter(box, glyphs):
            continue
        beside = _label(box, glyphs)
        if beside is None:
            continue
        at, to_the_right = beside
        text = TICKED if any(is_inside(mark, box) for mark in marks) else EMPTY
        letter = glyphs[at]._replace(text=text, x0=box[0], x1=box[2], spaced=True)
        (before if to_the_right else after).setdefault(at, []).append(letter)
        found.append(box)
    if not found:
        return glyphs, []
    whole: list[Glyph] = []
    for at, glyph in enumerate(glyphs):
        whole += before.get(at, ())
        whole.append(glyph._replace(spaced=True) if at in before or at - 1 in after else glyph)
        whole += after.get(at, ())
    return whole, found


def _touch(one: Box, other: Box) -> bool:
    apart = max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3])
    return apart <= _TOUCHING


def is_inside(mark: Box, box: Box) -> bool:
    """Whether the centre of a mark is inside a box."""
    across, down = (mark[0] + mark[2]) / 2, (mark[1] + mark[3]) / 2
    return box[0] < across < box[2] and box[1] < down < box[3]


def _has_letter(box: Box, glyphs: list[Glyph]) -> bool:
    return any(
        box[0] < (each.x0 + each.x1) / 2 < box[2] and box[1] < each.base - 0.3 * each.style.size < box[3]
        for each in glyphs
        if not each.style.turn
    )


def _label(box: Box, glyphs: list[Glyph]) -> tuple[int, bool] | None:
    """The index of the glyph beside a box, and whether it is to the right, where labels are looked for first."""
    right: tuple[float, int] | None = None
    left: tuple[float, int] | None = None
    middle = (box[1] + box[3]) / 2
    for at, each in enumerate(glyphs):
        size = each.style.size
        if each.style.turn or abs(each.base - 0.35 * size - middle) > 0.6 * size:
            continue
        gap = each.x0 - box[2]
        if -1 < gap < _FARTHEST * size and (right is None or gap < right[0]):
            right = gap, at
        gap = box[0] - each.x1
        if -1 < gap < _FARTHEST * size and (left is None or gap < left[0]):
            left = gap, at
    if right is not None:
        return right[1], True
    return None if left is None else (left[1], False)
