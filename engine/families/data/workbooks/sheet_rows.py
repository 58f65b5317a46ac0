"""The rows of one sheet: cropped, merged areas filled, as values or displayed texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from types import MappingProxyType, NoneType
from typing import Any

from python_calamine import CalamineSheet

from engine.families.data import cell_references as places
from engine.families.data.features import Found
from engine.families.data.table import Row, Table, batched, check_width, column_name, unique_names
from engine.families.data.values import Value, text
from engine.families.data.workbooks.facts import SheetFacts
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_EXACT = 10**16
"""From here on, floats are not formatted with all digits of an integer."""

_AS_THEY_ARE = {bool, date, time, NoneType}

_EMPTY_ROWS = Kind("CONTENT_DROPPED", "Empty rows were left out: {count}{places}. Use emptyRows to keep them.")

Show = Callable[[list[Row], int, int], None]
"""Replaces values by texts; the numbers are those of the first row and column, from 0."""
Timed = Callable[[], Iterator[places.Place]]
"""The cells whose number format shows a time of day, row by row."""


def table(
    sheet: CalamineSheet,
    facts: SheetFacts,
    options: Any,
    warn: Warn,
    found: Found,
    *,
    show: Show | None = None,
    timed: Timed | None = None,
    days: Mapping[places.Place, Value] = MappingProxyType({}),
) -> tuple[Table, places.Area]:
    """The sheet's rows from the first value on, and the area they may be in.

    `days` replace what the library makes of numbers that are no day. Raises InvalidOption for a range without cells.
    """
    read = _Sheet(sheet, facts, options, warn, found, show, timed, days)
    return read.table, replace(read.wanted, top=read.top, left=read.area.left)


class _Sheet:
    """One sheet, without empty rows, and without rows and columns before the first value."""

    def __init__(
        self,
        sheet: CalamineSheet,
        facts: SheetFacts,
        options: Any,
        warn: Warn,
        found: Found,
        show: Show | None,
        timed: Timed | None,
        days: Mapping[places.Place, Value],
    ) -> None:
        self.sheet = sheet
        self.facts = facts
        self.warn = warn
        self.show = show
        self.timed = timed
        self.header = options.header_row
        self.keep_empty = options.empty_rows
        self.merged = sorted(facts.merged, key=lambda each: each.top) if options.fill_merged else []
        self.left = sheet.start[1] if sheet.start else 0
        self.area = self._area(options)
        self.top = self.area.top
        self.exact: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for (row, column), value in ({} if show else facts.exact).items():
            self.exact[row].append((column - self.left, value))
        self.days: dict[int, list[tuple[int, Value]]] = defaultdict(list)
        for (row, column), day in days.items():
            self.days[row].append((column - self.left, day))
        check_width(sheet.width)
        first = next((row for batch in self._batches() for row in batch), [])
        if self.header:
            columns = unique_names([text(cell) for cell in first], warn, sheet.name)
        else:
            columns = [column_name(index) for index in range(len(first))]
        self.table = Table(sheet.name, columns, self.batches, named=self.header, nulls=False, found=found)

    def _area(self, options: Any) -> places.Area:
        """The requested cells that the sheet has."""
        wanted = places.Area()
        if options.range:
            area = places.area(options.range)
            if area is None:
                raise InvalidOption("range", "Enter a range of cells such as A1:D20, A:D or 2:50.")
            wanted = area
        self.wanted = wanted
        bottom, right = self.sheet.end or (0, 0)
        left = wanted.left if wanted.left else self.left if not options.range else 0
        cut = places.Area(wanted.top + options.skip_rows, left, min(wanted.bottom, bottom), min(wanted.right, right))
        if options.range and self.sheet.start and (cut.top > cut.bottom or cut.left > cut.right):
            raise InvalidOption("range", say("The sheet “{name}” has no cells in this range.", name=self.sheet.name))
        return cut

    def _batches(self) -> Iterator[list[Row]]:
        """The rows from the first value on."""
        if self.sheet.height == 0:
            return
        area, started, top = self.area, False, 0
        fill = _Fill(self.merged, self.left)
        midnights = None if self.timed is None else _Midnights(self.timed(), self.left)
        for rows in batched(self.sheet.iter_rows()):
            base, top = top, top + len(rows)
            self._convert(rows, base)
            if midnights:
                midnights(rows, base)
            fill(rows, base)
            if base < area.top or top > area.bottom + 1:
                rows = rows[max(0, area.top - base) : max(0, area.bottom + 1 - base)]
            if area.left != self.left or area.right - self.left + 1 != self.sheet.width:
                pad: Row = [None] * max(0, self.left - area.left)
                first, last = max(0, area.left - self.left), area.right - self.left + 1
                rows = [pad + row[first:last] for row in rows]
            if not started:
                cut_top = max(base, area.top)
                first = next((at for at, row in enumerate(rows) if any(cell is not None for cell in row)), len(rows))
                del rows[:first]
                started = bool(rows)
                self.top = cut_top + first
            if rows:
                yield rows
            if top > area.bottom:
                return

    def _convert(self, rows: list[Row], base: int) -> None:
        for at in range(base, base + len(rows)) if self.days else ():
            for index, day in self.days.get(at, ()):
                if 0 <= index < len(rows[at - base]):
                    rows[at - base][index] = day
        if self.show:
            self.show(rows, base, self.left)
        for index, column in enumerate(zip(*rows, strict=True)):
            values = _values(column)
            if values is not column:
                for row, value in zip(rows, values, strict=True):
                    row[index] = value
        for at in range(base, base + len(rows)) if self.exact else ():
            for index, exact in self.exact.get(at, ()):
                if isinstance(rows[at - base][index], float):
                    rows[at - base][index] = exact

    def batches(self) -> Iterator[list[Row]]:
        header, dropped = self.header, 0
        for batch in self._batches():
            if header and batch:
                del batch[0]
                header = False
            filled = batch if self.keep_empty else [row for row in batch if row.count(None) < len(row)]
            dropped += len(batch) - len(filled)
            yield filled
        if dropped:
            self.warn.tally(_EMPTY_ROWS, dropped, [f"“{self.sheet.name}”"], part=self.sheet.name)


class _Fill:
    """Repeats the first cell of each merged area in all of its cells, row by row."""

    def __init__(self, merged: list[places.Area], left: int) -> None:
        self.waiting = merged[::-1]
        self.open: list[tuple[places.Area, Value]] = []
        self.left = left

    def __call__(self, rows: list[Row], base: int) -> None:
        if not self.waiting and not self.open:
            return
        for at, row in enumerate(rows, base):
            while self.waiting and self.waiting[-1].top <= at:
                area = self.waiting.pop()
                place = area.left - self.left
                if area.top == at and 0 <= place < len(row):
                    self.open.append((area, row[place]))
            for area, value in self.open:
                first, last = area.left - self.left, min(area.right - self.left + 1, len(row))
                row[first:last] = [value] * (last - first)
            self.open = [each for each in self.open if each[0].bottom > at]


class _Midnights:
    """Turns dates into moments where the format shows a time of day: midnight is a whole number of days as well."""

    def __init__(self, timed: Iterator[places.Place], left: int) -> None:
        self.timed = timed
        self.left = left
        self.next: places.Place | None = (-1, 0)

    def __call__(self, rows: list[Row], base: int) -> None:
        if not any(type(cell) is date for row in rows for cell in row):
            return
        while self.next and self.next[0] < base + len(rows):
            row, column = self.next[0] - base, self.next[1] - self.left
            if row >= 0 and 0 <= column < len(rows[row]) and type(day := rows[row][column]) is date:
                rows[row][column] = datetime(day.year, day.month, day.day)
            self.next = next(self.timed, None)


def _values(column: tuple[Value, ...]) -> Iterable[Value]:
    """A column of cells as values."""
    # As a whole if all cells have one type, as in most columns.
    kinds = set(map(type, column))
    if kinds == {str}:
        return [_value(cell) for cell in column] if "" in column or "\0" in "".join(column) else column
    if kinds == {float}:
        return [int(cell) if cell.is_integer() and abs(cell) < MAX_EXACT else cell for cell in column]
    if kinds <= _AS_THEY_ARE:
        return column
    return [_value(cell) for cell in column]


def _undoubled(cell: str) -> str:
    """Repair UTF-16 text that was decoded byte by byte; cells contain no NUL otherwise."""
    try:
        return cell.encode("latin-1").decode("utf-16-le")
    except UnicodeError:
        return cell


def _value(cell: Value) -> Value:
    if type(cell) is str:
        return _undoubled(cell) if "\0" in cell else cell or None
    if type(cell) is float and cell.is_integer() and abs(cell) < MAX_EXACT:
        return int(cell)
    if type(cell) is datetime and cell.microsecond:
        # A timestamp is a float of days with inaccurate last digits: round to milliseconds.
        rounded = cell + timedelta(microseconds=500)
        return rounded.replace(microsecond=rounded.microsecond // 1000 * 1000)
    return cell
