"""Write out the repeated rows and cells, and the groups of rows, of OpenDocument tables, which pandoc does not read."""

from __future__ import annotations

import re
from copy import deepcopy

from engine.families.documents.odf.names import TABLE, count
from engine.families.documents.ooxml.package import Element

HINTS = (b"-columns-repeated", b"-rows-repeated")
GROUPS = re.compile(rb"</?table:table-(?:rows|row-group)(?:\s[^<>]*)?>")
_CELLS = (TABLE + "table-cell", TABLE + "covered-table-cell")
_COLUMNS, _ROWS = TABLE + "number-columns-repeated", TABLE + "number-rows-repeated"
_MOST_COLUMNS, _MOST_ROWS, _MOST = 64, 1_000, 20_000
"""The repetitions of one cell and of one row, and the elements that all copies in a text have together."""


def write_out(root: Element) -> bool:
    """Write out repeated cells and rows in place. Returns whether there were any; those after the maximum stay one."""
    room = _MOST
    before = room
    for cell in [each for each in root.iter(*_CELLS) if each.get(_COLUMNS)]:
        room -= _repeat(cell, _COLUMNS, _MOST_COLUMNS, room)
    for row in [each for each in root.iter(TABLE + "table-row") if each.get(_ROWS)]:
        room -= _repeat(row, _ROWS, _MOST_ROWS, room)
    return room < before


def _repeat(each: Element, name: str, most: int, room: int) -> int:
    """Add copies, and return how many elements they have together."""
    times = count(each.get(name), most=most) - 1
    added = times * sum(1 for _ in each.iter())
    if not times or added > room or each.getparent() is None:
        return 0
    del each.attrib[name]
    tail, each.tail = each.tail, None
    last = None
    for _ in range(times):
        copy = deepcopy(each)
        each.addnext(copy)
        last = copy if last is None else last
    if last is not None:
        last.tail = tail
    return added
