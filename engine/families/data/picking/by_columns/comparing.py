"""Compare the cells of columns with literals, with the same result as `picking.comparing` cell by cell."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import polars

from engine.families.data.columnar import cells
from engine.families.data.columnar.typed import of_kind
from engine.families.data.exactness import Inexact
from engine.families.data.inference import EXACT_DIGITS, Kind
from engine.families.data.picking import comparing
from engine.families.data.picking.comparing import Order
from engine.families.data.picking.tokens import Figure, Literal_
from engine.families.data.values import Number, Value

NO_NUMBER = r"[^0-9+.eE\s-]"
"""Matches texts that can't spell a number."""
DATES = (polars.Date, polars.Datetime("us"), polars.Datetime("ms"))
"""Types whose values are compared as the integers that are stored, if they are in the calendar."""
_EXPONENT = r"[eE]"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOMENTS: tuple[Kind, ...] = ("date", "moment", "instant")


@dataclass(frozen=True)
class View:
    """Rows as a frame, whose columns `numbers` are text that spells numbers.

    If not `spelled`, other numbers with a fraction may be spelled differently in the rows.
    """

    frame: polars.DataFrame
    numbers: Collection[int] = ()
    spelled: bool = True

    def column(self, at: int) -> polars.Series:
        return self.frame.to_series(at).alias("")

    def cells(self, at: int, rows: polars.Series | None = None) -> list[Value]:
        """Return the values of a column, or of some of its rows."""
        series = self.column(at) if rows is None else self.column(at).gather(rows)
        if at in self.numbers:
            return [None if each is None else Number(each) for each in series.to_list()]
        return cells.values(series)

    def texts(self, at: int) -> polars.Series:
        """Return a column as text, nulls kept. Raises Inexact where its text is not known."""
        series = self.column(at)
        if not self.spelled and not _is_plain(series.dtype):
            raise Inexact
        return cells.texts(series)


def _is_plain(kind: polars.DataType) -> bool:
    return kind in (polars.String, polars.Boolean) or kind.is_integer()


def with_literal(view: View, at: int, literal: Literal_) -> polars.Series:
    """Return -1, 0 or 1 for cells less than, equal to and greater than a literal; null if they can't be compared."""
    if isinstance(literal, Figure):
        return _with_figure(view, at, literal)
    if isinstance(literal, bool):
        return _truths(view, at) - int(literal)
    if isinstance(literal, str):
        texts = view.texts(at)
        return _order(texts, encodable(literal))
    return _with_moment(view, at, literal)


def encodable(text: str) -> str:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Inexact from None
    return text


def _order(one: polars.Series, other: object) -> polars.Series:
    return (one > other).cast(polars.Int8) - (one < other).cast(polars.Int8)


def nothing(series: polars.Series) -> polars.Series:
    """Return an order in which no cell can be compared."""
    return polars.Series([None], dtype=polars.Int8).new_from_index(0, len(series))


def _one_by_one(
    view: View, at: int, order: Callable[[Value], Order], rows: polars.Series, others: polars.Series | None = None
) -> polars.Series:
    """Return the order of the cells where `rows` is true, and that of `others` elsewhere."""
    found = nothing(rows) if others is None else others
    places = rows.arg_true()
    if not len(places):
        return found
    orders = polars.Series(list(map(order, view.cells(at, places))), dtype=polars.Int8)
    return found.scatter(places, orders)


def near(series: polars.Series) -> tuple[polars.Series, polars.Series, polars.Series]:
    """Return what texts spell as the nearest floats, and which have more digits than every float keeps.

    The third column tells which cells are certainly numbers.
    """
    found = series.cast(polars.Float64, strict=False)
    long = series.str.len_bytes() > EXACT_DIGITS
    sure = found.is_finite()
    if long.any():
        # Decimals have exponents of 18 digits; what has more is no number.
        sure &= ~(long & series.str.contains(_EXPONENT))
    return found, long, sure.fill_null(False)


def _with_figure(view: View, at: int, figure: Figure) -> polars.Series:
    series, kind = view.column(at), view.column(at).dtype
    if kind.is_integer():
        return _integers(series, figure)
    order = comparing.with_literal(figure)
    if kind not in (polars.String, polars.Float64):
        return _one_by_one(view, at, order, series.is_not_null())
    try:
        plain = float(figure.plain)
    except OverflowError:
        plain = math.inf if figure.plain > 0 else -math.inf
    exact = not figure.long and plain == figure.plain
    if kind == polars.Float64:
        sure, found = series.is_finite(), _order(series, plain)
        unsure = sure & (series == plain) if not exact else None
    else:
        floats, long, sure = near(series)
        found = _order(floats, plain)
        # Rounding keeps the order of what it does not make equal.
        unsure = ~sure & series.is_not_null() | (floats == plain).fill_null(False) & (long | (not exact))
        if unsure.any():
            unsure &= ~(floats.is_null() & series.str.contains(NO_NUMBER))
    found = found.set(~sure.fill_null(False), None)
    return found if unsure is None else _one_by_one(view, at, order, unsure.fill_null(False), found)


def _integers(series: polars.Series, figure: Figure) -> polars.Series:
    if isinstance(figure.plain, float) and math.isinf(figure.plain):
        whole, more = (2**70, False) if figure.plain > 0 else (-(2**70), False)
    else:
        value = Fraction(figure.exact) if figure.long else Fraction(figure.plain)
        whole, more = math.floor(value), value.denominator > 1
    if not -(2**63) <= whole < 2**63 - 1 or series.dtype in (polars.UInt64, polars.Int128, polars.UInt128):
        wide = series.cast(polars.Int128)
        whole = max(-(2**120), min(whole, 2**120))
        return _order(wide, polars.Series([whole], dtype=polars.Int128)) if not more else _between(wide, whole)
    wide = series.cast(polars.Int64)
    return _between(wide, whole) if more else _order(wide, whole)


def _between(series: polars.Series, whole: int) -> polars.Series:
    """Return the order of integers and a number between this one and the next."""
    return (series > polars.Series([whole], dtype=series.dtype)).cast(polars.Int8) * 2 - 1


def _truths(view: View, at: int) -> polars.Series:
    series = view.column(at)
    if series.dtype == polars.Boolean:
        return series.cast(polars.Int8)
    if series.dtype != polars.String or at in view.numbers:
        return nothing(series)
    lower = series.str.to_lowercase()
    found = (lower == "true").cast(polars.Int8)
    return found.set(((lower != "true") & (lower != "false")).fill_null(True), None)


def _with_moment(view: View, at: int, literal: date) -> polars.Series:
    series = view.column(at)
    order = comparing.with_literal(literal)
    if series.dtype == polars.String and at not in view.numbers:
        full = series.replace("", None)
        first = full.drop_nulls().head(1)
        kinds = [kind for kind in _MOMENTS if len(first) and of_kind(first, kind) is not None]
        found = of_kind(full, kinds[0]) if kinds else None
        if found is not None and (compared := _moments(found, literal)) is not None:
            return compared
    elif series.dtype in DATES and cells.in_calendar(series):
        compared = _moments(series, literal)
        if compared is not None:
            return compared
    elif _is_plain(series.dtype) or series.dtype == polars.Float64:
        return nothing(series)
    return _one_by_one(view, at, order, series.is_not_null())


def _moments(series: polars.Series, literal: date) -> polars.Series | None:
    """Return the order of dates or datetimes and a literal; None for days in a time zone."""
    if series.dtype == polars.Date or not isinstance(literal, datetime):
        if getattr(series.dtype, "time_zone", None):
            return None
        day = literal.date() if isinstance(literal, datetime) else literal
        return _order(series.cast(polars.Int32) if series.dtype == polars.Date else _days(series), _day(day))
    aware = literal.replace(tzinfo=literal.tzinfo or UTC)
    return _order(series.dt.cast_time_unit("us").to_physical(), (aware - _EPOCH) // timedelta(microseconds=1))


def _days(series: polars.Series) -> polars.Series:
    return series.dt.date().cast(polars.Int32)


def _day(day: date) -> int:
    return (day - _EPOCH.date()).days


def of_columns(view: View, one: int, other: int) -> polars.Series:
    """Return the order of the cells of two columns; null where they can't be compared or are null."""
    left, right = view.column(one), view.column(other)
    known = left.is_not_null() & right.is_not_null()
    found = nothing(left)
    if left.dtype == right.dtype == polars.String:
        (first, _, is_first), (second, _, is_second) = near(left), near(right)
        sure = is_first & is_second & (first != second)
        found = _order(first, second).set(~sure.fill_null(False), None)
        known &= ~sure.fill_null(False)
    elif not view.spelled and not (_is_plain(left.dtype) and _is_plain(right.dtype)):
        raise Inexact
    places = known.arg_true()
    if not len(places):
        return found
    pairs = zip(view.cells(one, places), view.cells(other, places), strict=True)
    return found.scatter(places, polars.Series([comparing.of_cells(*pair) for pair in pairs], dtype=polars.Int8))
