"""Tables that the surrounding text flows around (ECMA-376, part 1, 17.4.57)."""

from __future__ import annotations

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import declared_grid
from engine.families.documents.word.names import W, child, points, pt, value

_MOST_ROWS = 30
"""The maximum rows of a floating table, which must fit on a page because it is not split."""
_WIDEST = 330.0
"""The maximum width in points that leaves room for text beside the table."""


def is_beside(place: Element) -> bool:
    """Whether the table with this `w:tblpPr` can be drawn beside the text that follows it."""
    table = place.getparent().getparent()
    if table is None or (value(place, "vertAnchor") or "page") != "text" or value(place, "tblpXSpec") == "center":
        return False
    if next(table.iterancestors(W + "tc", W + "txbxContent"), None) is not None:
        return False
    return 0 < _width(table) <= _WIDEST and len(declared_grid.rows_of(table)) <= _MOST_ROWS


def beside(markup: str, table: Element, room: float) -> str:
    """The markup of a table, floated to its side if it has one."""
    place = child(child(table, "tblPr"), "tblpPr")
    if place is None or not is_beside(place):
        return markup
    width, x = _width(table), points(value(place, "tblpX")) or 0.0
    said = value(place, "tblpXSpec")
    right = said in ("right", "outside") or (said is None and x > (room - width) / 2)
    gap = points(value(place, "leftFromText" if right else "rightFromText")) or 0.0
    style = f"float:right;margin-left:{pt(gap)}" if right else f"float:left;margin-right:{pt(gap)}"
    return f'<div style="{style};margin-top:{pt(max(points(value(place, "tblpY")) or 0.0, 0.0))}">{markup}</div>'


def _width(table: Element) -> float:
    return sum(points(each.get(W + "w")) or 0.0 for each in table.iterfind(f"{W}tblGrid/{W}gridCol"))
