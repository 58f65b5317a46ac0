"""Size the columns and rows of slide tables, and continue them on further slides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.families.documents.presenting.blocks import Cell, Line, Table
from engine.families.documents.presenting.measure import LEADING, line_starts, split_at, width
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

PADDING = (6.0, 3.0)
"""Points left of and above the text of a cell."""

_SIZES = (14.0, 12.0, 10.0, 8.0)
_MOST_COLUMNS = 16
_MOST_CELLS = 200_000
_NOTHING = Cell(())


@dataclass(frozen=True)
class Placed:
    """A cell in its column; `across` and `down` mark it as covered by the cell to its left or above."""

    cell: Cell
    across: bool = False
    down: bool = False


@dataclass(frozen=True)
class Row:
    """A grid row with its minimum height in points."""

    cells: tuple[Placed, ...]
    height: float


@dataclass(frozen=True)
class Grid:
    """A table or a part of one, in points; the first `head` rows are its header."""

    widths: tuple[float, ...]
    rows: tuple[Row, ...]
    head: int
    size: float

    @property
    def height(self) -> float:
        return sum(row.height for row in self.rows)

    def from_row(self, first: int, room: float) -> tuple[Grid, int]:
        """The part that starts at row `first` and fits `room`, below the header, and the index of the next row."""
        head = self.rows[: self.head] if first else ()
        filled = sum(row.height for row in head)
        if filled > 0.4 * room or filled + self.rows[first].height > room:
            head, filled = (), 0.0
        end = first
        while end < len(self.rows) and (end == first or filled + self.rows[end].height <= room):
            filled += self.rows[end].height
            end += 1
        rows = [*head, *(_clipped(self.rows[at], at, first, end) for at in range(first, end))]
        part = replace(self, rows=tuple(rows), head=len(head) if first else min(self.head, end))
        return part.joined(), end

    def joined(self) -> Grid:
        """The same without columns in which no cell starts: LibreOffice draws cells spanning them too narrow."""
        used = [any(not row.cells[at].across for row in self.rows) for at in range(len(self.widths))]
        if all(used):
            return self
        widths: list[float] = []
        for at, each in enumerate(self.widths):
            if used[at]:
                widths.append(each)
            else:
                widths[-1] += each
        rows = []
        for row in self.rows:
            cells = tuple(
                replace(each, cell=replace(each.cell, columns=sum(used[at : at + each.cell.columns])))
                for at, each in enumerate(row.cells)
                if used[at]
            )
            rows.append(replace(row, cells=cells))
        return replace(self, widths=tuple(widths), rows=tuple(rows))


def _clipped(row: Row, at: int, first: int, end: int) -> Row:
    """A row with spans cut at the part's end; cells that started before the part are empty."""
    cells = []
    for each in row.cells:
        if each.down and at == first:
            each = Placed(_NOTHING)
        elif each.cell.rows > end - at:
            each = replace(each, cell=replace(each.cell, rows=end - at))
        cells.append(each)
    return replace(row, cells=tuple(cells))


def layout(table: Table, room: float, height: float) -> Iterator[Grid]:
    """A table in `room` points of width, no row higher than `height`; one with many columns as several tables."""
    rows = _placed(table)
    columns = len(rows[0])
    if columns * len(rows) > _MOST_CELLS:
        raise OverLimit(
            "output", say("A table has more than {most_cells} cells, too many for slides.", most_cells=_MOST_CELLS)
        )
    parts = -(-columns // _MOST_COLUMNS)
    each = -(-columns // parts)
    for first in range(0, columns, each):
        yield _grid(
            [_columns(row, first, min(first + each, columns)) for row in rows], table.head, room, height
        ).joined()


def _placed(table: Table) -> list[list[Placed]]:
    """All rows with a cell in every column."""
    widest = max(sum(cell.columns for cell in row) for row in table.rows)
    if widest * len(table.rows) > _MOST_CELLS:
        raise OverLimit(
            "output", say("A table has more than {most_cells} cells, too many for slides.", most_cells=_MOST_CELLS)
        )
    found: list[list[Placed]] = []
    open_cells: dict[int, tuple[int, bool]] = {}
    for number, row in enumerate(table.rows):
        made: dict[int, Placed] = {}
        for column, (left, across) in list(open_cells.items()):
            made[column] = Placed(_NOTHING, across=across, down=True)
            open_cells[column] = (left - 1, across)
            if left == 1:
                del open_cells[column]
        at = 0
        for cell in row:
            while at in made:
                at += 1
            down = min(cell.rows, len(table.rows) - number)
            reach = next((step for step in range(1, cell.columns) if at + step in made), cell.columns)
            made[at] = Placed(replace(cell, columns=reach, rows=down))
            for step in range(reach):
                if step:
                    made[at + step] = Placed(_NOTHING, across=True)
                if down > 1:
                    open_cells[at + step] = (down - 1, step > 0)
            at += reach
        found.append([made.get(column, Placed(_NOTHING)) for column in range(max(made, default=0) + 1)])
        if len(found) * max(widest, len(found[-1])) > _MOST_CELLS:
            raise OverLimit(
                "output", say("A table has more than {most_cells} cells, too many for slides.", most_cells=_MOST_CELLS)
            )
    columns = max(map(len, found))
    return [[*row, *[Placed(_NOTHING)] * (columns - len(row))] for row in found]


def _columns(row: list[Placed], first: int, end: int) -> list[Placed]:
    cells = []
    for at in range(first, end):
        each = row[at]
        if each.across and at == first:
            each = Placed(_NOTHING, down=each.down)
        elif each.cell.columns > end - at:
            each = replace(each, cell=replace(each.cell, columns=end - at))
        cells.append(each)
    return cells


def _grid(rows: list[list[Placed]], head: int, room: float, most: float) -> Grid:
    columns = len(rows[0])
    least, wanted = _needed(rows)
    beside = 2 * PADDING[0]
    inside = room - columns * beside
    size = next((each for each in _SIZES if sum(least) * each <= inside), _SIZES[-1])
    widths = _shared(least, wanted, inside / size)
    points = tuple(each * size + beside for each in widths)
    made = [_row(row, points, size) for row in rows]
    if all(row.height <= most for row in made):
        return Grid(points, tuple(made), head, size)
    cut_up = [part for row in made for part in _parts(row, points, size, most)]
    return Grid(points, tuple(cut_up), head if all(row.height <= most for row in made[:head]) else 0, size)


def _needed(rows: list[list[Placed]]) -> tuple[list[float], list[float]]:
    """The minimum and preferred widths of each column, in ems; spanning cells distribute theirs."""
    least, wanted = [0.0] * len(rows[0]), [0.0] * len(rows[0])
    placed = [(each.cell.columns, at, each.cell.lines) for row in rows for at, each in enumerate(row)]
    for columns, at, lines in sorted(placed, key=lambda each: each[0]):
        long = longest = 0.0
        for line in lines:
            long, longest = (max(pair) for pair in zip((long, longest), _widths(line), strict=True))
        for found, needed in ((least, long), (wanted, longest)):
            lacking = (needed - sum(found[at : at + columns])) / columns
            if lacking > 0:
                found[at : at + columns] = [each + lacking for each in found[at : at + columns]]
    return least, wanted


def _widths(line: Line) -> tuple[float, float]:
    """The widths of the longest word and of the whole paragraph, in ems."""
    long = 0.0
    for run in line.runs:
        for word in run.text.split():
            long = max(
                long, width(word[:40], bold=run.formatting.bold, mono=run.formatting.mono) if word.isascii() else 3.0
            )
    whole = sum(width(run.text[:400], bold=run.formatting.bold, mono=run.formatting.mono) for run in line.runs[:50])
    return long, whole


def _shared(least: list[float], wanted: list[float], room: float) -> list[float]:
    """Distribute `room`: the preferred widths if they fit, else at least the minimum ones if those fit."""
    least = [max(each, 1.5) for each in least]
    wanted = [max(*pair) for pair in zip(least, wanted, strict=True)]
    if sum(wanted) <= room:
        spare = min(room - sum(wanted), sum(wanted) * 0.6)
        return [each + spare / len(wanted) for each in wanted]
    if sum(least) >= room:
        return [each * room / sum(least) for each in least]
    capped = [min(want, small + room) for small, want in zip(least, wanted, strict=True)]
    more = sum(capped) - sum(least)
    share = (room - sum(least)) / more if more else 0.0
    return [small + (want - small) * share for small, want in zip(least, capped, strict=True)]


def _row(row: list[Placed], widths: tuple[float, ...], size: float) -> Row:
    count = 1
    for at, each in enumerate(row):
        room = sum(widths[at : at + each.cell.columns]) - 2 * PADDING[0]
        lines = sum(len(line_starts(line, size, room)) for line in each.cell.lines)
        count = max(count, -(-lines // each.cell.rows))
    return Row(tuple(row), count * size * LEADING + 2 * PADDING[1])


def _parts(row: Row, widths: tuple[float, ...], size: float, most: float) -> Iterator[Row]:
    """A row higher than a slide as several, its cells split between lines."""
    if row.height <= most:
        yield row
        return
    count = max(1, int((most - 2 * PADDING[1]) / (size * LEADING)))
    shown: list[list[Line]] = []
    for at, each in enumerate(row.cells):
        room = sum(widths[at : at + each.cell.columns]) - 2 * PADDING[0]
        lines = [
            replace(line, runs=runs)
            for line in each.cell.lines
            for runs in split_at(line.runs, line_starts(line, size, room))
        ]
        shown.append(lines)
    longest = max(map(len, shown))
    for first in range(0, longest, count):
        cells = tuple(
            replace(each, cell=replace(each.cell, lines=tuple(lines[first : first + count]), rows=1), down=False)
            for each, lines in zip(row.cells, shown, strict=True)
        )
        height = max(len(each.cell.lines) for each in cells) * size * LEADING + 2 * PADDING[1]
        yield Row(cells, max(height, size))
