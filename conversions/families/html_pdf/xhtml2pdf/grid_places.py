"""The places of a CSS grid: which row and columns each item is in (CSS Grid Layout 1, 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xhtml2pdf.builders.flex import FlexItem

from conversions.families.html_pdf.css.grid_styles import MOST_TRACKS
from conversions.families.html_pdf.xhtml2pdf.grid_tracks import AUTO_TRACK, Track, repeated

ENDS = ("end", "right", "flex-end", "self-end")


@dataclass(frozen=True)
class Columns:
    """What a grid's columns are asked to be: `tracks`, or one that is `repeated`, and at least `count`.

    `areas` are by name the row, the first column and the columns of what is drawn in a grid; `one_row` is for all that
    is in it, and `justify` says where the columns are if there is more room than they need (`justify-content`).
    """

    tracks: Sequence[Track] = ()
    repeated: Track | None = None
    count: int = 1
    areas: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    one_row: bool = False
    justify: str = "normal"


@dataclass(frozen=True)
class Wish:
    """Where an item wants to be: an area, or the lines (from 1, from the end below 0) and columns it spans."""

    area: str = ""
    start: str = ""
    end: str = ""
    justify: str = ""


@dataclass(frozen=True)
class Cell:
    """One item in its place; rows and columns from 0."""

    item: FlexItem
    justify: str
    row: int
    column: int
    span: int


def place(
    columns: Columns, wanted: Sequence[tuple[FlexItem, Wish]], room: float | None, gap: float
) -> tuple[list[Track], list[Cell]]:
    """The columns, and every item in its row and columns, in the order of both."""
    tracks = list(columns.tracks)
    count = len(wanted)
    if columns.repeated is not None:
        times = MOST_TRACKS if room is None else repeated(columns.repeated, room, gap, MOST_TRACKS)
        tracks = [columns.repeated] * min(times, max(count, 1), MOST_TRACKS)
    elif columns.one_row:
        tracks += [AUTO_TRACK] * (min(count, MOST_TRACKS) - len(tracks))
    tracks += [AUTO_TRACK] * (columns.count - len(tracks))
    cells: list[Cell] = []
    row = column = 0
    after_all = MOST_TRACKS, 0, 1
    for item, wish in sorted(wanted, key=lambda each: columns.areas.get(each[1].area, after_all)):
        at, start, span = columns.areas.get(wish.area) or _lines(wish, len(tracks))
        if at is not None and at > row:
            row, column = at, 0
        if start is None:
            start = column if column + span <= len(tracks) else 0
        if start < column:
            row += 1
        cells.append(Cell(item, wish.justify, row, start, span))
        column = start + span
    return tracks, cells


def spread(justify: str, spare: float, count: int) -> tuple[float, float]:
    """The room before the first column, and what comes to each gap."""
    if justify in ENDS:
        return spare, 0.0
    parts = {"center": (0.5, 0.0), "space-around": (0.5 / count, 1 / count)}.get(justify, (0.0, 0.0))
    if justify == "space-evenly":
        parts = (1 / (count + 1), 1 / (count + 1))
    elif justify == "space-between" and count > 1:
        parts = (0.0, 1 / (count - 1))
    return spare * parts[0], spare * parts[1]


def read_areas(text: str) -> tuple[dict[str, tuple[int, int, int]], int]:
    """The areas that css.grid_styles has written down, as in Columns, and how many columns they are drawn in."""
    areas: dict[str, tuple[int, int, int]] = {}
    rows = [row.split() for row in text.split("|")]
    for row, names in enumerate(rows):
        for column, name in enumerate(names):
            if name not in areas and "." not in name:
                areas[name] = row, column, names.count(name)
    return areas, max(map(len, rows))


def _lines(wish: Wish, count: int) -> tuple[int | None, int | None, int]:
    """The row and the column that an item asks for by numbers, if any, and the columns it spans, of `count`."""
    start, end = (_line(each, count) for each in (wish.start, wish.end))
    span = next((int(each.split()[1]) for each in (wish.start, wish.end) if each.startswith("span")), 1)
    if start is not None and end is not None:
        start, end = min(start, end), max(start, end)
        span = end - start
    elif end is not None:
        start = end - span
    span = max(1, min(span, count))
    return None, None if start is None else max(0, min(start, count - span)), span


def _line(text: str, count: int) -> int | None:
    """The columns before a numbered line."""
    if not text or text.startswith("span"):
        return None
    number = int(text)
    return max(0, min(number - 1 if number > 0 else count + 1 + number, count))
