"""Tables before the layout: spans cut to what the table has, and more cells than any page can show refused."""

from __future__ import annotations

from collections.abc import Sequence
from xml.dom.minidom import Node

from conversions.families.html_pdf.source.tree import Element, rows_of
from conversions.toolkit.failures import OverLimit

MOST_COLUMNS = 256
MOST_NESTED = 12


def check(tables: Sequence[Element]) -> None:
    """Cut the spans of `tables` in place. Raises OverLimit for too many columns and for tables too deep in tables."""
    for table in tables:
        if _depth(table) > MOST_NESTED:
            raise OverLimit("timeout", f"Tables are nested more than {MOST_NESTED} deep.")
        rows = [_cells(row) for row in rows_of(table)]
        most = max(map(len, rows), default=0)
        if most > MOST_COLUMNS:
            raise _too_wide(most)
        spans = [[min(_span(cell, "colspan"), MOST_COLUMNS) for cell in row] for row in rows]
        downs = [
            # A row span of 0 reaches to the end of the table (WHATWG HTML, 4.9.11).
            [min(_span(cell, "rowspan", zero=len(rows)), len(rows) - at) for cell in row]
            for at, row in enumerate(rows)
        ]
        _cut_at_last_column(spans, downs)
        for row, across, down in zip(rows, spans, downs, strict=True):
            for cell, columns, count in zip(row, across, down, strict=True):
                _set(cell, "colspan", columns)
                _set(cell, "rowspan", count)


def _cut_at_last_column(spans: list[list[int]], downs: list[list[int]]) -> None:
    """Cut, in place, the column spans that reach over columns in which no cell begins."""
    begins: list[list[int]] = []
    taken: list[int] = []  # the first row in which each column is free again
    for at, (across, down) in enumerate(zip(spans, downs, strict=True)):
        starts, column = [], 0
        for columns, count in zip(across, down, strict=True):
            while column < len(taken) and taken[column] > at:
                column += 1
            starts.append(column)
            taken += [0] * (column + columns - len(taken))
            taken[column : column + columns] = [at + count] * columns
            column += columns
            if column > 4 * MOST_COLUMNS:
                raise _too_wide(column)
        begins.append(starts)
    last = max((start for starts in begins for start in starts), default=0)
    if last >= MOST_COLUMNS:
        raise _too_wide(last + 1)
    for starts, across in zip(begins, spans, strict=True):
        across[:] = [min(columns, last + 1 - start) for start, columns in zip(starts, across, strict=True)]


def _too_wide(cells: int) -> OverLimit:
    return OverLimit("memory", f"A table has {cells} columns; at most {MOST_COLUMNS} fit on paper.")


def _depth(table: Element) -> int:
    depth, node = 1, table.parentNode
    while node is not None:
        depth += node.nodeType == Node.ELEMENT_NODE and node.tagName == "table"
        node = node.parentNode
    return depth


def _cells(row: Element) -> list[Element]:
    return [child for child in row.childNodes if child.nodeType == Node.ELEMENT_NODE and child.tagName in ("td", "th")]


def _span(cell: Element, name: str, *, zero: int = 1) -> int:
    text = cell.getAttribute(name).strip()
    if not text.isascii() or not text.isdigit():
        return 1
    return min(int(text[:9]), 65_534) or zero


def _set(cell: Element, name: str, span: int) -> None:
    if span > 1:
        cell.setAttribute(name, str(span))
    elif cell.hasAttribute(name):
        cell.removeAttribute(name)
