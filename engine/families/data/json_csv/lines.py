"""Assemble CSV lines from sparse cells, row by row."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from engine.families.data.json_csv.cells import ALONE

_CELLS_AT_ONCE = 1 << 22
_WIDTH_IN_ORDER = 2048
_MOST_FAILURES = 6


class Lines:
    """Writes the rows of one file, and remembers whether trying cells in column order pays off."""

    def __init__(self, *, joints: tuple[str, str]) -> None:
        self._joints = joints
        self._pause = 0
        self._failures = 0

    def lines(self, places: Sequence[int], cells: Sequence[str], ends: Sequence[int], *, width: int) -> Iterator[str]:
        """Yield text of several rows at a time, each of `width` cells, missing ones empty.

        `places` are the column indexes of `cells`; row n ends before `ends[n]`. A place equal to `width` drops the
        cell. `joints` are the delimiter and the line terminator.
        """
        if width == 1:
            yield self._alone(places, cells, ends)
            return
        count = max(1, _CELLS_AT_ONCE // width)
        begin = 0
        for first in range(0, len(ends), count):
            some = [end - begin for end in ends[first : first + count]]
            stop = begin + some[-1]
            yield self._some(places[begin:stop], cells[begin:stop], some, width)
            begin = stop

    def _alone(self, places: Sequence[int], cells: Sequence[str], ends: Sequence[int]) -> str:
        """Return rows of a single column, with no empty lines."""
        lines = []
        begin = 0
        for end in ends:
            row = [cell for place, cell in zip(places[begin:end], cells[begin:end], strict=True) if not place]
            lines.append((row[-1] if row else "") or ALONE)
            begin = end
        lines.append("")
        return self._joints[1].join(lines)

    def _some(self, places: Sequence[int], cells: Sequence[str], ends: Sequence[int], width: int) -> str:
        if self._pause or width > _WIDTH_IN_ORDER:
            self._pause = max(self._pause - 1, 0)
        else:
            text = _in_order(places, cells, ends, width=width, joints=self._joints)
            if text is not None:
                self._failures = 0
                return text
            self._failures = min(self._failures + 1, _MOST_FAILURES)
            self._pause = 1 << self._failures
        return _anyhow(places, cells, ends, width=width, joints=self._joints)


def _in_order(
    places: Sequence[int], cells: Sequence[str], ends: Sequence[int], *, width: int, joints: tuple[str, str]
) -> str | None:
    """Join all cells at once, each with the delimiters before it; None unless every row is in column order."""
    delimiter, line_end = joints
    before: list[int] = []  # the index from which the delimiters before a cell or line terminator are counted
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
    copy = ([""] * (width + 1)).copy
    pairs = zip(places, cells, strict=True)
    found = []
    begin = 0
    for end in ends:
        row = copy()
        for place, cell in islice(pairs, end - begin):
            row[place] = cell
        row.pop()
        found.append(delimiter.join(row))
        begin = end
    found.append("")
    return line_end.join(found)
