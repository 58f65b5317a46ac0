"""Read dates of 64 bits as days, which polars takes for timestamps; columns with times of day stay timestamps.

They are stored in milliseconds, and should be whole days (Arrow columnar format, Schema.fbs, DateUnit).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow
import pyarrow.compute

from engine.families.data.columnar import inner_arrays
from engine.toolkit.warnings import Kind

WITH_TIMES = Kind(
    "VALUE_CONVERTED", "Dates with a time of day became timestamps, as did all dates in their columns: {count}{places}."
)
_MOMENT = pyarrow.timestamp("ms")
_DAY = 86_400_000
_FARTHEST = ((1 << 31) - 1) * _DAY
"""The last day that 32 bits can count; beyond it, a day stays a timestamp."""


def with_times(schema: Any, batches: Iterable[Any]) -> inner_arrays.Odd:
    """Return the columns of these record batches that have dates that are no whole days."""

    def is_odd(dates: Any) -> Any:
        compute, numbers = pyarrow.compute, dates.cast(pyarrow.int64())
        whole = compute.multiply(compute.divide(numbers, _DAY), _DAY)
        near = compute.and_(compute.greater_equal(numbers, -_FARTHEST), compute.less_equal(numbers, _FARTHEST))
        return compute.invert(compute.and_(compute.equal(whole, numbers), near))

    def as_texts(dates: Any) -> Any:
        return dates.cast(_MOMENT).cast(pyarrow.string()).to_pylist()

    return inner_arrays.odd(schema, batches, pyarrow.types.is_date64, is_odd=is_odd, as_texts=as_texts)


def has_dates(kind: Any) -> bool:
    """Return whether a type of Arrow is or has dates of 64 bits."""
    return inner_arrays.has(kind, pyarrow.types.is_date64)


def as_days(array: Any) -> Any:
    """Return an array whose dates have 32 bits."""
    return inner_arrays.replaced(array, pyarrow.types.is_date64, lambda dates: dates.cast(pyarrow.date32()))


def as_moments(array: Any) -> Any:
    """Return an array whose dates are timestamps."""
    return inner_arrays.replaced(array, pyarrow.types.is_date64, lambda dates: dates.cast(_MOMENT))
