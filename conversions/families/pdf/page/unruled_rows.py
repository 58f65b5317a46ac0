"""Rows that no rule parts: of a table with rules only between its columns, or around every fifth row."""

from __future__ import annotations

import re

from conversions.families.pdf.page.segments import Segment
from conversions.families.pdf.page.tables import Cell, Table

_FIGURE = re.compile(r"^[^\w\n]*(?:[\d.,'’\s]*\d[\d.,'’\s]*|\(?[A-Za-z]{1,2}\)|)[^\w\n]*$")
"""A number with its signs, or what stands in its place: a dash, dots, or a letter for what is not known."""

_FEWEST = 3
"""Numbers below each other that are rows: two are an estimate and its error, or the ends of a range."""

_FIGURES = 0.8
_NEAR = 0.5
"""Times the size: lines no farther apart are of one row."""

Lines = list[list[Segment]]


def parted(table: Table) -> Table:
    """The table with a row for each line of those whose cells hold columns of numbers."""
    cells: list[Cell] = []
    added = 0
    spanned = {row for cell in table.cells if cell.rows > 1 for row in range(cell.row, cell.row + cell.rows)}
    by_row: dict[int, list[Cell]] = {}
    for cell in table.cells:
        by_row.setdefault(cell.row, []).append(cell)
    for row in range(table.rows):
        found = by_row.get(row, [])
        bases = [] if row in spanned else _rows_of(found)
        for cell in found:
            if len(bases) < 2:
                cells.append(Cell(row + added, cell.column, cell.rows, cell.columns, cell.lines))
            else:
                cells += _each(cell, row + added, bases)
        added += max(0, len(bases) - 1)
    return Table(table.box, table.widths, cells, table.rows + added, table.ruled, table.end) if added else table


def _rows_of(cells: list[Cell]) -> list[float]:
    """How far down the rows inside one ruled row stand; none where it is one."""
    figures = [cell.lines for cell in cells if _are_figures(cell.lines)]
    if len(figures) < 2:
        return []
    bases: list[float] = []
    for base, size in sorted((line[0].base, line[0].size) for lines in figures for line in lines):
        if not bases or base - bases[-1] > _NEAR * size:
            bases.append(base)
    if len(bases) > 1.5 * max(map(len, figures)):
        return []  # columns that have nothing to do with each other
    alone = []
    for cell in cells:
        for at, line in enumerate(cell.lines):
            if _nearest(bases, line) is None and not _goes_on(cell.lines[at + 1 : at + 2]):
                alone.append(line[0].base)
    return sorted({*bases, *alone})


def _are_figures(lines: Lines) -> bool:
    texts = ["".join(each.text for each in line) for line in lines]
    if len(texts) < _FEWEST or not any(character.isdigit() for text in texts for character in text):
        return False
    return sum(bool(_FIGURE.match(text)) for text in texts) >= _FIGURES * len(texts)


def _nearest(bases: list[float], line: list[Segment]) -> int | None:
    at = min(range(len(bases)), key=lambda each: abs(bases[each] - line[0].base))
    return at if abs(bases[at] - line[0].base) <= _NEAR * line[0].size else None


def _goes_on(following: Lines) -> bool:
    """Whether a name of two lines, whose numbers stand beside the second, ends with these."""
    return bool(following) and following[0][0].text[:1].islower()


def _each(cell: Cell, row: int, bases: list[float]) -> list[Cell]:
    """The cell as one for each of these rows; a line beside none of them begins the next."""
    inside: list[Lines] = [[] for _ in bases]
    for line in cell.lines:
        at = _nearest(bases, line)
        if at is None:
            at = next((each for each, base in enumerate(bases) if base > line[0].base), len(bases) - 1)
        inside[at].append(line)
    return [Cell(row + at, cell.column, 1, cell.columns, lines) for at, lines in enumerate(inside)]
