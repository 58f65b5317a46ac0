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


Part = tuple[tuple[int, int], tuple[int, int] | None]
"""Rows or columns of a page, as first and last, and those that are repeated before them."""


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
    if looks.setup.over_first:
        pairs: Iterator[tuple[Part, Part]] = ((row, column) for row in rows for column in columns)
    else:
        pairs = ((row, column) for column in columns for row in rows)
    return [Sheet(row[0], column[0], row[1], column[1]) for row, column in pairs]


def _cut(looks: Looks, grid: Grid, area: Area, room: Room, scale: float, *, down: bool) -> list[Part]:
    edges = grid.ys if down else grid.xs
    first, last = (area.top, area.bottom) if down else (area.left, area.right)
    length = room.inner[1 if down else 0] / scale + _SLACK
    if looks.setup.headings:
        length -= HEADING_HEIGHT if down else heading_width(grid)
    breaks = looks.row_breaks if down else looks.column_breaks
    titles = looks.title_rows if down else looks.title_columns
    return divided(edges, first, last, length, set() if looks.setup.fit else breaks, titles)


def divided(
    edges: Sequence[float], first: int, last: int, length: float, breaks: set[int], titles: tuple[int, int] | None
) -> list[Part]:
    """Rows or columns between edges as parts that fit a length; a single one that is longer is a part of its own."""
    found: list[Part] = []
    start = first
    repeated, room = _repeated(edges, titles, start, length)
    for at in range(first, last + 1):
        used = edges[at] - edges[start]
        if at > start and (
            at in breaks or (edges[at + 1] > edges[at] and used and edges[at + 1] - edges[start] > room)
        ):
            found.append(((start, at - 1), repeated))
            start = at
            repeated, room = _repeated(edges, titles, start, length)
    found.append(((start, last), repeated))
    return [each for each in found if edges[each[0][1] + 1] > edges[each[0][0]]] or found[:1]


def _repeated(
    edges: Sequence[float], titles: tuple[int, int] | None, start: int, length: float
) -> tuple[tuple[int, int] | None, float]:
    """Those of the titles that come before a part, and the room that is left; none if its first row would not fit."""
    if titles is None or start <= titles[0]:
        return None, length
    last = min(titles[1], start - 1)
    room = length - (edges[last + 1] - edges[titles[0]])
    return ((titles[0], last), room) if edges[start + 1] - edges[start] <= room < length else (None, length)


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
