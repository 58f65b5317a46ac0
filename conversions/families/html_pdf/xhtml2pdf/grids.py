"""The columns of a grid, and which of its cells each item is in (CSS Grid Layout 1)."""

from __future__ import annotations

import re

from conversions.families.html_pdf.css.styles import Declared
from conversions.families.html_pdf.source.tree import Element
from conversions.families.html_pdf.xhtml2pdf.lengths import points
from conversions.families.html_pdf.xhtml2pdf.styled import StyledTree

_REPEAT = re.compile(r"repeat\(\s*([\w-]+)\s*,\s*((?:[^()]|\([^()]*\))*)\)")
_TRACK = re.compile(r"(?:[^\s()\[\]]|\([^()]*\))+")
Cell = tuple[Element | None, int, int]
"""An item or a hole, over how many columns and how many rows it goes."""


def whole(text: str, otherwise: int) -> int:
    """The whole number that a text is."""
    text = text.strip()
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 6 else otherwise


def tracks(text: str, room: float, gap: float) -> list[str]:
    """The widths of a grid's columns; empty for what its content decides."""

    def repeated(match: re.Match[str]) -> str:
        least = points(next(iter(re.findall(r"[\d.]+(?:px|pt|r?em|mm|cm|in|%)", match[2])), ""), room) or room
        count = int(match[1]) if match[1].isdecimal() else max(int((room + gap) / max(least + gap, 1.0)), 1)
        return f"{match[2]} " * min(count, 100)

    text = re.sub(r"\[[^\]]*\]", " ", text)
    sizes = [
        each.removeprefix("minmax(").rstrip(")").rpartition(",")[2].strip()
        for each in _TRACK.findall(_REPEAT.sub(repeated, text))
    ]
    fixed = sum(points(each, room) or 0.0 for each in sizes)
    shares = [
        float(each[:-2]) if each.endswith("fr") and each[:-2].replace(".", "", 1).isdecimal() else 0.0 for each in sizes
    ]
    left = max(room - fixed, 0.0) / room * 100 if room else 0.0
    found = []
    for track, share in zip(sizes, shares, strict=True):
        if share and (all(shares) or fixed):
            found.append(f"{share / sum(shares) * left:.2f}%")
        else:
            found.append(track if points(track, room) else "")
    return found if sizes != ["none"] else []


def placed(page: StyledTree, items: list[Element], columns: int, areas: str) -> list[list[Cell]]:
    """The rows of a grid: items where they ask to be, the others in the next hole, and holes."""
    drawn: dict[str, list[tuple[int, int]]] = {}
    for row, names in enumerate(re.findall(r"[\"']([^\"']*)[\"']", areas)):
        for column, name in enumerate(names.split()):
            drawn.setdefault(name, []).append((row, column))
    columns = max([columns, 1, *(column + 1 for places in drawn.values() for _, column in places)])
    taken: dict[tuple[int, int], tuple[Element, int, int]] = {}
    waiting = []
    for item in items:
        own = page.own(item)
        places = drawn.get(own.get("grid-area", "").strip())
        if places:
            (first_row, first), (last_row, last) = places[0], places[-1]
            _take(taken, item, first_row, first, last - first + 1, last_row - first_row + 1)
        else:
            waiting.append((item, *_wish(own, "column", columns), *_wish(own, "row", 0)))
    row = column = 0
    for item, left, across, top, down in waiting:
        left = None if left is None else min(left, columns - 1)
        across = min(across, columns - (left or 0))
        if top is not None:
            row, column = top, 0
        if left is not None and left < column:
            row += 1
        column = left if left is not None else column
        while column + across > columns or any(
            (row + y, column + x) in taken for x in range(across) for y in range(down)
        ):
            column += 1
            if left is not None or column + across > columns:
                row, column = row + 1, (0 if left is None else left)
        _take(taken, item, row, column, across, down)
        column += across
    lines: list[list[Cell]] = []
    for row in range(max((each for each, _ in taken), default=-1) + 1):
        line: list[Cell] = []
        for column in range(columns):
            found = taken.get((row, column))
            if found is None:
                line.append((None, 1, 1))
            elif found[0] is not None:
                line.append(found)
        lines.append(line)
    return lines


def _take(
    taken: dict[tuple[int, int], tuple[Element, int, int]], item: Element, row: int, column: int, across: int, down: int
) -> None:
    for y in range(down):
        for x in range(across):
            taken[row + y, column + x] = (None, 0, 0)
    taken[row, column] = (item, across, down)


def _wish(own: Declared, axis: str, count: int) -> tuple[int | None, int]:
    """The first track that an item asks for, and how many it goes over."""
    start, _, end = own.get(
        f"grid-{axis}", f"{own.get(f'grid-{axis}-start', '')}/{own.get(f'grid-{axis}-end', '')}"
    ).partition("/")
    start, end = start.strip(), end.strip()
    for text in (start, end):
        if text.startswith("span"):
            span = max(min(whole(text[4:], 1), 100), 1)
            first = whole(start, 0)
            return (first - 1 if first > 0 else None), span
    first, last = whole(start, 0), whole(end, 0)
    if first < 0:
        first = max(count + 2 + first, 1)
    if last < 0:
        last = max(count + 2 + last, first + 1)
    return (min(first, 100) - 1 if first > 0 else None), max(min(last, 101) - first, 1) if last > first > 0 else 1
