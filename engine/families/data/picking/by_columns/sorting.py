"""Sort frames by some of their columns, in the same order as `picking.sorting` sorts rows."""

from __future__ import annotations

from collections.abc import Iterator

import polars

from engine.families.data.columnar import cells
from engine.families.data.picking import sort_keys
from engine.families.data.picking.by_columns import comparing
from engine.families.data.picking.by_columns.comparing import View
from engine.families.data.picking.comparing import number
from engine.families.data.picking.sorting import By

Key = tuple[polars.Series, bool]
"""A column without nulls to sort by, and whether in descending order."""


def order(view: View, by: list[By]) -> polars.Series:
    """Return the places of the rows in order; equal rows keep theirs."""
    if not view.frame.height:  # polars does not sort nothing by several columns
        return polars.Series(dtype=polars.UInt32)
    keys = [key for each in by for key in _keys(view, each)]
    frame = polars.DataFrame([key.alias(str(at)) for at, (key, _) in enumerate(keys)])
    places = polars.arg_sort_by(frame.columns, descending=[down for _, down in keys], maintain_order=True)
    return frame.select(places).to_series()


def _keys(view: View, by: By) -> Iterator[Key]:
    series = view.column(by.at)
    kind = series.dtype
    if kind == polars.String:
        yield from _texts(series if by.nulls else series.replace("", None), by.down)
    elif kind.is_integer() or kind == polars.Boolean or (kind in comparing.DATES and cells.in_calendar(series)):
        yield from _filled(series.to_physical(), by.down)
    elif kind == polars.Float64 and series.is_finite().all():
        yield from _filled(series + 0.0, by.down)  # a negative zero is zero
    else:
        column = By(0, by.down, by.nulls)
        yield polars.Series(column.keys([[each] for each in view.cells(by.at)]), dtype=polars.Binary), False


def _filled(series: polars.Series, down: bool) -> Iterator[Key]:
    """Nulls are last in both directions."""
    if series.null_count():
        yield series.is_null(), False
        series = series.fill_null(False if series.dtype == polars.Boolean else 0)
    yield series, down


def _texts(series: polars.Series, down: bool) -> Iterator[Key]:
    """Texts that spell a number come before others."""
    if series.null_count():
        yield series.is_null(), False
    near, long, sure = comparing.near(series)
    known = series.is_not_null()
    rest = polars.Series([0.0]).new_from_index(0, len(series))
    # Most long numbers are the shortest digits of a float.
    unsure = known & ~sure & ~(near.is_null() & series.str.contains(comparing.NO_NUMBER))
    unsure |= sure & long & (near.cast(polars.String) != series)
    places = unsure.fill_null(False).arg_true()
    if len(places):
        found = [number(each) for each in series.gather(places).to_list()]
        pairs = [(None, 0.0) if each is None else sort_keys.near_and_rest(each) for each in found]
        near = near.scatter(places, polars.Series([each for each, _ in pairs], dtype=polars.Float64))
        rest = rest.scatter(places, polars.Series([float(each) for _, each in pairs], dtype=polars.Float64))
        sure = sure.scatter(places, polars.Series([each is not None for each in found], dtype=polars.Boolean))
    text = known & ~sure
    if sure.any():
        if text.any():
            yield text, down
        yield near.set(~sure, None).fill_null(0.0) + 0.0, down
        if (rest != 0.0).any():
            yield rest, down
    if text.any():
        yield series.set(~text, None).fill_null(""), down
