"""Write times outside a day as the numbers that are stored, because no type of polars has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow
import pyarrow.compute

from engine.families.data.columnar import inner_arrays
from engine.toolkit.warnings import Kind

OUTSIDE = Kind("VALUE_CONVERTED", "Times outside a day were written as numbers, in columns of text: {count}{places}.")
_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_DAY = 86_400


def outside(schema: Any, batches: Iterable[Any]) -> inner_arrays.Odd:
    """Return the columns of these record batches that have times outside a day; none is read if there are no times."""

    def is_odd(times: Any) -> Any:
        return pyarrow.compute.invert(_is_inside(_numbers(times), times.type))

    return inner_arrays.odd(
        schema, batches, pyarrow.types.is_time, is_odd=is_odd, as_texts=lambda times: map(str, _numbers(times))
    )


def as_text(times: Any) -> Any:
    """Return an array with its times as texts: `12:30:00`, and the stored number of one outside a day."""
    return inner_arrays.replaced(times, pyarrow.types.is_time, _clocks)


def text_type(kind: Any) -> Any:
    """Return the type of such an array of texts."""
    return inner_arrays.replaced_type(kind, pyarrow.types.is_time, _clocks)


def has_times(kind: Any) -> bool:
    """Return whether a type of Arrow is or has times, be it in lists, maps, structs or dictionaries."""
    return inner_arrays.has(kind, pyarrow.types.is_time)


def _clocks(times: Any) -> Any:
    numbers, unit = _numbers(times), _UNITS[times.type.unit]
    inside = _is_inside(numbers, times.type).to_pylist()
    texts = (
        None if number is None else _clock(number, unit) if is_time else str(number)
        for number, is_time in zip(numbers.to_pylist(), inside, strict=True)
    )
    return pyarrow.array(texts, pyarrow.string())


def _numbers(times: Any) -> Any:
    return times.cast(pyarrow.int32() if times.type.bit_width == 32 else pyarrow.int64())


def _is_inside(numbers: Any, kind: Any) -> Any:
    compute, end = pyarrow.compute, _DAY * _UNITS[kind.unit]
    return compute.and_(compute.greater_equal(numbers, 0), compute.less(numbers, end))


def _clock(number: int, unit: int) -> str:
    seconds, fraction = divmod(number, unit)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    digits = len(str(unit)) - 1
    return f"{clock}.{fraction:0{digits}}".rstrip("0") if fraction else clock
