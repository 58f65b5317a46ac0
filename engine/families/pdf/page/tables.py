"""Tables as rows of cells with positions and spans."""

from __future__ import annotations

from dataclasses import dataclass

from engine.families.pdf.page.lines import Line, lines_of
from engine.families.pdf.page.segments import Segment
from engine.families.pdf.page.view import Box


@dataclass(slots=True)
class Cell:
    """One cell: its place in the grid, its row and column spans, and its text line by line."""

    row: int
    column: int
    rows: int
    columns: int
    lines: list[list[Segment]]

    @property
    def text(self) -> str:
        """Its text, with lines joined by a space unless a hyphen splits a word."""
        return " ".join(" ".join(each.text for each in line) for line in self.lines).strip()


@dataclass(slots=True)
class Table:
    """A table at `box`, with column `widths` in points; `ruled` if lines are drawn around its cells.

    Places covered by a spanning cell have no cell of their own.
    """

    box: Box
    widths: list[float]
    cells: list[Cell]
    rows: int
    ruled: bool
    end: tuple[int, float] = (-1, 0.0)
    """The end of a table over several pages: the page, and the height on it."""

    def texts(self) -> list[list[str]]:
        """Every row with a text for every column; empty if covered."""
        grid = [[""] * len(self.widths) for _ in range(self.rows)]
        for cell in self.cells:
            grid[cell.row][cell.column] = cell.text
        return grid


def table_lines(table: Table) -> list[Line]:
    """The lines of all cells, with their positions."""
    return [line for cell in table.cells for line in lines_of(cell.lines)]


def in_lines(segments: list[Segment]) -> list[list[Segment]]:
    """The segments of a cell or column, from top to bottom, and left to right within a line."""
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
