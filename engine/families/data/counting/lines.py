"""Count and slice the lines of a text file with one row a line."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

_BLOCK = 1 << 14


class Lines:
    """The lines of a file from `begin` on, found by counting line ends by block."""

    def __init__(self, data: bytes, begin: int = 0) -> None:
        self._data = data
        self._starts = range(begin, len(data), _BLOCK)
        ends = (data.count(b"\n", start, start + _BLOCK) for start in self._starts)
        self._before = [0, *accumulate(ends)]
        self._begin = begin
        self.count = self._before[-1] + (len(data) > begin and not data.endswith(b"\n"))

    def between(self, first: int, last: int) -> bytes:
        """Return the lines from `first` up to, not including, `last`."""
        return self._data[self._offset(first) : self._offset(last)]

    def _offset(self, line: int) -> int:
        """Return the offset of a line."""
        if line <= 0:
            return self._begin
        if line > self._before[-1]:
            return len(self._data)
        block = bisect_left(self._before, line) - 1  # the block in which the previous line ends
        place = self._starts[block]
        for _ in range(line - self._before[block]):
            place = self._data.index(b"\n", place) + 1
        return place
