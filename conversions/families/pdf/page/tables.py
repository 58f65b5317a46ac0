"""Tables: rows of cells as they lie on a page, some of them over several rows and columns."""

from __future__ import annotations

from dataclasses import dataclass

from conversions.families.pdf.page.lines import Line, lines_of
from conversions.families.pdf.page.segments import Segment
from conversions.families.pdf.page.view import Box


@dataclass(slots=True)
class Cell:
    """One cell: its place in the grid, how many rows and columns it covers, and its letters line by line."""

    row: int
    column: int
    rows: int
    columns: int
    lines: list[list[Segment]]

    @property
    def text(self) -> str:
        """What it says, lines joined by a space, but for those that a hyphen cuts a word at."""
        return " ".join(" ".join(each.text for each in line) for line in self.lines).strip()


@dataclass(slots=True)
class Table:
    """A table at `box`, with `widths` of its columns in points; `ruled` where lines are drawn around its cells.

    Places that a cell of several rows or columns covers have no cell of their own.
    """

    box: Box
    widths: list[float]
    cells: list[Cell]
    rows: int
    ruled: bool
    end: tuple[int, float] = (-1, 0.0)
    """Where a table of several pages ends: the page, and how far down on it."""

    def texts(self) -> list[list[str]]:
        """Every row with a text for every column; a covered place is empty."""
        grid = [[""] * len(self.widths) for _ in range(self.rows)]
        for cell in self.cells:
            grid[cell.row][cell.column] = cell.text
        return grid


def table_lines(table: Table) -> list[Line]:
    """The lines of all cells, where they stand."""
    return [line for cell in table.cells for line in lines_of(cell.lines)]


def in_lines(segments: list[Segment]) -> list[list[Segment]]:
    """The segments of one cell or column, from top to bottom, those on one line from left to right."""
    lines: list[list[Segment]] = []
    for each in sorted(segments, key=lambda segment: (segment.base, segment.x0)):
        last = lines[-1] if lines else None
        if last and abs(last[0].base - each.base) <= 0.45 * min(last[0].size, each.size):
            last.append(each)
        else:
            lines.append([each])
    for line in lines:
        line.sort(key=lambda segment: segment.x0)
    return lines
