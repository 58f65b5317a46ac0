"""Tables of many rows in parts: the engine lays out all that is left of one anew for every page."""

from __future__ import annotations

from xml.dom.minidom import Node

from conversions.families.html_pdf.source.tree import Element
from conversions.families.html_pdf.xhtml2pdf.ledger import Repeated
from conversions.families.html_pdf.xhtml2pdf.lists import number
from conversions.families.html_pdf.xhtml2pdf.styled import StyledTree

LONG, PART = 60, 40
"""Rows from which on a table is cut, and of one part."""


def cut(tree: StyledTree, table: Element, found: list[Element], repeated: int) -> list[Element]:
    """Move the rows of a table into further ones after it, between which no cell spans, each beneath its header.

    `repeated` is what the tables say of their header to the engine. Returns the further ones.
    """
    table.setAttribute("repeat", str(repeated))
    header = next((row.parentNode for row in found if row.parentNode.tagName == "thead"), None)
    rows = [row for row in found if row.parentNode is not header]
    parts: list[list[Element]] = [[]]
    reach = 0
    for at, row in enumerate(rows):
        if len(parts[-1]) >= PART and reach <= at:
            parts.append([])
        parts[-1].append(row)
        cells = [each for each in row.childNodes if each.nodeType == Node.ELEMENT_NODE]
        reach = max([reach, *(at + number(cell.getAttribute("rowspan"), 1) for cell in cells)])
    made: list[Element] = []
    for inside in parts[1:]:
        part = _copy(tree, table, deep=False)
        if header is not None:
            part.appendChild(_copy(tree, header, deep=True))
        group, copied = None, part
        for row in inside:
            if row.parentNode is not group:
                group = row.parentNode
                copied = part.appendChild(_copy(tree, group, deep=False))
            copied.appendChild(row)
        table.parentNode.insertBefore(part, (made[-1] if made else table).nextSibling)
        made.append(part)
    return made


def _copy(tree: StyledTree, element: Element, *, deep: bool) -> Element:
    """An element with its styles, without an id, whose texts are not owed again."""
    copied = element.cloneNode(deep)
    pairs = [(element, copied)]
    while pairs:
        old, new = pairs.pop()
        if old in tree.said:
            tree.said[new] = tree.said[old]
        if new.nodeType == Node.TEXT_NODE:
            new.data = Repeated(new.data)
        elif new.nodeType == Node.ELEMENT_NODE and new.hasAttribute("id"):
            new.removeAttribute("id")
        pairs += zip(old.childNodes, new.childNodes, strict=False) if deep else ()
    return copied
