"""Compare cells with each other and with the literals of conditions, for equality and order.

Cells of text files are text: compared with a number, one counts as the number it spells, and with a date as that date.
Values that can't be compared are distinct from values that differ.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from engine.families.data.picking.tokens import Figure, Literal_
from engine.families.data.values import Number, Value, exact, text

Order = int | None
"""Negative, zero or positive for less, equal and greater; None where two values can't be compared."""

_SPACE = r"[^\S\x1c-\x1f]*"
"""White space around a number; Python's `float` takes four separators of data for something else."""
_NUMERIC = re.compile(rf"{_SPACE}[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?{_SPACE}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)?")
_SHORT = 15
"""Number of decimal digits that every double keeps."""


def number(cell: Value) -> int | float | Decimal | None:
    """Return the number that a cell is or spells, with all its digits; None for any other cell."""
    kind = type(cell)
    if kind is int:
        return int(cell)
    if kind is float:
        return float(cell) if cell - cell == 0 else None
    if kind is Decimal:
        return Decimal(cell) if cell.is_finite() else None
    if (kind is str or kind is Number) and _NUMERIC.fullmatch(cell):
        near = float(cell) if len(cell) <= _SHORT else math.inf
        if near - near == 0:
            return near
        found = exact(cell.strip())
        return found if found.is_finite() else None
    return None


def moment(cell: Value) -> date | datetime | None:
    """Return the date or datetime that a cell is or spells in ISO 8601; None for any other cell."""
    if isinstance(cell, date):
        return cell
    if type(cell) is str and _MOMENT.fullmatch(cell):
        try:
            return date.fromisoformat(cell) if len(cell) == 10 else datetime.fromisoformat(cell.replace(",", "."))
        except ValueError:
            return None
    return None


def with_literal(literal: Literal_) -> Callable[[Value], Order]:
    """Return a function that compares a cell, which must not be None, with this literal."""
    if isinstance(literal, Figure):
        return _with_figure(literal)
    if isinstance(literal, bool):
        return lambda cell: None if (found := _truth(cell)) is None else found - literal
    if isinstance(literal, str):
        return lambda cell: _order(cell if type(cell) is str else text(cell), literal)
    return lambda cell: None if (found := moment(cell)) is None else _moments(found, literal)


def of_cells(one: Value, other: Value) -> Order:
    """Compare two cells, neither None: as numbers or dates where both are, else as text."""
    left, right = number(one), number(other)
    if left is not None and right is not None:
        return _order(_exact(left), _exact(right))
    first, second = moment(one), moment(other)
    if first is not None and second is not None:
        return _moments(first, second)
    if isinstance(one, str) and isinstance(other, str) and left is right:
        return _order(one, other)
    return 0 if text(one) == text(other) else None


def _with_figure(figure: Figure) -> Callable[[Value], Order]:
    plain, exact, long = figure.plain, figure.exact, figure.long

    def order(cell: Value) -> Order:
        found = number(cell)
        if found is None:
            return None
        if long or isinstance(found, Decimal):
            return _order(_exact(found), exact)
        return _order(found, plain)

    return order


def _exact(value: int | float | Decimal) -> int | Decimal:
    return Decimal(repr(value)) if isinstance(value, float) else value


def _truth(cell: Value) -> bool | None:
    if isinstance(cell, bool):
        return cell
    return {"true": True, "false": False}.get(cell.lower()) if type(cell) is str else None


def _moments(one: date | datetime, other: date | datetime) -> Order:
    """Compare two dates or datetimes; a date stands for its whole day, a datetime without a zone is in UTC."""
    if isinstance(one, datetime) and isinstance(other, datetime):
        if (one.tzinfo is None) != (other.tzinfo is None):
            one, other = (each.replace(tzinfo=each.tzinfo or UTC) for each in (one, other))
        return _order(one, other)
    return _order(*(each.date() if isinstance(each, datetime) else each for each in (one, other)))


def _order(one: Any, other: Any) -> int:
    return 0 if one == other else -1 if one < other else 1
