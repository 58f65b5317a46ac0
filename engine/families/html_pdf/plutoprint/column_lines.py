"""Find the lines of multi-column text, and the lines that start a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from engine.families.html_pdf.plutoprint.column_cuts import HEADINGS, is_whole
from engine.families.html_pdf.source.cleaning import Element

GAP = 12.0
"""Points between two columns if unknown."""
LESS = 1.0
"""Points by which a block is lower than its page, as a margin for rounding."""
_LINE = 3.0
"""The minimum distance of two lines in points; words of one line may have several sizes."""


@dataclass(frozen=True)
class Place:
    page: int
    left: float
    top: float


@dataclass(frozen=True)
class Line:
    """The start of a line, the distance to the next one, and the line's own height, in points."""

    name: str
    step: float
    height: float
    heads: bool
    """Whether it is a heading, which must not be separated from what follows."""


def lines_of(seen: list[tuple[Element, Place]], room: float) -> list[Line]:
    """The lines formed by the words of a single column, on pages with so much `room`."""
    begins: list[tuple[Element, Place]] = []
    for at, (element, place) in enumerate(seen):
        before = seen[at - 1][1] if at else place
        turned = place.page != before.page or place.left <= before.left + 1 or is_whole(element)
        if not begins or (turned and (place.page, place.top) > (begins[-1][1].page, begins[-1][1].top + _LINE)):
            begins.append((element, place))
    steps = [after.top - now.top if after.page == now.page else None for (_, now), (_, after) in pairwise(begins)]
    usual = median([each for each in steps if each is not None] or [GAP])
    lines = []
    for at, ((element, place), distance) in enumerate(zip(begins, [*steps, None], strict=True)):
        step = usual if distance is None else distance
        if distance is None and at + 1 < len(begins) and is_whole(element):
            after = begins[at + 1][1]
            step = (after.page - place.page) * room + after.top - place.top
        whole = is_whole(element)
        lines.append(Line(element.get("id"), step, step if whole else min(step, usual), element.tag in HEADINGS))
    return lines


def cuts(lines: list[Line], columns: int, rooms: list[float], room: float, lead: float) -> Iterator[Line]:
    """The lines that start a page, with these `rooms` on the first pages and this `room` on all others.

    The first line of a block may be a `lead` below its top.
    """
    page = column = 0
    used, last = lead, 0
    at = 0
    while at < len(lines):
        each = lines[at]
        most = rooms[page] if page < len(rooms) else room
        if at > last and used + each.height > most:
            column, used = column + 1, 0.0
            if column == columns:
                while at - 1 > last and lines[at - 1].heads:
                    at -= 1
                yield lines[at]
                page, column, last, used = page + 1, 0, at, lead
                continue
        used += each.step
        at += 1


def balanced(lines: list[Line], columns: int, lead: float) -> float:
    """The height of balanced columns."""
    high = sum(each.step for each in lines) / columns + lead
    while next(cuts(lines, columns, [], high, lead), None) is not None:
        high += GAP / 2
    return high + LESS
