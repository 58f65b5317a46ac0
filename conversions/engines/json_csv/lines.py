"""Lines of CSV from cells that are known row by row, with gaps between them."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from itertools import chain

_CELLS_AT_ONCE = 1 << 22
_WIDTH_IN_ORDER = 2048


def lines(
    places: Sequence[int], cells: Sequence[str], ends: Sequence[int], *, width: int, joints: tuple[str, str]
) -> Iterator[str]:
    """Rows of `width` cells, the missing ones empty, some rows at a time.

    `places` are the columns of `cells`, row n ends before `ends[n]`; a place of `width` is for cells that are left
    out. `joints` are the delimiter and the line end.
    """
    count = max(1, _CELLS_AT_ONCE // width)
    begin = 0
    for first in range(0, len(ends), count):
        some = [end - begin for end in ends[first : first + count]]
        rows = places[begin : begin + some[-1]], cells[begin : begin + some[-1]], some
        text = _in_order(*rows, width=width, joints=joints) if width <= _WIDTH_IN_ORDER else None
        yield _anyhow(*rows, width=width, joints=joints) if text is None else text
        begin += some[-1]


def _in_order(
    places: Sequence[int], cells: Sequence[str], ends: Sequence[int], *, width: int, joints: tuple[str, str]
) -> str | None:
    """The same, all cells at once: each with the delimiters before it; None unless all rows are in order of columns."""
    delimiter, line_end = joints
    before: list[int] = []  # the place that the delimiters before a cell, or before a line end, are counted from
    after: list[int] = []
    written: list[str] = []
    begin = 0
    for end in ends:
        row = places[begin:end]
        before.append(0)
        before += row
        after += row
        after.append(width - 1)
        written += cells[begin:end]
        written.append(line_end)
        begin = end
    gaps = list(map(operator.sub, after, before))
    if min(gaps) < 0:
        return None
    delimiters = [delimiter * count for count in range(max(gaps) + 1)]
    return "".join(chain.from_iterable(zip(map(delimiters.__getitem__, gaps), written, strict=True)))


def _anyhow(
    places: Sequence[int], cells: Sequence[str], ends: Sequence[int], *, width: int, joints: tuple[str, str]
) -> str:
    delimiter, line_end = joints
    blank = [""] * (width + 1)
    found = []
    begin = 0
    for end in ends:
        row = blank.copy()
        for place, cell in zip(places[begin:end], cells[begin:end], strict=True):
            row[place] = cell
        row.pop()
        found.append(delimiter.join(row))
        begin = end
    found.append("")
    return line_end.join(found)
