"""Count the long texts of a workbook for each cell that shows them, before LibreOffice lays them out."""

from __future__ import annotations

import re
from collections import Counter

from engine.toolkit.failures import OverLimit

MOST_CHARACTERS = 40_000_000
"""The maximum characters of all cells with a long text: 32 million take 12 s, 96 million 26 s and more."""
_LONG = 1_000
"""The characters of a text from which on its length counts rather than its cell."""

_STRING = re.compile(rb"<(?:\w+:)?si\b")
_SHOWN = re.compile(rb"<(?:\w+:)?c\b([^<>]*+)>\s*+<(?:\w+:)?v>\s*+(\d{1,9})\s*+<")
_SHARED = re.compile(rb"""\bt=["']s["']""")
_TAG = re.compile(rb"<[^<>]*+>")
_ROW = re.compile(rb"<table:table-row\b")
_CELL = re.compile(rb"<table:table-cell\b")
_ROWS = re.compile(rb"table:number-rows-repeated=[\"'](\d{1,7})[\"']")
_COLUMNS = re.compile(rb"table:number-columns-repeated=[\"'](\d{1,7})[\"']")


class Texts:
    """Collects the long texts of a workbook, part by part: shared ones of xlsx, repeated ones of ods."""

    def __init__(self) -> None:
        self._lengths: list[int] = []
        self._shared: Counter[int] = Counter()
        self._repeated = 0

    def part(self, name: str, data: bytes) -> None:
        """Count the texts of a part."""
        small = name.lower()
        if small.endswith("sharedstrings.xml"):
            self._lengths = [_length(b"<" + each) for each in _STRING.split(data)[1:]]
        elif "worksheets/" in small:
            shown = (each for each in _SHOWN.finditer(data) if _SHARED.search(each[1]))
            self._shared.update(int(each[2]) for each in shown)
        elif small == "content.xml" and b"-repeated" in data and b"<table:table-row" in data:
            self._repeated += sum(map(_of_row, _ROW.split(data)[1:]))

    def check(self) -> None:
        """Raise OverLimit for too much text."""
        long = {at: length for at, length in enumerate(self._lengths) if length > _LONG}
        total = sum(length * self._shared[at] for at, length in long.items())
        if total + self._repeated > MOST_CHARACTERS:
            raise OverLimit("limit", "The workbook has too much text in all of its cells. Shorten the longest texts.")


def _of_row(row: bytes) -> int:
    """The characters of the long texts of a row of ods, as often as it and its cells are repeated."""
    if len(row) <= _LONG:
        return 0
    total = 0
    for cell in _CELL.split(row)[1:]:
        length = _length(b"<" + cell)
        total += length * _times(_COLUMNS, cell) if length > _LONG else 0
    return total * _times(_ROWS, row)


def _length(element: bytes) -> int:
    return len(_TAG.sub(b"", element))


def _times(repeated: re.Pattern[bytes], element: bytes) -> int:
    found = repeated.search(element.partition(b">")[0])
    return int(found[1]) if found else 1
