"""Encode whole columns of records in Avro's binary form (Apache Avro 1.12, Binary Encoding)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy
import polars
import pyarrow
from pyarrow import compute

from engine.families.data.avro.binary import BITS, Array, branches, sizes, zigzag
from engine.families.data.columnar.cells import in_calendar
from engine.families.data.exactness import Inexact

_ROWS = 1 << 15
"""Rows that are encoded at once."""
_MORE = 1 << BITS
"""The bit of a byte that another one of its number follows."""
_NULL = 0
"""The branch of null in the union of each column."""
_NOTHING = pyarrow.scalar(b"", pyarrow.large_binary())


def encoded(frame: polars.DataFrame) -> Iterator[tuple[memoryview, Array]]:
    """Yield some records of optional values at a time, each with the offsets of their ends.

    Raises Inexact for types that are not encoded by columns.
    """
    for part in frame.iter_slices(_ROWS):
        columns = [each for series in part for each in _column(series.rechunk())]
        joined = compute.binary_join_element_wise(*columns, _NOTHING)
        ends = numpy.frombuffer(joined.buffers()[1], numpy.int64)[1:]
        yield memoryview(joined.buffers()[2] or b""), ends


def _column(series: polars.Series) -> Iterator[pyarrow.Array]:
    """Yield arrays of bytes that give, one after the other, the values of a column."""
    kind = series.dtype
    missing = series.is_null().to_numpy()
    if kind == polars.String:
        texts = series.fill_null("").to_arrow(compat_level=polars.CompatLevel.oldest()).cast(pyarrow.large_binary())
        yield _longs(compute.binary_length(texts).to_numpy(), missing)
        yield texts
    elif kind == polars.Float64:
        floats = series.fill_null(0.0).to_numpy()
        # One of the numbers that are not: as Python has it.
        floats = numpy.where(numpy.isnan(floats), numpy.nan, floats)
        yield _fixed(floats.astype("<f8").view(numpy.uint8).reshape(-1, 8), missing)
    elif kind == polars.Boolean:
        yield _fixed(series.fill_null(False).to_numpy().astype(numpy.uint8).reshape(-1, 1), missing)
    else:
        yield _longs(_numbers(series).fill_null(0).to_numpy(), missing)


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


def _fixed(data: Array, missing: Array) -> pyarrow.Array:
    """Return values of a fixed size, each after the branch of its union."""
    return _present(data, missing, numpy.full(len(data), data.shape[1]))


def _longs(numbers: Array, missing: Array) -> pyarrow.Array:
    """Return numbers of as many bytes as they need, each after the branch of its union."""
    unsigned = zigzag(numbers)
    lengths = sizes(unsigned)
    data = numpy.empty((len(numbers), int(lengths.max(initial=1))), numpy.uint8)
    for at in range(data.shape[1]):
        part = ((unsigned >> numpy.uint64(BITS * at)) & numpy.uint64(_MORE - 1)).astype(numpy.uint8)
        data[:, at] = numpy.where(lengths > at + 1, part | _MORE, part)
    return _present(data, missing, lengths)


def _present(data: Array, missing: Array, lengths: Array) -> pyarrow.Array:
    """Return the first bytes of each value, after its branch; of a missing one, only the branch."""
    whole = numpy.column_stack([branches(missing, _NULL), data])
    kept = numpy.where(missing, 1, lengths + 1)
    filled = kept.min(initial=whole.shape[1]) == whole.shape[1]
    return _bytes(whole.reshape(-1) if filled else whole[numpy.arange(whole.shape[1]) < kept[:, None]], kept)


def _bytes(data: Array, sizes: Array) -> pyarrow.Array:
    offsets = numpy.zeros(len(sizes) + 1, numpy.int64)
    numpy.cumsum(sizes, out=offsets[1:])
    buffers = [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(numpy.ascontiguousarray(data))]
    return pyarrow.Array.from_buffers(pyarrow.large_binary(), len(sizes), buffers)
