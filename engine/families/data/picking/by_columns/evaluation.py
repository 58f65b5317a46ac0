"""Evaluate conditions on whole columns, with the same result as `picking.evaluation` row by row."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import and_, or_
from typing import Any

import polars

from engine.families.data.columnar.cells import TEXTS
from engine.families.data.exactness import Inexact
from engine.families.data.picking.by_columns import comparing
from engine.families.data.picking.by_columns.comparing import View
from engine.families.data.picking.evaluation import OPERATORS, Column, Uncompared
from engine.families.data.picking.tokens import Literal_

Test = Callable[[View, Uncompared], polars.Series]
_FLOATS = (polars.Float32, polars.Float64)


def _holds(order: polars.Series, sign: str) -> polars.Series:
    operator: Any = OPERATORS[sign]
    found: polars.Series = operator(order, 0)
    return found.fill_null(sign == "!=")


def all_of(parts: list[Test]) -> Test:
    return lambda view, uncompared: reduce(and_, [part(view, uncompared) for part in parts])


def any_of(parts: list[Test]) -> Test:
    return lambda view, uncompared: reduce(or_, [part(view, uncompared) for part in parts])


def negated(part: Test) -> Test:
    return lambda view, uncompared: ~part(view, uncompared)


def is_null(column: Column, *, positive: bool) -> Test:
    """Test whether a cell is null."""

    def test(view: View, _: Uncompared) -> polars.Series:
        found = view.column(column.at).is_null()
        if not column.nulls:
            found |= (view.column(column.at) == "").fill_null(False)
        return found if positive else ~found

    return test


def compared(column: Column, sign: str, literal: Literal_, shown: str) -> Test:
    """Compare a column with a literal; `shown` is its source text."""

    def test(view: View, uncompared: Uncompared) -> polars.Series:
        order = comparing.with_literal(view, column.at, literal)
        if sign not in ("=", "!="):
            _count(view, column, order, view.column(column.at).is_not_null(), shown, uncompared, empty=False)
        return _holds(order, sign)

    return test


def _count(
    view: View,
    column: Column,
    order: polars.Series,
    known: polars.Series,
    shown: str,
    uncompared: Uncompared,
    *,
    empty: bool,
) -> None:
    """Count the known cells that have no order; without `empty`, those of no text are left out."""
    odd = order.is_null() & known
    series = view.column(column.at)
    if not empty and series.dtype in TEXTS:
        odd &= (series.cast(polars.String) != "").fill_null(False)
    if count := int(odd.sum()):
        if not view.spelled and series.dtype in _FLOATS:
            raise Inexact
        uncompared.add(column.name, shown, view.cells(column.at, odd.arg_true().head(1))[0], count)


def compared_columns(one: Column, sign: str, other: Column) -> Test:
    """Compare two columns."""

    def test(view: View, uncompared: Uncompared) -> polars.Series:
        order = comparing.of_columns(view, one.at, other.at)
        if sign not in ("=", "!="):
            known = view.column(one.at).is_not_null() & view.column(other.at).is_not_null()
            _count(view, one, order, known, other.name, uncompared, empty=True)
        return _holds(order, sign)

    return test


def one_of(column: Column, literals: list[Literal_]) -> Test:
    """Test whether a cell equals one of some literals."""

    def test(view: View, _: Uncompared) -> polars.Series:
        orders = [comparing.with_literal(view, column.at, each) for each in literals]
        return reduce(or_, [(each == 0).fill_null(False) for each in orders])

    return test


def searched(column: Column, search: str, wanted: str) -> Test:
    """Test whether the text of a cell contains, begins with or ends with another."""

    def test(view: View, _: Uncompared) -> polars.Series:
        texts = view.texts(column.at).str
        if search == "contains":
            found = texts.contains(comparing.encodable(wanted), literal=True)
        else:
            found = (texts.starts_with if search == "startswith" else texts.ends_with)(comparing.encodable(wanted))
        return found.fill_null(False)

    return test


def matches(column: Column, wanted: str) -> Test:
    """Test whether a regular expression matches anywhere in a cell's text."""
    return lambda view, _: view.texts(column.at).str.contains(wanted).fill_null(False)
