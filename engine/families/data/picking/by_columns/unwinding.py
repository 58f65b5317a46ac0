"""Repeat rows of frames for each item of a list, with the same result as `picking.unwinding` row by row."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import polars

from engine.families.data.columnar import cells
from engine.families.data.exactness import Inexact
from engine.families.data.picking.evaluation import Column
from engine.families.data.picking.unwinding import report_none
from engine.families.data.table import MAX_CELLS
from engine.toolkit.warnings import Warn

_ROWS = 1 << 16
"""Rows, of one list and more, that are made at once."""


def unwound(
    given: Iterator[tuple[polars.DataFrame, Collection[int]]], column: Column, warn: Warn
) -> Iterator[tuple[polars.DataFrame, Collection[int]]]:
    """Yield a row for each item of a list in this column; other rows, and those of empty lists, stay.

    Raises Inexact for texts that may be JSON arrays, for types whose values may be lists, and for too many cells.
    """
    counted = lists = 0
    for frame, numbers in given:
        series = frame.to_series(column.at)
        if not isinstance(series.dtype, polars.List):
            _check_no_lists(series)
            yield frame, numbers
            continue
        lengths = series.list.len()
        lists += len(lengths) - lengths.null_count()
        counted += frame.width * int(lengths.sum())
        if counted > MAX_CELLS:
            raise Inexact
        whole = cells.called_by_place(frame)
        # How times become text depends on the others of their frame.
        for piece in [whole] if any(map(_has_times, frame.dtypes)) else _pieces(whole, lengths):
            rows = piece.explode(str(column.at), empty_as_null=True, keep_nulls=True)
            rows.columns = frame.columns
            yield rows, numbers
    if not lists:
        report_none(column, warn)


def _check_no_lists(series: polars.Series) -> None:
    kind = series.dtype
    if kind in cells.TEXTS:
        written = series.cast(polars.String).str
        if (written.starts_with("[") & written.ends_with("]")).any():
            raise Inexact
    elif not (kind.is_numeric() or kind.is_temporal() or kind in (polars.Boolean, polars.Null, polars.Struct)):
        raise Inexact


def _has_times(kind: Any) -> bool:
    if isinstance(kind, polars.Struct):
        return any(_has_times(each.dtype) for each in kind.fields)
    if isinstance(kind, polars.List | polars.Array):
        return _has_times(kind.inner)
    return bool(kind.is_temporal()) or isinstance(kind, polars.Map | polars.BaseExtension)


def _pieces(frame: polars.DataFrame, lengths: polars.Series) -> Iterator[polars.DataFrame]:
    """Cut a frame into pieces that become about as many rows each; a single row may become more."""
    before = lengths.fill_null(1).cast(polars.Int64).clip(1).cum_sum() // _ROWS
    starts = [0, *(before != before.shift(1)).fill_null(False).arg_true().to_list()]
    for start, end in zip(starts, [*starts[1:], frame.height], strict=True):
        yield frame.slice(start, end - start)
