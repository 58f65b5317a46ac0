"""Put rotated lines, such as vertical column headers, into the empty table cells in which they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from engine.families.pdf.page.lines import Line
from engine.families.pdf.page.tables import Cell, Table


def filled(column: Sequence[Any], tables: Sequence[Table]) -> list[Any]:
    """Return a column of the page without the lines that were put into a cell.

    A line is put into a cell only if the table column it is drawn in has a single empty cell, which leaves no doubt.
    """
    return [each for each in column if not (isinstance(each, Line) and each.turn in (1, 3) and _goes_in(each, tables))]


def _goes_in(line: Line, tables: Sequence[Table]) -> bool:
    middle = (line.x0 + line.x1) / 2
    across, down = (-line.base, middle) if line.turn == 1 else (line.base, -middle)
    for table in tables:
        left, top, right, bottom = table.box
        if left <= across <= right and top <= down <= bottom:
            cell = _empty(table, across - left)
            if cell is not None:
                cell.lines.append([replace(each, turn=0) for each in line.row])
                return True
    return False


def _empty(table: Table, across: float) -> Cell | None:
    ends = accumulate(table.widths)
    column = next((at for at, end in enumerate(ends) if across <= end), len(table.widths) - 1)
    found = [each for each in table.cells if each.column == column and each.columns == 1 and not each.text]
    return found[0] if len(found) == 1 else None
