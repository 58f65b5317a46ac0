"""Frames: grids around tables of their own, whose rows and columns only stand below and beside each other."""

from __future__ import annotations

from conversions.families.pdf.page.aligned import tables_in
from conversions.families.pdf.page.glyphs import Glyph
from conversions.families.pdf.page.grids import Grid, table_of
from conversions.families.pdf.page.segments import segments_of
from conversions.families.pdf.page.tables import Table

_ROWS, _COLUMNS = 4, 3
"""What a table in a frame has at least: a few words that happen to be aligned are the text of a cell."""

_MANY = 8
"""Rows that a table across the cells of a ruled row has at least: fewer may be the lines of those cells."""

_PART = 0.6
"""Of the lines in a frame, those of its table: what has more beside it is a cell with a list in it."""


def tables_of(grid: Grid, glyphs: dict[tuple[int, int], list[Glyph]], *, aligned: bool) -> tuple[list[Table], set[int]]:
    """The tables that a grid makes with the letters in its places, and its rows whose letters are in none of them.

    With `aligned`, a row of one cell that holds such a table parts the grid, and is left to whoever looks for those.
    """
    rows = range(len(grid.ys) - 1)
    free = {row for row in rows if aligned and _frames_a_table(grid, row, glyphs)}
    # A row alone above such a table that rules part likewise is its head.
    free |= {
        row - 1 for row in free if row and row - 2 in free | {-1} and _is_cut(grid, row) and _is_cut(grid, row - 1)
    }
    tables: list[Table] = []
    start = 0
    for end in (*sorted(free), rows.stop):
        if end > start:
            part = Grid(grid.xs, grid.ys[start : end + 1], grid.lying, grid.standing)
            inside = {(row - start, at): found for (row, at), found in glyphs.items() if start <= row < end}
            table = table_of(part, inside)
            if table is None:
                free.update(range(start, end))
            else:
                tables.append(table)
        start = end + 1
    return tables, free


def _is_cut(grid: Grid, row: int) -> bool:
    middle = (grid.ys[row] + grid.ys[row + 1]) / 2
    return grid.cuts(grid.xs[0] + 1, grid.xs[-1] - 1, middle, middle)


def _frames_a_table(grid: Grid, row: int, glyphs: dict[tuple[int, int], list[Glyph]]) -> bool:
    """Whether a row holds a table; where rules part the row, one with two columns in each of its cells."""
    parts = [found for at in range(len(grid.xs) - 1) if (found := glyphs.get((row, at)))]
    rows, columns = _ROWS, _COLUMNS
    if _is_cut(grid, row):
        rows, columns = _MANY, max(_COLUMNS, 2 * len(parts))
    letters = [each for part in parts for each in part]
    segments = [each for each in segments_of(sorted(letters, key=lambda each: each.order)) if not each.turn]
    tables, others = tables_in(segments)
    return any(
        table.rows >= rows and len(table.widths) >= columns and table.rows >= _PART * (table.rows + len(others))
        for table in tables
    )
