"""Lay out table columns on paper: widths, text size, and distribution over pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.families.data.table import Table
from engine.families.data.values import Number, Value, texts
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

TEXT = 9.0
SMALLEST = 5.0
"""Text sizes in points: the default, and the smallest legible one."""
PADDING = 0.45
"""Space between a cell's text and either edge; like all widths of columns, in units of the text size."""
_SLACK = 0.35  # for borders, and for letters wider than average
_BOLD = 1.1
_MEASURED = 2000  # characters of a cell; longer text is broken in any case
_WIDEST = 27.0
_NARROWEST = 13.0
# Advance widths of U+0020 to U+007E in thousandths, those of Helvetica and of the fonts that replace it.
_ADVANCES = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
_ASCII = (*(0.0 for _ in range(32)), *(each / 1000 for each in _ADVANCES), 0.0)
_SIGNED = r"[-+\u2212]?[$€£¥]? ?(?:0|[1-9]\d{0,2}(?:([,.'\u00a0\u202f ])\d{3})(?:\1\d{3})*|[1-9]\d*)"
_NUMBER = re.compile(rf"\(?{_SIGNED}?(?:[.,]\d+)?(?:[eE][-+]?\d+)?\)? ?[%$€£¥]?")


def is_number(value: Value) -> bool:
    """Whether a value is a number by its type."""
    return isinstance(value, int | float | Number) and not isinstance(value, bool)


@dataclass
class Column:
    """The measures of a column over all of its cells, in units of the text size."""

    longest: float = 0.0
    """The longest line."""
    word: float = 0.0
    """The longest word."""
    numeric: bool = True
    filled: bool = False

    def see(self, cells: Sequence[str], values: Iterable[Value]) -> None:
        """Measure some cells: their texts, and the values that these represent."""
        for cell, value in zip(cells, values, strict=True):
            if not cell:
                continue
            if not (" " in cell or "\n" in cell):
                size = _length(cell[:_MEASURED])
                self.longest, self.word = max(self.longest, size), max(self.word, size)
            else:
                start = cell[:_MEASURED]
                self.longest = max((self.longest, *map(_length, start.splitlines())))
                self.word = max((self.word, *map(_length, start.split())))
            self.filled = True
            if self.numeric and not is_number(value):
                self.numeric = isinstance(value, str) and _NUMBER.fullmatch(cell) is not None and cell[-1:] != "("

    def name(self, text: str) -> None:
        """Measure the column's name, which is printed bold."""
        start = text[:_MEASURED]
        lines = (min(_length(line), _NARROWEST) for line in start.splitlines())
        self.longest = max((self.longest, *(each * _BOLD for each in lines)))
        self.word = max((self.word, *(_length(word) * _BOLD for word in start.split())))

    @property
    def natural(self) -> float:
        """The width at which only long texts are broken."""
        return min(self.longest, _WIDEST) + 2 * PADDING + _SLACK

    @property
    def least(self) -> float:
        """The narrowest width at which only long words are broken."""
        return min(self.word, self.longest, _NARROWEST) + 2 * PADDING + _SLACK


def _length(text: str) -> float:
    if text.isascii():
        return sum(map(_ASCII.__getitem__, text.encode()))
    return sum(_ASCII[ord(each)] if each < "\x80" else 1.0 if each > "\u1100" else 0.65 for each in text)


@dataclass
class Measured:
    """A table whose cells were measured: its header, if any, its columns and its number of rows."""

    table: Table
    header: list[str] | None
    skip: int
    """Rows at the beginning that are the header."""
    columns: list[Column] = field(default_factory=list)
    rows: int = 0

    @property
    def natural(self) -> float:
        """The width of the table in points at the default text size."""
        return TEXT * sum(each.natural for each in self.columns)


def measure(table: Table, *, first_is_header: bool, most: int) -> Measured:
    """Measure a table of at most `most` cells. Raises OverLimit for a larger one; may raise Widened."""
    header = list(table.columns) if table.named else None
    found = Measured(table, header, 0, [Column() for _ in table.columns])
    width = len(table.columns) + 1  # a row is as much work as one more cell
    for batch in table.batches():
        found.rows += len(batch)
        if (found.rows + 1) * width > most:
            advice = (
                say(" Split it into files of at most {most} rows.", most=most // width - 1) if most // width > 1 else ""
            )
            raise OverLimit("timeout", say("The table has too many cells for a PDF.{advice}", advice=advice))
        rows = texts(batch)
        if first_is_header and found.header is None and rows:
            found.header, found.skip = list(rows[0]), 1
            rows, batch = rows[1:], batch[1:]
        if rows:
            cells, values = zip(*rows, strict=True), zip(*batch, strict=True)
            for column, shown, typed in zip(found.columns, cells, values, strict=True):
                column.see(shown, typed)
    for column, name in zip(found.columns, found.header or (), strict=False):
        column.name(name)
    return found


@dataclass(frozen=True)
class Band:
    """Columns that are drawn side by side, by their numbers, and the width of each in points."""

    columns: tuple[int, ...]
    widths: tuple[float, ...]


@dataclass(frozen=True)
class Layout:
    """The bands of a table, from top to bottom, and their text size in points."""

    bands: tuple[Band, ...]
    size: float


def lay_out(columns: Sequence[Column], room: float, *, fit: bool) -> Layout:
    """Lay out columns in `room` points: unchanged, or with long texts broken, in smaller text, or in several bands.

    Each band after the first repeats the first column, to identify its rows.
    """
    natural = [each.natural * TEXT for each in columns]
    least = [each.least * TEXT for each in columns]
    everything = tuple(range(len(columns)))
    if sum(natural) <= room:
        return Layout((Band(everything, tuple(natural)),), TEXT)
    if sum(least) <= room:
        spread = (room - sum(least)) / (sum(natural) - sum(least))
        widths = tuple(low + (high - low) * spread for low, high in zip(least, natural, strict=True))
        return Layout((Band(everything, widths),), TEXT)
    scale = max(room / sum(least), SMALLEST / TEXT) if fit else 1.0
    widths = tuple(min(each * scale, room / 2) for each in least)
    if sum(widths) <= room * 1.0001:
        return Layout((Band(everything, widths),), TEXT * scale)
    bands: list[Band] = []
    taken: list[int] = []
    for column in everything:
        if taken and sum(widths[each] for each in taken) + widths[column] > room:
            bands.append(_band(taken, widths, room))
            taken = [0]
        taken.append(column)
    bands.append(_band(taken, widths, room))
    return Layout(tuple(bands), TEXT * scale)


def _band(columns: list[int], widths: Sequence[float], room: float) -> Band:
    scale = min(1.0, room / sum(widths[each] for each in columns))
    return Band(tuple(columns), tuple(widths[each] * scale for each in columns))
