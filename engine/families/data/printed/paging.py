"""Divide a sheet into pages as spreadsheets do: scale, breaks, repeated rows and columns, order."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from engine.families.data.cell_references import Area
from engine.families.data.printed.grid import Grid
from engine.families.data.printed.looks import Looks, Setup

HEADING_HEIGHT = 15.0
_SMALLEST = 0.1
_SLACK = 0.01
MOST_PAGES = 3_000


@dataclass(frozen=True)
class Sheet:
    """A page of a sheet: its rows and columns, and those that are repeated on it, as first and last."""

    rows: tuple[int, int]
    columns: tuple[int, int]
    title_rows: tuple[int, int] | None
    title_columns: tuple[int, int] | None


@dataclass(frozen=True)
class Room:
    """The paper of a sheet, and the room between its margins in points."""

    width: float
    height: float
    margins: tuple[float, float, float, float]

    @property
    def inner(self) -> tuple[float, float]:
        top, right, bottom, left = self.margins
        return max(self.width - left - right, 36.0), max(self.height - top - bottom, 36.0)


def heading_width(grid: Grid) -> float:
    """The width of the numbers of rows, where they are printed."""
    return 8.0 + 6.0 * len(str(grid.rows))


def pages(looks: Looks, grid: Grid, area: Area, room: Room, scale: float) -> list[Sheet]:
    """The pages of an area in their order."""
    rows = _cut(looks, grid, area, room, scale, down=True)
    columns = _cut(looks, grid, area, room, scale, down=False)
    titles = looks.title_rows, looks.title_columns
    if looks.setup.over_first:
        pairs: Iterator[tuple[tuple[int, int], tuple[int, int]]] = ((row, column) for row in rows for column in columns)
    else:
        pairs = ((row, column) for column in columns for row in rows)
    return [
        Sheet(row, column, _repeated(titles[0], row, area.top), _repeated(titles[1], column, area.left))
        for row, column in pairs
    ]


def _repeated(titles: tuple[int, int] | None, part: tuple[int, int], start: int) -> tuple[int, int] | None:
    """The repeated rows or columns of a page: those before it, from the first that is printed at all."""
    if titles is None or part[0] <= titles[0]:
        return None
    return titles[0], min(titles[1], part[0] - 1)


def _cut(looks: Looks, grid: Grid, area: Area, room: Room, scale: float, *, down: bool) -> list[tuple[int, int]]:
    sizes = grid.heights if down else grid.widths
    first, last = (area.top, area.bottom) if down else (area.left, area.right)
    length = room.inner[1 if down else 0] / scale + _SLACK
    if looks.setup.headings:
        length -= HEADING_HEIGHT if down else heading_width(grid)
    breaks = looks.row_breaks if down else looks.column_breaks
    titles = looks.title_rows if down else looks.title_columns
    return divided(sizes, first, last, length, set() if looks.setup.fit else breaks, titles)


def divided(
    sizes: Sequence[float], first: int, last: int, length: float, breaks: set[int], titles: tuple[int, int] | None
) -> list[tuple[int, int]]:
    """Rows or columns as parts that fit a length; a single one that is longer is a part of its own.

    `titles` take room on each part after the one that they are in.
    """
    found: list[tuple[int, int]] = []
    start, used = first, 0.0
    room = length
    for at in range(first, last + 1):
        size = sizes[at]
        if at > start and (at in breaks or (size and used and used + size > room)):
            found.append((start, at - 1))
            start, used = at, 0.0
            repeated = sum(sizes[titles[0] : min(titles[1] + 1, at)]) if titles and at > titles[0] else 0.0
            room = length - repeated if repeated < length else length
        used += size
    found.append((start, last))
    return [each for each in found if any(sizes[each[0] : each[1] + 1])] or found[:1]


def scale(looks: Looks, grid: Grid, area: Area, room: Room, fit: tuple[int, int] | None) -> float:
    """The scale of an area: the one that is set, or the largest whole percentage that fits the pages."""
    if fit is None or fit == (0, 0):
        return looks.setup.scale if fit is None else 1.0
    low, high = round(_SMALLEST * 100), 100
    while low < high:
        middle = (low + high + 1) // 2
        if _fits(looks, grid, area, room, fit, middle / 100):
            low = middle
        else:
            high = middle - 1
    return low / 100


def _fits(looks: Looks, grid: Grid, area: Area, room: Room, fit: tuple[int, int], scale: float) -> bool:
    for most, down in ((fit[0], False), (fit[1], True)):
        if most and len(_cut(looks, grid, area, room, scale, down=down)) > most:
            return False
        if most == 1:
            sizes, inner = (grid.ys, room.inner[1]) if down else (grid.xs, room.inner[0])
            first, last = (area.top, area.bottom) if down else (area.left, area.right)
            if sizes[last + 1] - sizes[first] > inner / scale + _SLACK:
                return False
    return True


def room(setup: Setup, usual: tuple[float, float]) -> Room:
    """The paper of a sheet, turned if it lies."""
    width, height = setup.paper or usual
    if setup.landscape:
        width, height = max(width, height), min(width, height)
    return Room(width, height, setup.margins)


def spanned(edges: list[float], low: float, high: float) -> tuple[int, int]:
    """The first of the pages that begin at these edges that is between two places, and the one after the last."""
    return max(bisect.bisect_right(edges, low) - 1, 0), bisect.bisect_left(edges, high)


def covered(spans: Iterable[tuple[int, int, int, int]], rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """The pages in any of these spans, in time that does not depend on how many there are in each."""
    begun = [[0] * (columns + 1) for _ in range(rows + 1)]
    for top, bottom, left, right in spans:
        if top < bottom and left < right:
            begun[top][left] += 1
            begun[top][right] -= 1
            begun[bottom][left] -= 1
            begun[bottom][right] += 1
    open_now = [0] * (columns + 1)
    for row in range(rows):
        open_now = [before + change for before, change in zip(open_now, begun[row], strict=True)]
        yield from ((row, column) for column, count in enumerate(accumulate(open_now)) if count)
