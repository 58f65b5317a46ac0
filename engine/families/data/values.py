"""The values of cells and document leaves, and their texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from types import NoneType
from typing import Any, cast

import msgspec

Value = Any
"""None, bool, int, float, Number, NotFinite, str, Decimal, bytes, a date or time, or a list or dict of them."""

MAX_DIGITS = 4000
"""Longer integers stay text: parsing digits takes quadratic time."""


class Number(str):
    """A number in source form, where a float would lose digits or notation (`1.10`, `1e400`)."""

    __slots__ = ()


class NotFinite(str):
    """A float that JSON does not support: its text is `NaN`, `Infinity` or `-Infinity`."""

    __slots__ = ()


def number(digits: str) -> float | Number:
    """Return the float whose shortest form is `digits`, else the digits; numbers with an exponent keep their digits."""
    value = float(digits)
    return value if repr(value) == digits and "e" not in digits else Number(digits)


def integer(digits: str) -> int | Number:
    """An integer of any length, kept as digits if it is too long to compute with."""
    return int(digits) if len(digits) <= MAX_DIGITS else Number(digits)


def spelled_integer(digits: str) -> int | Number:
    """As `integer`, but minus zero keeps its sign."""
    return Number(digits) if digits == "-0" else integer(digits)


def finite(value: float) -> float | NotFinite:
    """The value, or its name if it is not a finite number."""
    if math.isfinite(value):
        return value
    return NotFinite("NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity")


def exact_float(digits: Number) -> float | None:
    """Return the float with exactly the value of these digits, of which at most 17 are significant, or None."""
    value = float(digits)
    if math.isfinite(value) and Decimal(repr(value)) == exact(digits):
        return value
    return None


def exact(digits: str) -> Decimal:
    """The number with exactly these digits; NaN where its exponent is beyond those of a Decimal, of 18 digits."""
    try:
        return Decimal(digits)
    except InvalidOperation:
        return Decimal("NaN")


def raw(value: object) -> Any:
    """Encode types that JSON lacks: a Number as its digits, non-finite floats as null."""
    if isinstance(value, Number):
        return msgspec.Raw(value.encode())
    if isinstance(value, NotFinite):
        return None
    return str(value)


_compact = msgspec.json.Encoder(enc_hook=raw, decimal_format="number")


def text(value: Value) -> str:
    """A value as the text of one cell.

    Booleans are `true` and `false`, dates and times ISO 8601, None is empty, lists and objects are compact JSON.
    """
    write = _TEXTS.get(type(value))
    if write is not None:
        return write(value)
    if isinstance(value, str):
        return value
    if isinstance(value, list | dict):
        return _compact.encode(value).decode()
    if isinstance(value, date | time | timedelta | bytes):
        return str(msgspec.to_builtins(value))  # as in JSON
    return str(value)


_NUMBERS = {int, float}


def texts(rows: list[list[Value]]) -> list[Sequence[str]]:
    """Each value in rows of equal length as `text` gives it."""
    if not any(rows):
        return [[] for _ in rows]
    # By column: what its values have in common is checked once.
    return list(zip(*map(column_texts, zip(*rows, strict=True)), strict=True))


def column_texts(column: Sequence[Value]) -> Sequence[str]:
    """Each value of one column as `text` gives it."""
    kinds = set(map(type, column))
    if kinds == {str}:
        return cast("Sequence[str]", column)
    if kinds <= _NUMBERS:
        numbers = list(map(repr, column))
        if "n" not in "".join(numbers):  # nan, inf
            return numbers
    if len(kinds) == 1:
        return list(map(_TEXTS.get(kinds.pop(), text), column))
    return [cell if type(cell) is str else _TEXTS.get(type(cell), text)(cell) for cell in column]


def _float_text(value: float) -> str:
    return repr(value) if math.isfinite(value) else str(finite(value))


_TEXTS: dict[type, Callable[[Any], str]] = {
    int: repr,
    float: _float_text,
    NoneType: lambda _: "",
    bool: lambda value: "true" if value else "false",
    date: date.isoformat,
    datetime: msgspec.to_builtins,  # as in JSON
    Decimal: lambda value: format(value, "f"),  # with all digits: `0.00`, not `0E-2`
}
"""A fast path for the most common types."""


def plain(value: str) -> str:
    """The text with lone surrogates, which can't be encoded, replaced by U+FFFD."""
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
