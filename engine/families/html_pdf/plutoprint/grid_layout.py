"""Lay out a grid: item placement and column widths (CSS Grid Layout 2, 8.5 and 12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.families.html_pdf.plutoprint.grid_values import MOST_TRACKS, Line, Template, Track

MOST_ROWS = 5_000
_ENDS = ("end", "right", "flex-end", "self-end")


@dataclass(frozen=True)
class RequestedCell:
    """The requested cell of an item; rows and columns from 0, None if automatic."""

    row: int | None = None
    column: int | None = None
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True)
class Cell:
    """The cell of an item: its first row and column from 0, and its spans."""

    row: int
    column: int
    rows: int
    columns: int


def resolve(start: Line, end: Line, count: int, names: dict[str, int]) -> tuple[int | None, int]:
    """The first track from 0, or None, and the number of tracks between two lines of `count` tracks."""

    def at(line: Line) -> int | None:
        if line.name:
            return names.get(line.name)
        if line.number:
            return max(0, line.number - 1 if line.number > 0 else count + 1 + line.number)
        return None

    first, last = at(start), at(end)
    span = min(max(start.span, end.span, 1), MOST_TRACKS)
    if first is not None and last is not None:
        first, last = min(first, last), max(first, last)
        return min(first, MOST_TRACKS), max(1, min(last - first, MOST_TRACKS))
    if first is not None:
        return min(first, MOST_TRACKS), span
    if last is not None:
        return max(0, last - span), span
    return None, span


def place(requested: Sequence[RequestedCell], columns: int, *, by_column: bool, rows: int, dense: bool) -> list[Cell]:
    """The cells of all items, in the items' order."""
    if by_column:
        turned = [RequestedCell(each.column, each.row, each.columns, each.rows) for each in requested]
        cells = place(turned, max(rows, 1), by_column=False, rows=columns, dense=dense)
        return [Cell(each.column, each.row, each.columns, each.rows) for each in cells]
    width = max([columns, 1, *(min(each.columns, MOST_TRACKS) for each in requested)])
    width = max([width, *((each.column or 0) + each.columns for each in requested if each.column is not None)])
    taken: set[tuple[int, int]] = set()
    found: dict[int, Cell] = {}

    def free(row: int, column: int, request: RequestedCell) -> bool:
        return all(
            (row + down, column + across) not in taken
            for down in range(request.rows)
            for across in range(request.columns)
        )

    def put(at: int, row: int, column: int, request: RequestedCell) -> None:
        found[at] = Cell(row, column, request.rows, request.columns)
        taken.update((row + down, column + across) for down in range(request.rows) for across in range(request.columns))

    for at, request in enumerate(requested):
        if request.row is not None and request.column is not None:
            put(at, request.row, request.column, request)
    for at, request in enumerate(requested):
        if request.row is not None and request.column is None:
            column = next((each for each in range(width - request.columns + 1) if free(request.row, each, request)), 0)
            put(at, request.row, column, request)
    row = column = 0
    for at, request in enumerate(requested):
        if request.row is not None:
            continue
        if dense:
            row = column = 0
        if request.column is not None:
            if request.column < column:
                row += 1
            column = request.column
            while not free(row, column, request) and row < MOST_ROWS:
                row += 1
        else:
            while row < MOST_ROWS and not (column + request.columns <= width and free(row, column, request)):
                column += 1
                if column + request.columns > width:
                    row, column = row + 1, 0
        put(at, row, column, request)
    return [found[at] for at in range(len(requested))]


def tracks(template: Template, room: float, gap: float, items: int) -> list[Track]:
    """The explicit tracks of a template in this space, and the repetitions of repeated ones (7.2.3.2)."""
    around = [each.sized(room) for each in (*template.before, *template.after)]
    inner = [each.sized(room) for each in template.repeated]
    times = 0
    if inner:
        fixed = sum(_size(each) for each in around) + gap * len(around)
        once = sum(_size(each) for each in inner) + gap * len(inner)
        times = max(1, min(int((room - fixed + gap + 0.01) // max(once, 1.0)), MOST_TRACKS // len(inner)))
        if template.fits:
            times = max(1, min(times, -(-items // len(inner))))
    before = [each.sized(room) for each in template.before]
    return [*before, *inner * times, *around[len(before) :]]


def _size(track: Track) -> float:
    for each in (track.most if not track.flex else track.least, track.least):
        if isinstance(each, float):
            return max(each, 1.0)
    return 1.0


def widths(
    columns: Sequence[Track], contents: Sequence[tuple[Cell, float, float]], room: float, gap: float, *, stretch: bool
) -> list[float]:
    """The width of each column; `contents` are the cells with their minimum and maximum content widths (12.3)."""
    lows, highs = [], []
    for at, track in enumerate(columns):
        low = high = 0.0
        for cell, least, most in contents:
            if cell.columns == 1 and cell.column == at:
                low, high = max(low, least), max(high, most)
        low = track.least if isinstance(track.least, float) else high if track.least == "max-content" else low
        if isinstance(track.most, float):
            high = max(track.most, low)
        elif track.most == "min-content":
            high = low
        lows.append(low)
        highs.append(max(high, low))
    for cell, least, most in contents:
        span = range(cell.column, min(cell.column + cell.columns, len(columns)))
        open_ones = [at for at in span if not isinstance(columns[at].most, float) and not columns[at].flex]
        if cell.columns > 1 and open_ones and not any(columns[at].flex for at in span):
            for sizes, need in ((lows, least), (highs, most)):
                missing = need - sum(sizes[at] for at in span) - gap * (cell.columns - 1)
                for at in open_ones:
                    sizes[at] += max(missing, 0.0) / len(open_ones)
    left = room - gap * (len(columns) - 1)
    flexible = [at for at, track in enumerate(columns) if track.flex]
    sizes = [0.0 if track.flex else low for track, low in zip(columns, lows, strict=True)]
    growing = [at for at in range(len(columns)) if not columns[at].flex and highs[at] > lows[at]]
    spare = left - sum(sizes) - sum(lows[at] for at in flexible)
    while growing and spare > 0.01:
        part = spare / len(growing)
        for at in list(growing):
            more = min(part, highs[at] - sizes[at])
            sizes[at] += more
            spare -= more
            if highs[at] - sizes[at] < 0.01:
                growing.remove(at)
    if flexible:
        _flex(columns, flexible, sizes, lows, left)
    elif stretch and spare > 0:
        autos = [at for at, track in enumerate(columns) if track.most == "auto"]
        for at in autos:
            sizes[at] += spare / len(autos)
    return sizes


def _flex(columns: Sequence[Track], flexible: list[int], sizes: list[float], lows: list[float], left: float) -> None:
    """Distribute the space to flexible columns, none less than it needs (12.7.1)."""
    open_ones = list(flexible)
    rest = left - sum(size for at, size in enumerate(sizes) if at not in flexible)
    while open_ones:
        unit = max(rest, 0.0) / max(sum(columns[at].flex for at in open_ones), 1.0)
        small = [at for at in open_ones if columns[at].flex * unit < lows[at] - 0.01]
        if not small:
            for at in open_ones:
                sizes[at] = columns[at].flex * unit
            return
        for at in small:
            sizes[at] = lows[at]
            rest -= lows[at]
            open_ones.remove(at)


def spread(justify: str, spare: float, count: int) -> tuple[float, float]:
    """The space before the first column, and the addition to each gap."""
    if spare <= 0:
        return 0.0, 0.0
    if justify in _ENDS:
        return spare, 0.0
    parts = {"center": (0.5, 0.0), "space-around": (0.5 / count, 1 / count)}.get(justify, (0.0, 0.0))
    if justify == "space-evenly":
        parts = (1 / (count + 1), 1 / (count + 1))
    elif justify == "space-between" and count > 1:
        parts = (0.0, 1 / (count - 1))
    return spare * parts[0], spare * parts[1]
