"""Tell two pages printed side by side from one wide page, so that each is read for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
        or not any(_are_numbered(line) for line in _in_margins(segments, height))
    ):
        return [([*segments], [*others])]
    return [
        (
            [each for each in segments if (each.x0 + each.x1 < width) == left],
            [each for each in others if (each.box[0] + each.box[2] < width) == left],
        )
        for left in (True, False)
    ]


def _in_margins(segments: Sequence[Segment], height: float) -> Iterator[list[Segment]]:
    """The lines of the top and bottom margins, from left to right."""
    within = [each for each in segments if not _MARGIN * height < each.base < (1 - _MARGIN) * height]
    for first in within:
        yield sorted(
            (each for each in within if abs(each.base - first.base) <= 0.5 * first.size), key=lambda each: each.x0
        )


def _are_numbered(line: list[Segment]) -> bool:
    left, right = _FIRST.match(line[0].text.strip()), _LAST.search(line[-1].text.strip())
    return left is not None and right is not None and int(right[1]) == int(left[1]) + 1
