"""Join tables that continue on the next page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import accumulate

from engine.families.pdf.page.blocks import Block
from engine.families.pdf.page.tables import Cell, Table

_EDGE = 4.0
"""Points: the maximum offset between the columns of the two parts."""

_LOW = 0.7
"""The share of the page height above which a table's end is not a page break."""


def joined_tables(blocks: Iterable[Block], sizes: Mapping[int, tuple[float, float]]) -> Iterator[Block]:
    """The blocks, with tables joined that end a page and continue with the same columns on the next.

    A repeated header is kept once; `sizes` are the page sizes by number.
    """
    held: Block | None = None
    page = -1
    for block in blocks:
        first = block.page != page
        page = block.page
        table = _joined(held, block, sizes) if held is not None and first else None
        if held is not None and table is not None:
            held = replace(held, table=table, page=held.page)
            continue
        if held is not None:
            yield held
        held = block
    if held is not None:
        yield held


def _joined(before: Block, block: Block, sizes: Mapping[int, tuple[float, float]]) -> Table | None:
    above, below = before.table, block.table
    if above is None or below is None or len(above.widths) != len(below.widths) or above.ruled != below.ruled:
        return None
    number, bottom = above.end if above.end[0] >= 0 else (before.page, above.box[3])
    if number != block.page - 1 or bottom < _LOW * sizes[number][1]:
        return None
    head = [cell.text for cell in above.cells if cell.row == 0]
    repeated = any(head) and [cell.text for cell in below.cells if cell.row == 0] == head and below.rows > 1
    if not repeated and not (above.ruled and _aligned(above, below)):
        return None
    skip = 1 if repeated else 0
    if any(cell.row < skip < cell.row + cell.rows for cell in below.cells):
        return None
    moved = [
        Cell(cell.row + above.rows - skip, cell.column, cell.rows, cell.columns, cell.lines)
        for cell in below.cells
        if cell.row >= skip
    ]
    return Table(
        above.box,
        above.widths,
        [*above.cells, *moved],
        above.rows + below.rows - skip,
        above.ruled,
        end=(block.page, below.box[3]),
    )


def _aligned(above: Table, below: Table) -> bool:
    starts = (accumulate(each.widths, initial=each.box[0]) for each in (above, below))
    return all(abs(one - other) <= _EDGE for one, other in zip(*starts, strict=True))
