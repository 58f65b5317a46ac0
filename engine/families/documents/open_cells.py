"""Put what cells of OpenDocument tables hold in a form that pandoc 3.9 reads there: paragraphs and lists."""

from __future__ import annotations

import copy
from collections import deque

from lxml import etree

from engine.families.documents.odf.names import TABLE, TEXT
from engine.families.documents.ooxml.package import Element

HINT = b"<table:table-cell"
_CELL, _PARAGRAPH, _HEADING = f"{TABLE}table-cell", f"{TEXT}p", f"{TEXT}h"
_WRAPPERS = frozenset(
    f"{TEXT}{name}"
    for name in ("section", "index-body", "index-title", "table-of-content", "alphabetical-index", "bibliography",
                 "illustration-index", "object-index", "table-index", "user-index", "numbered-paragraph")
)  # fmt: skip


def simplified(root: Element) -> tuple[bool, int]:
    """Change the cells of a text in place: headings become paragraphs, sections their content, and each row of a table
    inside a line. Returns whether any changed, and the number of those lines."""
    changed, rows = False, 0
    for cell in [each for each in root.iter(_CELL) if next(each.iterancestors(_CELL), None) is None]:
        left = deque(cell)
        while left:
            each = left.popleft()
            if each.tag == _HEADING:
                each.tag, changed = _PARAGRAPH, True
            elif each.tag in _WRAPPERS or each.tag == f"{TABLE}table":
                if each.tag in _WRAPPERS:
                    inside = list(each)
                else:
                    inside = _lines(each)
                    rows += len(inside)
                left.extendleft(reversed(inside))
                for one in inside:
                    each.addprevious(one)
                cell.remove(each)
                changed = True
    return changed, rows


def _lines(table: Element) -> list[Element]:
    """A paragraph for each row, with the paragraphs of its cells divided by tabs."""
    lines: list[Element] = []
    last = None
    for paragraph in table.iter(_PARAGRAPH, _HEADING):
        around = next(paragraph.iterancestors(_CELL, _PARAGRAPH, _HEADING))
        if around.tag != _CELL:
            continue  # of a note or box in another paragraph, which has it
        if around.getparent() is not last:
            last = around.getparent()
            lines.append(etree.Element(_PARAGRAPH))
        else:
            etree.SubElement(lines[-1], f"{TEXT}tab")
        part = etree.SubElement(lines[-1], f"{TEXT}span")
        part.text = paragraph.text
        part.extend(copy.deepcopy(each) for each in paragraph)
    return lines
