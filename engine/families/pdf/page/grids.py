"""Detect tables with ruled cells."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from engine.families.pdf.page import unruled_rows
from engine.families.pdf.page.drawing import Drawn, Rule
from engine.families.pdf.page.glyphs import Glyph
from engine.families.pdf.page.segments import segments_of
from engine.families.pdf.page.tables import Cell, Table, in_lines
from engine.families.pdf.page.view import Box

_NEAR = 3.0
"""Points: the maximum distance of rules that coincide or meet."""

_MAX_LINES = 600
"""The maximum rows or columns of a grid; with more it is a drawing."""


@dataclass(slots=True)
class Grid:
    """The row and column edges of a ruled table, and the rules drawn between them."""

    xs: list[float]
    ys: list[float]
    lying: list[Rule]
    standing: list[Rule]

    @property
    def box(self) -> Box:
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]

    def cuts(self, start: float, end: float, top: float, bottom: float) -> bool:
        """Whether a vertical rule between these x coordinates crosses the range from `top` to `bottom`."""
        return any(start < rule.at < end and rule.start <= top and rule.end >= bottom for rule in self.standing)

    def place(self, x: float, y: float) -> tuple[int, int] | None:
        """The row and column of a point, None outside."""
        row, column = bisect_right(self.ys, y) - 1, bisect_right(self.xs, x) - 1
        if 0 <= row < len(self.ys) - 1 and 0 <= column < len(self.xs) - 1:
            return row, column
        return None


def grids_of(drawn: Drawn) -> list[Grid]:
    """The grids with at least two columns that a page's rules form, from top to bottom."""
    lying, standing = _merged(drawn.lying), _merged(drawn.standing)
    found = []
    for across, down in _connected(lying, standing):
        ys = _snapped(rule.at for rule in across)
        xs = _snapped(rule.at for rule in down)
        if len(xs) < 1 or len(ys) < 2 or max(len(xs), len(ys)) > _MAX_LINES:
            continue
        # A table may have no rules at its sides: its horizontal rules show its width.
        left, right = _common([rule.start for rule in across], xs[0], -1), _common([r.end for r in across], xs[-1], 1)
        xs = ([left] if left < xs[0] - 2 * _NEAR else []) + xs + ([right] if right > xs[-1] + 2 * _NEAR else [])
        top, bottom = min(rule.start for rule in down), max(rule.end for rule in down)
        ys = ([top] if top < ys[0] - 2 * _NEAR else []) + ys + ([bottom] if bottom > ys[-1] + 2 * _NEAR else [])
        if len(xs) >= 3 and len(ys) >= 2 and (len(xs) - 1) * (len(ys) - 1) >= 2:
            found.append(Grid(xs, ys, across, down))
    return _outermost(found)


def _common(ends: list[float], otherwise: float, sign: int) -> float:
    """The end that at least half of the rules share, else the other one."""
    ends = sorted(ends, key=lambda each: sign * each)
    middle = ends[len(ends) // 2]
    return middle if sum(abs(each - middle) <= _NEAR for each in ends) * 2 >= len(ends) > 1 else otherwise


def _outermost(found: list[Grid]) -> list[Grid]:
    """The grids that are not inside another one."""
    kept: list[Grid] = []
    for grid in sorted(found, key=lambda each: -(each.box[2] - each.box[0]) * (each.box[3] - each.box[1])):
        x0, y0, x1, y1 = grid.box
        inside = any(
            x0 >= a - _NEAR and y0 >= b - _NEAR and x1 <= c + _NEAR and y1 <= d + _NEAR
            for a, b, c, d in (other.box for other in kept)
        )
        if not inside:
            kept.append(grid)
    return sorted(kept, key=lambda each: each.ys[0])


def _merged(rules: list[Rule]) -> list[Rule]:
    """The rules, with collinear adjacent ones merged."""
    found: list[Rule] = []
    for rule in sorted(rules, key=lambda each: (round(each.at), each.start)):
        last = found[-1] if found else None
        if last and abs(last.at - rule.at) <= 1.5 and rule.start <= last.end + _NEAR:
            found[-1] = Rule(last.start, max(last.end, rule.end), last.at)
        else:
            found.append(rule)
    return found


def _connected(lying: list[Rule], standing: list[Rule]) -> Iterable[tuple[list[Rule], list[Rule]]]:
    """The rules in groups that cross or meet."""
    parent = list(range(len(lying) + len(standing)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    order = sorted(range(len(standing)), key=lambda at: standing[at].at)
    places = [standing[at].at for at in order]
    for number, rule in enumerate(lying):
        for at in order[bisect_right(places, rule.start - _NEAR) : bisect_right(places, rule.end + _NEAR)]:
            if standing[at].start - _NEAR <= rule.at <= standing[at].end + _NEAR:
                parent[root(number)] = root(len(lying) + at)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for number, rule in enumerate(lying):
        groups.setdefault(root(number), ([], []))[0].append(rule)
    for number, rule in enumerate(standing):
        groups.setdefault(root(len(lying) + number), ([], []))[1].append(rule)
    return [group for group in groups.values() if group[0] and group[1]]


def _snapped(places: Iterable[float]) -> list[float]:
    found: list[float] = []
    for place in sorted(places):
        if not found or place - found[-1] > _NEAR:
            found.append(place)
    return found


def table_of(grid: Grid, glyphs: dict[tuple[int, int], list[Glyph]]) -> Table | None:
    """The table formed by a grid and its glyphs; None if too few cells have text."""
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    if len(glyphs) < 2:
        return None
    cells, covered = [], set[tuple[int, int]]()
    for row in range(rows):
        for column in range(columns):
            if (row, column) in covered:
                continue
            wide = 1
            while (
                column + wide < columns
                and (row, column + wide) not in covered
                and not _divided(grid.standing, grid.xs[column + wide], grid.ys[row], grid.ys[row + 1])
            ):
                wide += 1
            high = 1
            while row + high < rows and _joined_below(grid, row + high, column, wide):
                high += 1
            places = [(row + down, column + across) for down in range(high) for across in range(wide)]
            covered.update(places)
            inside = sorted((each for place in places for each in glyphs.get(place, ())), key=lambda each: each.order)
            cells.append(Cell(row, column, high, wide, in_lines(segments_of(inside, 3))))
    if sum(bool(cell.lines) for cell in cells) < 2 or len(cells) < 2:
        return None
    widths = [b - a for a, b in itertools.pairwise(grid.xs)]
    return _without_empty(unruled_rows.split_rows(Table(grid.box, widths, cells, rows, True)))


def _divided(rules: list[Rule], at: float, start: float, end: float) -> bool:
    """Whether a rule at this coordinate covers the middle of `start` to `end`."""
    middle = (start + end) / 2
    return any(abs(rule.at - at) <= _NEAR and rule.start <= middle <= rule.end for rule in rules)


def _joined_below(grid: Grid, row: int, column: int, wide: int) -> bool:
    """Whether the cell above extends into `row`: no rule crosses its columns, nor divides them below."""
    over = any(
        _divided(grid.lying, grid.ys[row], grid.xs[each], grid.xs[each + 1]) for each in range(column, column + wide)
    )
    between = any(
        _divided(grid.standing, grid.xs[each], grid.ys[row], grid.ys[row + 1])
        for each in range(column + 1, column + wide)
    )
    beside = all(
        each in (0, len(grid.xs) - 1) or _divided(grid.standing, grid.xs[each], grid.ys[row], grid.ys[row + 1])
        for each in (column, column + wide)
    )
    return beside and not over and not between


def _without_empty(table: Table) -> Table | None:
    """The table without rows and columns of only covered or empty cells, which double rules cause."""
    used_rows = sorted({cell.row for cell in table.cells if cell.lines or (cell.rows == 1 and cell.columns == 1)})
    used_columns = sorted({cell.column for cell in table.cells if cell.lines})
    if len(used_rows) < 1 or len(used_columns) < 2 or len(used_rows) * len(used_columns) < 2:
        return None
    if len(used_rows) == table.rows and len(used_columns) == len(table.widths):
        return table
    cells = []
    for cell in table.cells:
        if cell.row not in used_rows or cell.column not in used_columns:
            continue
        down = [each for each in used_rows if cell.row <= each < cell.row + cell.rows]
        across = [each for each in used_columns if cell.column <= each < cell.column + cell.columns]
        cells.append(
            Cell(used_rows.index(cell.row), used_columns.index(cell.column), len(down), len(across), cell.lines)
        )
    starts = [sum(table.widths[:each]) for each in used_columns] + [sum(table.widths)]
    starts[0] = 0
    widths = [after - before for before, after in itertools.pairwise(starts)]
    return Table(table.box, widths, cells, len(used_rows), table.ruled)
