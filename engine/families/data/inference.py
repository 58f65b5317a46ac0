"""Infer the type of a text column, where converting every cell is lossless."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import MAXYEAR, MINYEAR, date, datetime, time
from typing import Any, Literal

from engine.families.data.values import Number, Value, exact_float, finite, number
from engine.toolkit.failures import InvalidOption

Kind = Literal["integer", "long", "number", "not a number", "boolean", "date", "moment", "instant", "time", "text"]
"""A `long` is an integer of 64 bits that a float may change. A `moment` is a date and time without a time zone, an
`instant` one with. A column that has nothing but NaN stays text."""

BOOLEANS = {"true": True, "false": False, "TRUE": True, "FALSE": False, "True": True, "False": False}
EXACT_DIGITS = 15
"""Digits that every 64-bit float preserves."""

NOTHING = frozenset(("NULL", "null", r"\N"))
"""How databases write that there is no value; in columns of text they are text."""
LEAST, MOST = -(2**63), 2**63 - 1

_INTEGER = re.compile(r"-?0|-?[1-9]\d{0,14}", re.ASCII)
_LONG = re.compile(r"-?[1-9]\d{15,18}", re.ASCII)
_DECIMAL = re.compile(r"-?(?:(?:0|[1-9]\d*)\.\d*|\.\d+)|-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)[eE][+-]?\d{1,3}", re.ASCII)
_NOT_A_NUMBER = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_TIMED = re.compile(
    r"(\d{4}-\d\d-\d\d)?([T ])?(\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?", re.ASCII
)
_NO_WHOLE, _NO_FRACTION = re.compile(r"^(-?)\."), re.compile(r"(\d)\.(?=[eE]|$)")
TEXTS = ("text", "not a number", None)
"""Kinds of columns that keep their texts."""
_GROUPS = {"none": "", "space": " ", "apostrophe": "'"}
_ORDERS = {
    "iso": "", "dd.mm.yyyy": "%d.%m.%Y", "dd/mm/yyyy": "%d/%m/%Y", "dd-mm-yyyy": "%d-%m-%Y", "mm/dd/yyyy": "%m/%d/%Y",
    "yyyy/mm/dd": "%Y/%m/%d",
}  # fmt: skip


class Spelling:
    """The notation of numbers, dates and nothing in a file.

    `usual` is a decimal point, no thousands separator, ISO 8601, and no `nothing` but an empty cell and NOTHING.

    Raises InvalidOption if one character has two meanings.
    """

    def __init__(self, options: Any) -> None:
        self._group = _GROUPS.get(options.thousands, options.thousands)
        self._point = options.decimal
        self._order = _ORDERS[options.date_format]
        if self._group == self._point:
            raise InvalidOption("thousands", "Choose different separators for thousands and decimals.")
        self._zones = options.zones
        self.nothing = frozenset(filter(None, (options.nulls or "").split(",")))
        self.usual = not (self._group or self._order or self.nothing) and self._point == "."
        group, point = re.escape(self._group), re.escape(self._point)
        grouped = rf"|\d{{1,3}}(?:{group}\d{{3}})+" if group else ""
        self._number = re.compile(rf"-?(?:\d+{grouped})(?:{point}\d+)?", re.ASCII)

    def kind(self, cell: str) -> Kind | None:
        """The type in which a non-empty cell is spelled; None if it says that there is no value.

        Leading zeros, plus signs, integers beyond 64 bits and fractions that a float would change stay text.
        """
        if cell in NOTHING or cell in self.nothing:
            return None
        digits = self._digits(cell)
        if _INTEGER.fullmatch(digits):
            return "integer"
        if _LONG.fullmatch(digits):
            return "long" if LEAST <= int(digits) <= MOST else "text"
        if _DECIMAL.fullmatch(digits):
            exact = (len(digits) <= EXACT_DIGITS and "e" not in digits.lower()) or exact_float(
                Number(digits)
            ) is not None
            return "number" if exact else "text"
        if _NOT_A_NUMBER.fullmatch(cell):
            return "not a number"
        if cell in BOOLEANS:
            return "boolean"
        return self._moment(cell)

    def value(self, kind: Kind | None, cell: str) -> Value:
        """A cell of a column of this type; None for an empty one, and for a spelling of nothing.

        In a column of text those are only the spellings that were given.
        """
        if not cell or cell in self.nothing or (cell in NOTHING and kind not in TEXTS):
            return None
        return _VALUES[kind or "text"](self, cell)

    def count_nothing(self, batch: list[list[str]], kinds: list[Kind | None]) -> int:
        """The cells in rows of text that are read as nothing, besides empty ones."""
        return sum(
            sum(map(cells.count, self.nothing if kind in TEXTS else self.nothing | NOTHING))
            for kind, cells in zip(kinds, zip(*batch, strict=True), strict=bool(batch))
        )

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

    def real(self, cell: str) -> Value:
        """A cell of a column of floats, which have a zero of each sign."""
        return -0.0 if cell == "-0" else self.number(cell)

    def number(self, cell: str) -> Value:
        digits = self._digits(cell)
        if _INTEGER.fullmatch(digits) or _LONG.fullmatch(digits):
            return int(digits)
        return finite(float(cell)) if _NOT_A_NUMBER.fullmatch(cell) else number(plain(digits))


def plain(digits: str) -> str:
    """A number as JSON spells it (RFC 8259, 6): `0.5` for `.5`, `5.0` for `5.`."""
    return _NO_FRACTION.sub(r"\1.0", _NO_WHOLE.sub(r"\g<1>0.", digits))


_VALUES: dict[Kind, Callable[[Spelling, str], Value]] = {
    "integer": Spelling.number,
    "long": Spelling.number,
    "number": Spelling.real,
    "not a number": lambda _, cell: cell,
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
    return next((kind for kind, all_of in _JOINED.items() if found <= all_of), "text")


_JOINED: dict[Kind, frozenset[Kind]] = {
    "long": frozenset(("integer", "long")),
    "number": frozenset(("integer", "number", "not a number")),
}


def typed(batch: list[list[str]], kinds: list[Kind | None], spelling: Spelling) -> list[list[Value]]:
    """Convert rows of text to rows of values."""
    columns = [
        [cell or None for cell in cells]
        if kind in TEXTS and not spelling.nothing
        else [spelling.value(kind, cell) for cell in cells]
        for kind, cells in zip(kinds, zip(*batch, strict=True), strict=bool(batch))
    ]
    return list(map(list, zip(*columns, strict=True)))
