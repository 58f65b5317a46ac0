"""Arrange the tables of a structure tree: parts, head cells and their directions, and rows of one length.

ISO 32000-1, 14.8.4.3.4 and 14.8.5.7; ISO 14289-1, 7.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.families.html_pdf.source.cleaning import Element
from engine.families.html_pdf.tagged.nodes import Node

_PARTS = ("THead", "TBody", "TFoot")
_SPAN = re.compile(r"\s*(\d{1,4})")
_MOST_COLUMNS = 1_000


def is_data(table: Element) -> bool:
    """Whether a table has data, and does not only place things beside each other."""
    if (table.get("role") or "").strip().lower() in ("presentation", "none"):
        return False
    own = [each for each in table.iter("th", "caption", "thead") if next(each.iterancestors("table"), None) is table]
    if own:
        return True
    rows = [each for each in table.iter("tr") if next(each.iterancestors("table"), None) is table]
    if next(table.iterdescendants("table"), None) is not None:
        return False
    return len(rows) > 1 and max(sum(cell.tag in ("td", "th") for cell in row) for row in rows) > 1


def arrange(table: Node) -> None:
    """Put the parts of a table into their order, and complete its rows and head cells."""
    rows = [each for each in table.kids if isinstance(each, Node) and each.role == "TR"]
    parts = [each for each in table.kids if isinstance(each, Node) and each.role in _PARTS]
    others = [each for each in table.kids if each not in rows and each not in parts]
    captions = [each for each in others if isinstance(each, Node) and each.role == "Caption"]
    heads = [each for each in parts if each.role == "THead" and each.kids]
    for each in heads[1:]:
        each.role = "TBody"
    feet = [each for each in parts if each.role == "TFoot" and each.kids]
    for each in feet[1:]:
        each.role = "TBody"
    if parts and rows:
        parts = [each for each in parts if each.kids]
        loose = Node("TBody", list(rows))
        before = [each for each in parts if each.role == "THead"]
        parts = [*before, loose, *(each for each in parts if each not in before)]
    parts = sorted((each for each in parts if each.kids), key=lambda each: _PARTS.index(each.role))
    if parts and all(each.role != "TBody" for each in parts):
        parts[0].role = "TBody"
    table.kids = [*captions[:1], *(parts or rows)]
    for each in parts or [table]:
        _complete(each)
    width = max((_width(each) for each in parts or [table]), default=0)
    for each in parts or [table]:
        _lengthen(each, width)
    _direct(table)


def _rows(part: Node) -> list[Node]:
    return [each for each in part.kids if isinstance(each, Node) and each.role == "TR"]


def _cells(row: Node) -> list[Node]:
    return [each for each in row.kids if isinstance(each, Node) and each.role in ("TD", "TH")]


def _spans(cell: Node) -> tuple[int, int]:
    own = cell.own.get("Table", {})
    return int(str(own.get("ColSpan", 1))), int(str(own.get("RowSpan", 1)))


def _complete(part: Node) -> None:
    """Set the spans of cells; none reaches beyond the last row of its part."""
    rows = _rows(part)
    for at, row in enumerate(rows):
        row.kids = list(_cells(row))
        for cell in _cells(row):
            columns, down = (_number(cell.element, name) for name in ("colspan", "rowspan"))
            down = len(rows) - at if down == 0 else min(down, len(rows) - at)
            for name, value in (("ColSpan", max(columns, 1)), ("RowSpan", max(down, 1))):
                if value > 1:
                    cell.own.setdefault("Table", {})[name] = value


def _number(element: Element | None, name: str) -> int:
    found = _SPAN.match(element.get(name) or "") if element is not None else None
    return min(int(found[1]), 1000) if found else 1


def _placed(part: Node, width: int) -> Iterator[tuple[Node, list[int], int]]:
    """Each row with the columns in which its cells begin, and the number of columns that have something in it.

    Cells end before others that reach down from above, and at the last column of the table's `width`.
    """
    taken: dict[int, int] = {}
    for row in _rows(part):
        begins: list[int] = []
        began: dict[int, int] = {}
        at = 0
        for cell in _cells(row):
            columns, down = _spans(cell)
            while at in taken:
                at += 1
            last = min([column for column in taken if column > at] + [at + columns, max(width, at + 1)])
            if last - at < columns:
                cell.own["Table"]["ColSpan"] = last - at
            begins.append(at)
            began.update(dict.fromkeys(range(at, last), down))
            at = last
        yield row, begins, len(taken.keys() | began.keys())
        taken = {column: left - 1 for column, left in (taken | began).items() if left > 1}


def _width(part: Node) -> int:
    """The number of columns in which a cell begins, or the one before it."""
    return max((max(begins, default=-1) + 1 for _, begins, _ in _placed(part, _MOST_COLUMNS)), default=0)


def _lengthen(part: Node, width: int) -> None:
    """Append empty cells to rows that are too short."""
    for row, _, filled in _placed(part, width):
        for _ in range(width - filled):
            row.add("TD")


def _direct(table: Node) -> None:
    """Say of each head cell whether it is the head of its column or its row."""
    parts = [each for each in table.kids if isinstance(each, Node) and each.role in _PARTS]
    for part in parts or [table]:
        is_plain_head = part.role == "THead" and all(cell.role == "TD" for row in _rows(part) for cell in _cells(row))
        for row in _rows(part):
            cells = [each for each in _cells(row) if each.element is not None]
            if is_plain_head:
                for cell in cells:
                    cell.role = "TH"
            for cell in cells:
                if cell.role == "TH":
                    cell.own.setdefault("Table", {})["Scope"] = _scope(cell, part, cells)


def _scope(cell: Node, part: Node, cells: list[Node]) -> str:
    given = (cell.element.get("scope") or "").strip().lower() if cell.element is not None else ""
    if given in ("row", "rowgroup"):
        return "Row"
    if given in ("col", "colgroup") or part.role == "THead" or all(each.role == "TH" for each in cells):
        return "Column"
    return "Row"
