"""The rows and columns of a sheet with their places on an endless page."""

from __future__ import annotations

from itertools import accumulate

from engine.families.data.cell_references import Area
from engine.families.data.printed.looks import Looks, Style


class Grid:
    """The edges of rows and columns in points, from the first one on; hidden ones have no size."""

    def __init__(self, looks: Looks, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        widths = [looks.usual_width] * columns
        self.column_styles = [0] * columns
        for each, width, style in looks.widths:
            inside = range(each.start, min(each.stop, columns))
            widths[each.start : inside.stop] = [width] * len(inside)
            self.column_styles[each.start : inside.stop] = [style if 0 <= style < len(looks.styles) else 0] * len(
                inside
            )
        self.widths = widths
        self.xs = [0.0, *accumulate(widths)]
        self.heights: list[float] = [looks.usual_height] * rows
        for row, height in looks.heights.items():
            if row < rows:
                self.heights[row] = height
        for row in looks.hidden_rows:
            if row < rows:
                self.heights[row] = 0.0
        self.ys: list[float] = []
        self.settle()

    def settle(self) -> None:
        """Take the heights of the rows for final."""
        self.ys = [0.0, *accumulate(self.heights)]

    def box(self, area: Area) -> tuple[float, float, float, float]:
        """The left, top, right and bottom of an area, as far as it is on the grid."""
        right, bottom = min(area.right + 1, self.columns), min(area.bottom + 1, self.rows)
        return self.xs[min(area.left, right)], self.ys[min(area.top, bottom)], self.xs[right], self.ys[bottom]


def style_at(looks: Looks, grid: Grid, row: int, column: int) -> Style:
    """The style of a cell: its own, else that of its row, else that of its column."""
    if looks.conditions and (found := looks.conditions.get((row, column))):
        return found
    cell = looks.cells.get(row, {}).get(column)
    if cell is not None:
        return looks.styles[cell.style]
    return looks.styles[_known(looks, looks.row_styles.get(row) or grid.column_styles[column])]


def _known(looks: Looks, style: int) -> int:
    return style if style < len(looks.styles) else 0
