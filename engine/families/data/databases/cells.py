"""The cells of SQLite tables: SQLite lacks types that others have, and its blobs are no text."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from datetime import date, datetime
from math import inf
from types import NoneType

from engine.families.data.values import Value, finite, text


def column(
    cells: Sequence[Value], believe: Callable[[Value], Value] | None, at: int, binary: set[int]
) -> Sequence[Value]:
    """The cells of a column, read as `believe` says; the index is added to `binary` if there are blobs."""
    kinds = set(map(type, cells))
    if bytes in kinds:
        binary.add(at)
        cells = tuple(b64encode(cell).decode() if type(cell) is bytes else cell for cell in cells)
    if float in kinds and (inf in cells or -inf in cells):
        cells = tuple(finite(cell) if type(cell) is float else cell for cell in cells)
    if believe is _boolean and kinds <= {int, NoneType} and set(cells) <= _BOOLEANS.keys():
        return list(map(_BOOLEANS.get, cells))
    return tuple(map(believe, cells)) if believe else cells


_BOOLEANS = {0: False, 1: True, None: None}


def _boolean(value: Value) -> Value:
    return bool(value) if type(value) is int and value in (0, 1) else value


def _date(value: Value) -> Value:
    return _parsed(value, date.fromisoformat)


def _moment(value: Value) -> Value:
    return _parsed(value, datetime.fromisoformat)


def _parsed(value: Value, parse: Callable[[str], Value]) -> Value:
    """The date or time in a text, if it is in canonical form."""
    if type(value) is not str:
        return value
    try:
        parsed = parse(value)
    except ValueError:
        return value
    return parsed if text(parsed) == value else value


DECLARED: dict[str, Callable[[Value], Value]] = {
    "BOOLEAN": _boolean,
    "BOOL": _boolean,
    "DATE": _date,
    "DATETIME": _moment,
    "TIMESTAMP": _moment,
}
"""SQLite lacks these types: a declared type is applied to values that can be of it."""
