"""Infer the type of a text column, where converting every cell is lossless."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import MAXYEAR, MINYEAR, date, datetime, time
from typing import Any, Literal

from engine.families.data.values import Number, Value, exact_float, number
from engine.toolkit.failures import InvalidOption

Kind = Literal["integer", "number", "boolean", "date", "moment", "instant", "time", "text"]
"""A `moment` is a date and time without a time zone, an `instant` one with."""

BOOLEANS = {"true": True, "false": False, "TRUE": True, "FALSE": False, "True": True, "False": False}
EXACT_DIGITS = 15
"""Digits that every 64-bit float preserves."""

_INTEGER = re.compile(r"0|-?[1-9]\d{0,14}", re.ASCII)
_DECIMAL = re.compile(r"-?(?:0|[1-9]\d*)\.\d+|-?[1-9](?:\.\d+)?[eE][+-]\d{1,3}", re.ASCII)
"""Exponents need a sign, as programs write them; `1e5` may be a name."""
_TIMED = re.compile(
    r"(\d{4}-\d\d-\d\d)?([T ])?(\d\d:\d\d:\d\d(?:\.\d{1,6})?)?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?", re.ASCII
)
_GROUPS = {"none": "", "space": " ", "apostrophe": "'"}
_ORDERS = {
    "iso": "", "dd.mm.yyyy": "%d.%m.%Y", "dd/mm/yyyy": "%d/%m/%Y", "dd-mm-yyyy": "%d-%m-%Y", "mm/dd/yyyy": "%m/%d/%Y",
    "yyyy/mm/dd": "%Y/%m/%d",
}  # fmt: skip


class Spelling:
    """The notation of numbers and dates in a file; `usual` is a decimal point, no thousands separator, and ISO 8601.

    Raises InvalidOption if one character has two meanings.
    """

    def __init__(self, options: Any) -> None:
        self._group = _GROUPS.get(options.thousands, options.thousands)
        self._point = options.decimal
        self._order = _ORDERS[options.date_format]
        if self._group == self._point:
            raise InvalidOption("thousands", "Choose different separators for thousands and decimals.")
        self._zones = options.zones
        self.usual = not self._group and self._point == "." and not self._order
        group, point = re.escape(self._group), re.escape(self._point)
        grouped = rf"|\d{{1,3}}(?:{group}\d{{3}})+" if group else ""
        self._number = re.compile(rf"-?(?:\d+{grouped})(?:{point}\d+)?", re.ASCII)

    def kind(self, cell: str) -> Kind:
        """The type in which a non-empty cell is spelled.

        Leading zeros, plus signs, exponents without a sign, integers of over 15 digits and fractions that a float would
        change stay text.
        """
        digits = self._digits(cell)
        if _INTEGER.fullmatch(digits):
            return "integer"
        if _DECIMAL.fullmatch(digits):
            exact = (len(digits) <= EXACT_DIGITS and "e" not in digits.lower()) or exact_float(
                Number(digits)
            ) is not None
            return "number" if exact else "text"
        if cell in BOOLEANS:
            return "boolean"
        return self._moment(cell)

    def value(self, kind: Kind | None, cell: str) -> Value:
        """A cell of a column of this type; empty cells are None."""
        return _VALUES[kind or "text"](self, cell) if cell else None

    def _digits(self, cell: str) -> str:
        if self.usual:
            return cell
        plain = cell.replace("\u00a0", " ").replace("\u202f", " ") if self._group == " " else cell
        if not self._number.fullmatch(plain):
            return ""
        return (plain.replace(self._group, "") if self._group else plain).replace(self._point, ".")

    def _moment(self, cell: str) -> Kind:
        match = _TIMED.fullmatch(cell)
        try:
            if match and match[3]:
                if match[1] and match[2]:
                    found = datetime.fromisoformat(cell)
                    if not match[4]:
                        return "moment"
                    # In the first and the last year, conversion to UTC may leave the calendar.
                    return "instant" if self._zones and MINYEAR < found.year < MAXYEAR else "text"
                if not (match[1] or match[2] or match[4]):
                    time.fromisoformat(cell)
                    return "time"
            elif (match and match[1] and not match[2]) or self._order:
                self.date(cell)
                return "date"
        except ValueError:
            pass
        return "text"

    def date(self, cell: str) -> date:
        """A date in this notation or in ISO 8601."""
        if self._order and not _TIMED.fullmatch(cell):
            return datetime.strptime(cell, self._order).date()
        return date.fromisoformat(cell)

    def number(self, cell: str) -> Value:
        digits = self._digits(cell)
        return int(digits) if _INTEGER.fullmatch(digits) else number(digits)


_VALUES: dict[Kind, Callable[[Spelling, str], Value]] = {
    "integer": Spelling.number,
    "number": Spelling.number,
    "boolean": lambda _, cell: BOOLEANS[cell],
    "date": Spelling.date,
    "moment": lambda _, cell: datetime.fromisoformat(cell),
    "instant": lambda _, cell: datetime.fromisoformat(cell),
    "time": lambda _, cell: time.fromisoformat(cell),
    "text": lambda _, cell: cell,
}


def joined(kinds: Iterable[Kind]) -> Kind | None:
    """The common type of a column with cells of these types; None if it has no cells."""
    found = set(kinds)
    if len(found) <= 1:
        return next(iter(found), None)
    return "number" if found == {"integer", "number"} else "text"


def typed(batch: list[list[str]], kinds: list[Kind | None], spelling: Spelling) -> list[list[Value]]:
    """Convert rows of text to rows of values."""
    columns = [
        [cell or None for cell in cells] if kind in ("text", None) else [spelling.value(kind, cell) for cell in cells]
        for kind, cells in zip(kinds, zip(*batch, strict=True), strict=bool(batch))
    ]
    return list(map(list, zip(*columns, strict=True)))
