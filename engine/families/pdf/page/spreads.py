"""Tell two pages printed side by side from one wide page, so that each is read for itself."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from engine.families.pdf.page.pieces import Picture
from engine.families.pdf.page.segments import Segment
from engine.families.pdf.page.tables import Table

_WIDE = 1.2
"""Times the height: the minimum width of a spread. Two A4 pages are 1.41, two square pages 2."""

_MARGIN = 0.12
"""The share of the page's height at its top and bottom that has page numbers."""

_BLANK = 6.0
"""Points: how far a text may reach over the middle, as with a blank before it or a letter's edge."""

_FIRST = re.compile(r"(\d{1,4})(?!\d)(?:\s|$)")
_LAST = re.compile(r"(?:^|\s)(\d{1,4})$")

Half = tuple[list[Segment], list[Table | Picture]]


def halves(segments: Sequence[Segment], others: Sequence[Table | Picture], width: float, height: float) -> list[Half]:
    """The texts and other pieces of each page of a spread, or all of them if the page is none.

    A spread has a page number at its left edge, the next number at its right edge, and nothing across its middle.
    """
    middle = width / 2
    edges = [(each.x0, each.x1) for each in segments] + [(each.box[0], each.box[2]) for each in others]
    if (
        width < _WIDE * height
        or any(x0 < middle - _BLANK and x1 > middle + _BLANK for x0, x1 in edges)
        or not _numbered(segments, height)
    ):
        return [([*segments], [*others])]
    return [
        (
            [each for each in segments if (each.x0 + each.x1 < width) == left],
            [each for each in others if (each.box[0] + each.box[2] < width) == left],
        )
        for left in (True, False)
    ]


def _numbered(segments: Sequence[Segment], height: float) -> bool:
    """Whether a line of the top or bottom margin begins with a page number and ends with the next one."""
    within = [each for each in segments if not _MARGIN * height < each.base < (1 - _MARGIN) * height]
    within.sort(key=lambda each: each.base)
    bases = [each.base for each in within]
    lefts = _least([(each.x0, at) for at, each in enumerate(within)])
    rights = _least([(-each.x0, -at) for at, each in enumerate(within)])
    numbers = [(_number(_FIRST.match(each.text.strip())), _number(_LAST.search(each.text.strip()))) for each in within]
    for each in within:
        begin = bisect_left(bases, each.base - 0.5 * each.size)
        end = max(bisect_right(bases, each.base + 0.5 * each.size), begin + 1)
        row = (end - begin).bit_length() - 1
        left = min(lefts[row][begin], lefts[row][end - (1 << row)])[1]
        right = -min(rights[row][begin], rights[row][end - (1 << row)])[1]
        first, last = numbers[left][0], numbers[right][1]
        if first is not None and last == first + 1:
            return True
    return False


def _least(places: list[tuple[float, int]]) -> list[list[tuple[float, int]]]:
    """The least of every 1, 2, 4, 8 and so on neighbours, so that a line's edges are found without all its texts."""
    rows = [places]
    while (step := 1 << (len(rows) - 1)) * 2 <= len(places):
        before = rows[-1]
        rows.append([min(pair) for pair in zip(before[:-step], before[step:], strict=True)])
    return rows


def _number(found: re.Match[str] | None) -> int | None:
    return None if found is None else int(found[1])
