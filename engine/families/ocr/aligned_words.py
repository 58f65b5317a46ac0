"""Find tables without lines on a recognised page: words that stand below each other, with wide gaps between them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import mean, median

from engine.families.ocr.page import Page, Word
from engine.families.ocr.word_rows import GAP, Row, heights_of, rows_of

_FARTHEST = 3.6
"""Times the height of a line: rows farther apart are in different tables."""
_ROWS, _WORDS = 3, 4.0
"""The fewest rows of a table without lines, and the most words of its cells on average: others are columns of text."""
_FEW, _FULL = 3.0, 0.75
"""Fewer words than that are no line of a text, and a text fills more of its column."""
_NUMBERS = 0.7
"""The share of cells with digits in a table without lines that was read column by column: others are blocks of text."""
_ALIGNED = 0.6
"""The share of a column's cells with a common edge, and how exactly, in heights of a line."""
_MOST_COLUMNS = 60
"""More are no table."""

Cells = list[tuple[str, ...]]
"""The texts of the cells, row by row."""


def aligned(words: Sequence[Word], page: Page) -> list[tuple[Cells, set[int]]]:
    """The tables without lines among these words of a page, and the ids of the words of each."""
    rows = list(rows_of(words, heights_of(page)))
    lines = {id(word): number for number, line in enumerate(page.lines) for word in line.words}
    found: list[tuple[Cells, set[int]]] = []
    at = 0
    while at < len(rows):
        columns, end = _grown(rows, at)
        group = rows[at:end]
        if len(group) >= _ROWS and len(columns) >= 2 and _is_table(group, columns, lines):
            texts = []
            for row in group:
                cells = [""] * len(columns)
                for cell in row.cells:
                    cells[_over(columns, cell)[0]] = " ".join(each.text for each in cell)
                texts.append(tuple(cells))
            found.append((texts, {id(each) for row in group for cell in row.cells for each in cell}))
        # So that each row is tried a few times only.
        at = end if len(group) >= _ROWS else at + 1
    return found


def _grown(rows: Sequence[Row], start: int) -> tuple[list[list[float]], int]:
    """The columns of the rows from `start` on that fit one set of them, and the index of the next row."""
    columns: list[list[float]] = []
    at = start
    while at < len(rows) and 2 <= len(rows[at].cells) <= _MOST_COLUMNS:
        row = rows[at]
        if at > start and row.middle - rows[at - 1].middle > _FARTHEST * row.height:
            break
        wider = _fitted(columns, row)
        if wider is None:
            break
        columns = wider
        at += 1
    return columns, at


def _fitted(columns: Sequence[Sequence[float]], row: Row) -> list[list[float]] | None:
    """The columns widened or extended so that each cell is in one of its own; None if that is impossible."""
    wider = [list(each) for each in columns]
    taken = set()
    for cell in row.cells:
        over = _over(wider, cell)
        if len(over) > 1:
            return None
        if over:
            column = wider[over[0]]
            column[:] = min(column[0], cell[0].box[0]), max(column[1], cell[-1].box[2])
        else:
            column = [cell[0].box[0], cell[-1].box[2]]
            wider.append(column)
            wider.sort()
        if id(column) in taken:
            return None
        taken.add(id(column))
    if len(wider) > _MOST_COLUMNS or any(
        after[0] - before[1] < row.height * GAP / 2 for before, after in pairwise(wider)
    ):
        return None
    return wider


def _over(columns: Sequence[Sequence[float]], cell: Sequence[Word]) -> list[int]:
    return [at for at, (left, right) in enumerate(columns) if cell[0].box[0] <= right and cell[-1].box[2] >= left]


def _is_table(rows: Sequence[Row], columns: Sequence[Sequence[float]], lines: Mapping[int, int]) -> bool:
    """Whether cells are short and stand below each other; `lines` has the number of each word's line as it was read."""
    by_column: list[list[list[Word]]] = [[] for _ in columns]
    for row in rows:
        for cell in row.cells:
            by_column[_over(columns, cell)[0]].append(cell)
    if any(_is_text(cells, right - left) for cells, (left, right) in zip(by_column, columns, strict=True)):
        return False
    across = sum(len({lines[id(cell[0])] for cell in row.cells}) < len(row.cells) for row in rows)
    further = [cell for cells in by_column[1:] for cell in cells]
    numbers = sum(any(each.isdigit() for word in cell for each in word.text) for cell in further)
    if across < len(rows) / 2 and (len(rows) <= _ROWS or numbers < _NUMBERS * len(further)):
        return False
    near = _ALIGNED * median(row.height for row in rows)
    if any(len(cells) < 2 for cells in by_column) and len(columns) == 2:
        return False
    return sum(_is_straight(cells, near) for cells in by_column) >= len(columns) * (
        1 if len(columns) == 2 else _ALIGNED
    )


def _is_text(cells: Sequence[Sequence[Word]], width: float) -> bool:
    """Whether cells are rather the lines of a text in a column of this width."""
    words = mean(map(len, cells))
    filled = mean(each[-1].box[2] - each[0].box[0] for each in cells) / max(width, 1.0)
    return words > _WORDS or (words >= _FEW and filled > _FULL) or max(map(len, cells)) > 2 * _WORDS


def _is_straight(cells: Sequence[Sequence[Word]], near: float) -> bool:
    """Whether most cells share a left or right edge, or their centre."""
    sides = ([each[0].box[0] for each in cells], [each[-1].box[2] for each in cells],
             [(each[0].box[0] + each[-1].box[2]) / 2 for each in cells])  # fmt: skip
    for places in sides:
        places.sort()
        most = max(bisect_right(places, place + near) - at for at, place in enumerate(places))
        if most >= _ALIGNED * len(places):
            return True
    return False
