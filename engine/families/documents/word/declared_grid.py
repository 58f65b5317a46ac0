"""Make the declared grid of a table match its rows (ECMA-376, part 1, 17.4.47)."""

from __future__ import annotations

import bisect
from itertools import pairwise

from lxml import etree

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import W, child, integer, points, value

_SAME = 3.0
"""Cell edges closer than this, in points, are the same grid line."""
_MOST_COLUMNS = 200
_USUAL = 450.0
"""The width in points of a table that declares none."""


def widen(table: Element) -> bool:
    """Widen the grid of a table whose rows have more columns than it declares, and return whether that was necessary.

    If all cells have a width, the grid lines are the cell edges, and a wide cell spans several columns; otherwise all
    columns are equally wide.
    """
    rows = rows_of(table)
    cells = [cells_of(row) for row in rows]
    grid = child(table, "tblGrid")
    declared = [] if grid is None else list(grid.iterfind(W + "gridCol"))
    widths = [points(each.get(W + "w")) or 0.0 for each in declared]
    counts = [_count(child(row, "trPr"), "gridBefore") + _spans(each) for row, each in zip(rows, cells, strict=True)]
    most = max(counts, default=0)
    # If widths are missing, readers take the grid from the first row.
    enough = len(declared) if all(widths) else min(len(declared), *counts[:1], most)
    if not enough < most <= _MOST_COLUMNS:
        return False
    widths = _by_edges(rows, cells) or [(sum(widths) or _USUAL) / most] * most
    if grid is None:
        grid = etree.Element(W + "tblGrid")
        table.insert(0 if (properties := child(table, "tblPr")) is None else table.index(properties) + 1, grid)
    for each in declared:
        grid.remove(each)
    for at, width in enumerate(widths):
        grid.insert(at, etree.Element(W + "gridCol", {W + "w": str(round(width * 20))}))
    return True


def fill(table: Element) -> bool:
    """Insert an empty cell where a row skips columns at its start, and at the end of a first row that is too short.

    Returns whether there was such a row.
    """
    rows = rows_of(table)
    cells = [cells_of(row) for row in rows]
    skipped = [_count(child(row, "trPr"), "gridBefore") for row in rows]
    counts = [before + _spans(each) for before, each in zip(skipped, cells, strict=True)]
    for own, before in zip(cells, skipped, strict=True):
        if own and before:
            own[0].addprevious(_blank(before))
    missing = max(counts) - counts[0] if cells and cells[0] else 0
    if missing:
        cells[0][-1].addnext(_blank(missing))
    return bool(missing or any(skipped))


def _blank(columns: int) -> Element:
    cell = etree.Element(W + "tc")
    _set(cell, "tcPr", "gridSpan", min(columns, _MOST_COLUMNS))
    cell.append(etree.Element(W + "p"))
    return cell


def rows_of(table: Element) -> list[Element]:
    return _unwrapped(table, "tr")


def cells_of(row: Element) -> list[Element]:
    return _unwrapped(row, "tc")


def _unwrapped(parent: Element, name: str) -> list[Element]:
    """Children with a name, including those in content controls or unknown markup."""
    found = []
    for each in parent:
        if each.tag == W + name:
            found.append(each)
        elif each.tag in (W + "sdt", W + "sdtContent", W + "customXml", W + "ins"):
            found += _unwrapped(each, name)
    return found


def _count(properties: Element | None, name: str) -> int:
    return max(0, integer(value(child(properties, name))) or 0)


def _spans(cells: list[Element]) -> int:
    return sum(_count(child(each, "tcPr"), "gridSpan") or 1 for each in cells)


def _by_edges(rows: list[Element], cells: list[list[Element]]) -> list[float]:
    """Set the spans of all cells by their edges, and return the column widths between them; none if a width is missing.

    Nothing is changed if a cell is narrower than the distance within which two edges are one.
    """
    edges: list[list[float]] = []
    for row, own in zip(rows, cells, strict=True):
        properties = child(row, "trPr")
        skipped = _width(child(properties, "wBefore")) if _count(properties, "gridBefore") else 0.0
        if skipped is None:
            return []
        at = [skipped]
        for each in own:
            width = _width(child(child(each, "tcPr"), "tcW"))
            if not width:
                return []
            at.append(at[-1] + width)
        edges.append(at)
    every = [0.0]
    for edge in sorted(edge for at in edges for edge in at):
        if edge - every[-1] > _SAME:
            every.append(edge)
    places = [[bisect.bisect_right(every, edge) - 1 for edge in at] for at in edges]
    if any(right <= left for at in places for left, right in pairwise(at)):
        return []
    if len(every) - 1 > _MOST_COLUMNS:
        return []
    for row, own, place in zip(rows, cells, places, strict=True):
        _set(row, "trPr", "gridBefore", place[0])
        for each, left, right in zip(own, place[:-1], place[1:], strict=True):
            _set(each, "tcPr", "gridSpan", right - left)
    return [right - left for left, right in pairwise(every)]


def _width(element: Element | None) -> float | None:
    """A width in points, if it is given as a length."""
    return points(element.get(W + "w")) if element is not None and element.get(W + "type") in (None, "dxa") else None


def _set(parent: Element, kind: str, name: str, number: int) -> None:
    """Write a count into the properties of a row or cell, unless it is the default."""
    properties = child(parent, kind)
    mark = child(properties, name)
    if mark is None:
        if number == (0 if name == "gridBefore" else 1):
            return
        if properties is None:
            properties = etree.Element(W + kind)
            parent.insert(0, properties)
        mark = etree.Element(W + name)
        # The schema requires the span after the width.
        first = child(properties, "tcW")
        properties.insert(0 if first is None else properties.index(first) + 1, mark)
    mark.set(W + "val", str(number))
