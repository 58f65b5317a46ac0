"""Find running headers and footers: lines at the same place on page after page."""

from __future__ import annotations

import re
from collections import defaultdict

from engine.families.pdf.page.lines import Line
from engine.families.pdf.page.reading import Page

_EDGE = 0.12
"""The share of the page height, at top and bottom, for headers and footers."""

_FEWEST = 3
_DIGITS = re.compile(r"\d{1,6}")
_PLACE = 6


def take_running(pages: list[Page]) -> dict[int, tuple[list[Line], list[Line]]]:
    """Take the running headers and footers out of the pages, and return them by page.

    A line is one if the same text, apart from page numbers, is at the same height on at least three pages and a third
    of all. If no page has other text, these lines are the content, and stay.
    """
    places: dict[tuple[bool, int, str], list[tuple[Page, Line]]] = defaultdict(list)
    for page in pages:
        for column in page.columns:
            for line in column:
                if isinstance(line, Line) and not line.turn:
                    top = line.base < _EDGE * page.height
                    if top or line.base > (1 - _EDGE) * page.height:
                        text = _DIGITS.sub("#", line.text.strip().lower())
                        places[top, round(line.base / _PLACE), text].append((page, line))
    found: dict[int, tuple[list[Line], list[Line]]] = {}
    taken: dict[int, set[int]] = defaultdict(set)
    for (top, _, _), lines in places.items():
        numbers = {page.number for page, _ in lines}
        if len(numbers) < max(_FEWEST, len(pages) / 3) or not _counts(lines):
            continue
        for page, line in lines:
            found.setdefault(page.number, ([], []))[not top].append(line)
            taken[page.number].add(id(line))
    if all(id(each) in taken[page.number] for page in pages for column in page.columns for each in column):
        return {}
    for page in pages:
        if gone := taken.get(page.number):
            page.columns = [[each for each in column if id(each) not in gone] for column in page.columns]
    return found


def _counts(lines: list[tuple[Page, Line]]) -> bool:
    """Whether each number in these lines is constant or increases with the page number."""
    values = [[int(each) for each in _DIGITS.findall(line.text)] for _, line in lines]
    numbers = [page.number for page, _ in lines]
    for column in zip(*values, strict=True):
        offsets = {value - number for value, number in zip(column, numbers, strict=True)}
        if len(set(column)) > 1 and len(offsets) > 2:
            return False
    return True
