"""Encode whole columns of records in Avro's binary form (Apache Avro 1.12, Binary Encoding)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy
import polars
import pyarrow
from pyarrow import compute

from engine.families.data.columnar.cells import in_calendar
from engine.families.data.exactness import Inexact

Array = numpy.ndarray[Any, Any]

_ROWS = 1 << 15
"""Rows that are encoded at once."""
_BITS, _MORE = 7, 0x80
_LONGEST = 10
"""Bytes of a 64-bit number."""
_NOTHING = pyarrow.scalar(b"", pyarrow.large_binary())


class Encoder:
    """Encodes frames whose columns are optional; `nulls` are the indexes of null in the union of each, None without."""

    def __init__(self, nulls: Sequence[int | None]) -> None:
        self._nulls = nulls

    def encode(self, frame: polars.DataFrame) -> Iterator[tuple[memoryview, Array]]:
        """Yield some records at a time, each with the offsets of their ends. Raises Inexact for other types."""
        for part in frame.iter_slices(_ROWS):
            columns = [
                each for series, null in zip(part, self._nulls, strict=True) for each in _column(series.rechunk(), null)
            ]
            joined = compute.binary_join_element_wise(*columns, _NOTHING)
            ends = numpy.frombuffer(joined.buffers()[1], numpy.int64)[1:]
            yield memoryview(joined.buffers()[2] or b""), ends


def _column(series: polars.Series, null: int | None) -> Iterator[pyarrow.Array]:
    """Yield arrays of bytes that give, one after the other, the values of a column."""
    kind = series.dtype
    missing = series.is_null().to_numpy()
    if kind == polars.String:
        texts = series.fill_null("").to_arrow(compat_level=polars.CompatLevel.oldest()).cast(pyarrow.large_binary())
        yield _longs(compute.binary_length(texts).to_numpy(), missing, null)
        yield texts
    elif kind == polars.Float64:
        floats = series.fill_null(0.0).to_numpy()
        # One of the numbers that are not: as Python has it.
        floats = numpy.where(numpy.isnan(floats), numpy.nan, floats)
        yield _fixed(floats.astype("<f8").view(numpy.uint8).reshape(-1, 8), missing, null)
    elif kind == polars.Boolean:
        yield _fixed(series.fill_null(False).to_numpy().astype(numpy.uint8).reshape(-1, 1), missing, null)
    else:
        yield _longs(_numbers(series).fill_null(0).to_numpy(), missing, null)


def _numbers(series: polars.Series) -> polars.Series:
    """Return the integers that encode integers, dates and times. Raises Inexact for other types and odd values."""
    kind = series.dtype
    if kind.is_integer() and kind not in (polars.UInt64, polars.Int128, polars.UInt128):
        return series.cast(polars.Int64)
    if kind == polars.Date and in_calendar(series):
        return series.cast(polars.Int32).cast(polars.Int64)
    if kind == polars.Time:
        nanoseconds = series.to_physical()
        if (nanoseconds % 1000 == 0).all():
            return nanoseconds // 1000
    if isinstance(kind, polars.Datetime) and kind.time_unit in ("us", "ms") and _is_plain(series, kind):
        return series.to_physical() * (1000 if kind.time_unit == "ms" else 1)
    raise Inexact


def _is_plain(series: polars.Series, kind: polars.Datetime) -> bool:
    """Return whether datetimes are in the calendar, also when converted to UTC in the first or the last year."""
    if not in_calendar(series):
        return False
    return kind.time_zone is None or (kind.time_zone == "UTC" and bool(series.dt.year().is_between(2, 9998).all()))


def _branches(missing: Array, null: int) -> Array:
    """Return the index in its union of each value, as bytes."""
    return numpy.where(missing, 2 * null, 2 - 2 * null).astype(numpy.uint8)


def _fixed(data: Array, missing: Array, null: int | None) -> pyarrow.Array:
    if null is None:
        return _bytes(data.reshape(-1), numpy.full(len(data), data.shape[1]))
    whole = numpy.column_stack([_branches(missing, null), data])
    sizes = numpy.where(missing, 1, whole.shape[1])
    if not missing.any():
        return _bytes(whole.reshape(-1), sizes)
    return _bytes(whole[numpy.arange(whole.shape[1]) < sizes[:, None]], sizes)


def _longs(numbers: Array, missing: Array, null: int | None) -> pyarrow.Array:
    """Return variable-length zig-zag numbers, after the index of the union if there is one."""
    zigzag = _zigzag(numbers)
    sizes = _lengths(zigzag)
    most = int(sizes.max(initial=1))
    start = 0 if null is None else 1
    data = numpy.empty((len(numbers), start + most), numpy.uint8)
    if null is not None:
        data[:, 0] = _branches(missing, null)
        sizes = numpy.where(missing, 1, sizes + 1)
    for at in range(most):
        part = ((zigzag >> numpy.uint64(_BITS * at)) & numpy.uint64(_MORE - 1)).astype(numpy.uint8)
        data[:, start + at] = numpy.where(sizes > start + at + 1, part | _MORE, part)
    return _bytes(data[numpy.arange(data.shape[1]) < sizes[:, None]], sizes)


def _zigzag(numbers: Array) -> Array:
    wide = numbers.astype(numpy.int64)
    return ((wide << 1) ^ (wide >> 63)).view(numpy.uint64)


def _lengths(zigzag: Array) -> Array:
    most = int(zigzag.max(initial=0))
    sizes = numpy.ones(len(zigzag), numpy.int64)
    for at in range(1, _LONGEST):
        if most < 1 << (_BITS * at):
            break
        sizes += zigzag >= numpy.uint64(1 << (_BITS * at))
    return sizes


def _bytes(data: Array, sizes: Array) -> pyarrow.Array:
    offsets = numpy.zeros(len(sizes) + 1, numpy.int64)
    numpy.cumsum(sizes, out=offsets[1:])
    buffers = [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(numpy.ascontiguousarray(data))]
    return pyarrow.Array.from_buffers(pyarrow.large_binary(), len(sizes), buffers)
