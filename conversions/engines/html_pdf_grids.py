"""Tables before the layout: spans cut to what the table has, and more cells than any page can show refused."""

from __future__ import annotations

from collections.abc import Sequence
from xml.dom.minidom import Element, Node

from conversions.converters.base import OverLimit
from conversions.engines.html_pdf_dom import rows_of

MOST_COLUMNS = 256
MOST_NESTED = 12


def check(tables: Sequence[Element]) -> None:
    """Cut the spans of `tables` in place. Raises OverLimit for rows of too many cells and for tables too deep in tables."""
    for table in tables:
        if _depth(table) > MOST_NESTED:
            raise OverLimit("timeout", f"Tables are nested more than {MOST_NESTED} deep.")
        rows = [_cells(row) for row in rows_of(table)]
        most = max(map(len, rows), default=0)
        if most > MOST_COLUMNS:
            raise OverLimit("memory", f"A table row has {most} cells; at most {MOST_COLUMNS} fit on paper.")
        for at, row in enumerate(rows):
            spans = [_span(cell, "colspan") for cell in row]
            if sum(spans) > MOST_COLUMNS:
                spans = [min(span, most) for span in spans]
            for cell, span in zip(row, spans, strict=True):
                _set(cell, "colspan", span)
                # A row span of 0 reaches to the end of the table (WHATWG HTML, 4.9.11).
                down = _span(cell, "rowspan", zero=len(rows))
                _set(cell, "rowspan", min(down, len(rows) - at))


def _depth(table: Element) -> int:
    depth, node = 1, table.parentNode
    while node is not None:
        depth += node.nodeType == Node.ELEMENT_NODE and node.tagName == "table"
        node = node.parentNode
    return depth


def _cells(row: Element) -> list[Element]:
    return [
        child for child in row.childNodes if child.nodeType == Node.ELEMENT_NODE and child.tagName in ("td", "th")
    ]


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
