"""The values of columns as SQLite stores them, and the types to declare for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import MAXYEAR, MINYEAR, datetime
from types import NoneType

import msgspec

from engine.families.data.schema import LARGEST, PLAIN_KINDS, Kind, Type
from engine.families.data.values import NotFinite, Number, Value, exact_float, integer, number, plain, text

Cells = Sequence[Value]

_KINDS: Mapping[type, Kind] = {kind: each for kind, each in PLAIN_KINDS.items() if each != "duration"} | {
    float: "number",
    NotFinite: "number",
}
"""The kinds of values by their types; those of other types are text."""
_TYPES: dict[Kind, str] = {
    "integer": "INTEGER",
    "number": "REAL",
    "boolean": "BOOLEAN",
    "bytes": "BLOB",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
}
_OWN: frozenset[Kind] = frozenset({*_TYPES, "time", "instant"})
"""Kinds that are not stored as the texts that others are."""
_UNCHANGED = {bool, float, bytes}
_NUMBERS = {int, float}

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class Column:
    """One column: the kinds of the values stored so far, and whether numbers that are too long became text."""

    def __init__(self) -> None:
        self.kinds: set[Kind] = set()
        self.long = False

    def declared(self, known: Type | None) -> str:
        """The type to declare: that of all values, or `known` if there are none; without it, each keeps its own."""
        kinds = self.kinds or {known.kind if known and known.kind in _OWN else "text"}
        return "" if len(kinds) > 1 else _TYPES.get(next(iter(kinds)), "TEXT")

    def stored(self, cells: Cells) -> Cells:
        """The values as SQLite stores them: checked by column, which is faster than by cell."""
        types = set(map(type, cells)) - {NoneType}
        if types <= _UNCHANGED:
            self.kinds.update(_KINDS[each] for each in types)
        elif types == {str} and _is_plain("".join(filter(None, cells))):
            self.kinds.add("text")
        elif types == {int} and _has_64_bits([cell for cell in cells if cell is not None]):
            self.kinds.add("integer")
        else:
            return [None if cell is None else self._stored(cell) for cell in cells]
        return cells

    def _stored(self, value: Value) -> Value:
        kind = type(value)
        if kind is int or kind is Number:
            found = _number(value)
            self.long = self.long or type(found) is str
            self.kinds.add("text" if type(found) is str else "integer" if kind is int else "number")
            return found
        self.kinds.add(_moment(value) if kind is datetime else _KINDS.get(kind, "text"))
        return value if kind in _UNCHANGED else plain(value) if kind is str else text(value)

    def parsed(self, joined: bytes) -> Cells:
        """The values of JSON in source form, joined with line feeds; lists and objects are text."""
        if joined.startswith(b"\n") or joined.endswith(b"\n") or b"\n\n" in joined or not joined:
            joined = b"\n".join(each or b"null" for each in joined.split(b"\n"))
        if b"[" not in joined and b"{" not in joined:
            with suppress(msgspec.DecodeError):
                values = _decode(b"[%b]" % joined.replace(b"\n", b","))
                if _is_exact(values, joined):
                    return self.stored(values)
        return self.stored(list(map(_parsed, joined.split(b"\n"))))


def _is_plain(joined: str) -> bool:
    """Whether a text has no lone surrogates."""
    try:
        return joined.isascii() or bool(joined.encode())
    except UnicodeEncodeError:
        return False


def _has_64_bits(numbers: list[int]) -> bool:
    return min(numbers) >= -LARGEST and max(numbers) < LARGEST


def _number(value: int | Number) -> int | float | str:
    if isinstance(value, int):
        return value if -LARGEST <= value < LARGEST else str(value)
    found = exact_float(value)
    return str(value) if found is None else found


def _moment(value: datetime) -> Kind:
    if value.utcoffset() is None:
        return "timestamp"
    # In the first and the last year, conversion to UTC may leave the calendar.
    return "instant" if MINYEAR < value.year < MAXYEAR else "text"


def _is_exact(values: list[Value], joined: bytes) -> bool:
    """Whether the numbers among decoded values are written as in their source."""
    if _NUMBERS.isdisjoint(map(type, values)):
        return True
    if b'"' not in joined:
        return _encode(values)[1:-1] == joined.replace(b"\n", b",")
    numbers = [each for each in values if type(each) in _NUMBERS]
    spelled = [each for each in joined.split(b"\n") if each[:1] not in _WORDS]
    return _encode(numbers)[1:-1] == b",".join(spelled)


_WORDS = (b'"', b"t", b"f", b"n")
"""How texts, booleans and nulls begin in JSON."""


def _parsed(token: bytes) -> Value:
    start = token[:1]
    if start in _WORDS:
        return _decode(token)
    digits = token.decode()
    if start in (b"[", b"{"):
        return digits
    return integer(digits) if digits.lstrip("-").isdigit() else number(digits)
