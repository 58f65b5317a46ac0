"""Ruled frames around tables whose rows and columns are only aligned."""

from __future__ import annotations

from collections.abc import Iterable

from engine.families.pdf.page.aligned import tables_in
from engine.families.pdf.page.glyphs import Glyph
from engine.families.pdf.page.grids import Grid, table_of
from engine.families.pdf.page.segments import Segment, segments_of
from engine.families.pdf.page.tables import Table

_ROWS, _COLUMNS = 4, 3
"""The minimum rows and columns of a table in a frame: a few aligned words are the text of a cell."""

_MANY = 8
"""The minimum rows of a table across the cells of a ruled row: fewer may be the lines of those cells."""

_NEAR = 3.0
"""Points: rules this near the side of a grid are at it."""

_PART = 0.6
"""The minimum share of a frame's lines in its table: with more outside, it is a cell with a list."""


def tables_of(grid: Grid, glyphs: dict[tuple[int, int], list[Glyph]], *, aligned: bool) -> tuple[list[Table], set[int]]:
    """The tables that a grid and its glyphs form, and the rows whose glyphs are in none of them.

    With `aligned`, a single-cell row that holds a table without rules splits the grid, and is left for that detection.
    """
    if aligned and (open_one := _open_table(grid, glyphs)):
        return [open_one], set()
    rows = range(len(grid.ys) - 1)
    free = {row for row in rows if aligned and _frames_a_table(grid, row, glyphs)}
    # A single row above such a table, with the same rules, is its header.
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


def _open_table(grid: Grid, glyphs: dict[tuple[int, int], list[Glyph]]) -> Table | None:
    """The table of a grid without rules at its sides, if its words are aligned in more rows and columns than it has."""
    inner = [rule.at for rule in grid.standing]
    if any(min(at - grid.xs[0], grid.xs[-1] - at) <= _NEAR for at in inner):
        return None
    tables, others = tables_in(_segments(each for found in glyphs.values() for each in found))
    if len(tables) != 1 or others or len(tables[0].widths) < len(grid.xs) or tables[0].rows < len(grid.ys):
        return None
    table = tables[0]
    of_column: dict[int, list[Segment]] = {}
    for cell in table.cells:
        of_column.setdefault(cell.column, []).extend(each for line in cell.lines for each in line)
    ends = [(min(each.x0 for each in found), max(each.x1 for each in found)) for found in of_column.values() if found]
    return None if any(x0 < at < x1 for at in inner for x0, x1 in ends) else table


def _segments(glyphs: Iterable[Glyph]) -> list[Segment]:
    """The upright segments of glyphs."""
    return [each for each in segments_of(sorted(glyphs, key=lambda each: each.order)) if not each.turn]


def _is_cut(grid: Grid, row: int) -> bool:
    middle = (grid.ys[row] + grid.ys[row + 1]) / 2
    return grid.cuts(grid.xs[0] + 1, grid.xs[-1] - 1, middle, middle)


def _frames_a_table(grid: Grid, row: int, glyphs: dict[tuple[int, int], list[Glyph]]) -> bool:
    """Whether a row holds a table; in a row split by rules, one with two columns in each cell."""
    parts = [found for at in range(len(grid.xs) - 1) if (found := glyphs.get((row, at)))]
    rows, columns = _ROWS, _COLUMNS
    if _is_cut(grid, row):
        rows, columns = _MANY, max(_COLUMNS, 2 * len(parts))
    tables, others = tables_in(_segments(each for part in parts for each in part))
    return any(
        table.rows >= rows and len(table.widths) >= columns and table.rows >= _PART * (table.rows + len(others))
        for table in tables
    )
