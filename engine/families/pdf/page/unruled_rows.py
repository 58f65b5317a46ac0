"""Split tables into rows where rules are only between columns or every few rows."""

from __future__ import annotations

import re

from engine.families.pdf.page.segments import Segment
from engine.families.pdf.page.tables import Cell, Table

_FIGURE = re.compile(r"^[^\w\n]*+(?:\d[\d.,'’\s]*+|[A-Za-z]{1,2}\)|)[^\w\n]*+$")
"""A number with its signs, or a placeholder: a dash, dots, or a letter for an unknown value."""

_FEWEST = 3
"""The minimum stacked numbers that are rows: two may be an estimate and its error, or a range."""

_PAIR = re.compile(r"^\d[\d.,'’\s]*%?$")
"""A number without sign or brackets, as an error estimate would have."""

_FIGURES = 0.8
_NEAR = 0.5
"""Times the text size: the maximum distance of lines in one row."""

_OFF = 0.3
"""Times the text size: text between two lines and this far from both belongs to neither."""

Lines = list[list[Segment]]


def split_rows(table: Table) -> Table:
    """The table with its rows split by line if their cells hold columns of numbers."""
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
    """The positions of the rows inside one ruled row; none if it is one."""
    figures = [cell.lines for cell in cells if _are_figures(cell.lines)]
    if len(figures) < 2:
        return _two_rows_of(cells)
    bases: list[float] = []
    for base, size in sorted((line[0].base, line[0].size) for lines in figures for line in lines):
        if not bases or base - bases[-1] > _NEAR * size:
            bases.append(base)
    if len(bases) > 1.5 * max(map(len, figures)):
        return []  # unrelated columns
    alone = []
    for cell in cells:
        for at, line in enumerate(cell.lines):
            if _nearest(bases, line) is None and not _goes_on(cell.lines[at + 1 : at + 2]):
                alone.append(line[0].base)
    return sorted({*bases, *alone})


def _two_rows_of(cells: list[Cell]) -> list[float]:
    """The positions of two labelled rows beside a centred cell that belongs to both."""
    pairs = [cell.lines for cell in cells if len(cell.lines) == 2]
    figures = [lines for lines in pairs if all(_PAIR.match(text) for text in _texts(lines))]
    names = [lines for lines in pairs if all(text[:1].isupper() for text in _texts(lines))]
    if len(figures) < 2 or not names:
        return []
    first, second = (line[0].base for line in figures[0])
    in_line = all(
        abs(one[0].base - base) <= _NEAR * one[0].size
        for lines in (*figures, *names)
        for one, base in zip(lines, (first, second), strict=True)
    )
    between = any(len(cell.lines) == 1 and _is_between(cell.lines[0][0], [first, second]) for cell in cells)
    return [first, second] if in_line and between else []


def _is_between(segment: Segment, bases: list[float]) -> bool:
    return bases[0] + _OFF * segment.size < segment.base < bases[1] - _OFF * segment.size


def _texts(lines: Lines) -> list[str]:
    return ["".join(each.text for each in line).strip() for line in lines]


def _are_figures(lines: Lines) -> bool:
    texts = _texts(lines)
    if len(texts) < _FEWEST or not any(character.isdigit() for text in texts for character in text):
        return False
    return sum(bool(_FIGURE.match(text)) for text in texts) >= _FIGURES * len(texts)


def _nearest(bases: list[float], line: list[Segment]) -> int | None:
    at = min(range(len(bases)), key=lambda each: abs(bases[each] - line[0].base))
    return at if abs(bases[at] - line[0].base) <= _NEAR * line[0].size else None


def _goes_on(following: Lines) -> bool:
    """Whether these lines complete a two-line row label whose numbers are beside the second line."""
    return bool(following) and following[0][0].text[:1].islower()


def _each(cell: Cell, row: int, bases: list[float]) -> list[Cell]:
    """The cell split by row; a line level with none starts the next, or belongs to both of two."""
    if len(bases) == 2 and cell.lines and all(_is_between(line[0], bases) for line in cell.lines):
        return [Cell(row, cell.column, 2, cell.columns, cell.lines)]
    inside: list[Lines] = [[] for _ in bases]
    for line in cell.lines:
        at = _nearest(bases, line)
        if at is None:
            at = next((each for each, base in enumerate(bases) if base > line[0].base), len(bases) - 1)
        inside[at].append(line)
    return [Cell(row + at, cell.column, 1, cell.columns, lines) for at, lines in enumerate(inside)]
