"""Write OpenDocument tables as pandoc reads them: without repetitions and groups of rows, and with all columns."""

from __future__ import annotations

import re
from copy import deepcopy

from engine.families.documents.odf.names import TABLE, count
from engine.families.documents.ooxml.package import Element

HINTS = (b"-columns-repeated", b"-rows-repeated")
GROUPS = re.compile(rb"</?table:table-(?:rows|row-group)(?:\s[^<>]*)?>")
_CELLS = (TABLE + "table-cell", TABLE + "covered-table-cell")
_HEAD = TABLE + "table-header-rows"
_COLUMNS, _ROWS = TABLE + "number-columns-repeated", TABLE + "number-rows-repeated"
_MOST_COLUMNS, _MOST_ROWS, _MOST = 64, 1_000, 20_000
"""The repetitions of one cell and of one row, and the elements that all copies in a text have together."""


def write_out(root: Element) -> bool:
    """Write out repeated cells and rows in place. Returns whether there were any; those after the maximum stay one."""
    room = _MOST
    for cell in [each for each in root.iter(*_CELLS) if each.get(_COLUMNS)]:
        room -= _repeat(cell, _COLUMNS, _MOST_COLUMNS, room)
    for row in [each for each in root.iter(TABLE + "table-row") if each.get(_ROWS)]:
        room -= _repeat(row, _ROWS, _MOST_ROWS, room)
    return room < _MOST


def widen(root: Element) -> bool:
    """Add empty cells to a row of each table that has more columns than any row has cells. Returns whether any had.

    Pandoc takes the most cells of a row for the columns, and leaves out what spans push beyond them; of the cells that
    are added, it leaves out those that have no column.
    """
    changed = False
    for table in root.iter(TABLE + "table"):
        rows = [each for part in (table, *table.iterfind(_HEAD)) for each in part.iterfind(TABLE + "table-row")]
        columns = max((sum(1 for _ in row.iterchildren(*_CELLS)) for row in rows), default=0)
        cells, longest = max(((len(row.findall(_CELLS[0])), -at) for at, row in enumerate(rows)), default=(0, 0))
        for _ in range(columns - cells):
            rows[-longest].append(rows[-longest].makeelement(_CELLS[0]))
            changed = True
    return changed


def _repeat(each: Element, name: str, most: int, room: int) -> int:
    """Add copies, and return how many elements they have together."""
    times = count(each.get(name), most=most) - 1
    added = times * sum(1 for _ in each.iter())
    if not times or added > room or each.getparent() is None:
        return 0
    del each.attrib[name]
    tail, each.tail = each.tail, None
    for _ in range(times):
        each.addprevious(deepcopy(each))
    each.tail = tail
    return added
