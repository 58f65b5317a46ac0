"""Columns as values, and as the texts of their cells: the same that `values.text` writes of each value."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice
from typing import Any

import polars

from conversions.families.data.columnar import calendar
from conversions.families.data.values import Value, finite, text
from conversions.toolkit.warnings import Kind, Warn

_FLOATS = (polars.Float16, polars.Float32, polars.Float64)
_EPOCH = datetime(1970, 1, 1)
_BINARY = Kind("VALUE_CONVERTED", "Columns of bytes became Base64 text")
_NAMES = (polars.Categorical, polars.Enum)


def called_by_place(frame: polars.DataFrame) -> polars.DataFrame:
    """The same columns under names that are no patterns, as "*" and "^…$" are to most of what polars does with one."""
    found = frame.clone()
    found.columns = list(map(str, range(frame.width)))
    return found


def texts(series: polars.Series) -> polars.Series:
    """A column as text; what is null stays null."""
    return _texts(series.alias("")).alias(series.name)


def _texts(series: polars.Series) -> polars.Series:
    kind = series.dtype
    if (
        kind in (polars.String, polars.Boolean, polars.Decimal, *_NAMES)
        or kind.is_integer()
        or (kind == polars.Date and in_calendar(series))
    ):
        return series.cast(polars.String)
    if kind in _FLOATS:
        return _digits(series)
    if kind in (polars.Datetime("us"), polars.Datetime("ms")) and in_calendar(series):
        return _moments(series)
    return polars.Series(_written(values(series)), dtype=polars.String)


def spelled_alike(series: polars.Series) -> polars.Series:
    """Which floats of a column are finite, and zero or of a size at which everything writes their shortest digits."""
    size, most = series.abs(), 1e16 if series.dtype == polars.Float64 else 1e9
    return ((size >= 1e-4) & (size < most)) | (size == 0)


def _digits(series: polars.Series) -> polars.Series:
    written = series.cast(polars.String)
    others = (~spelled_alike(series)).arg_true()  # without those that are null
    if len(others):
        written = written.scatter(others, _written(values(series[others])))
    return written


def _written(found: list[Value]) -> list[str | None]:
    return [None if each is None else text(each) for each in found]


def _moments(series: polars.Series) -> polars.Series:
    whole = series.dt.strftime("%Y-%m-%dT%H:%M:%S")
    if (series.dt.microsecond() == 0).all():
        return whole
    return whole.zip_with(series.dt.microsecond() == 0, series.dt.strftime("%Y-%m-%dT%H:%M:%S%.6f"))


def in_calendar(series: polars.Series) -> bool:
    """Whether all dates of a column are of the years 1 to 9999, which is what Python has."""
    unit = "day" if series.dtype == polars.Date else series.dtype.time_unit  # type: ignore[attr-defined]
    if unit == "ns":
        return True
    scale = {"day": timedelta(days=1), "ms": timedelta(milliseconds=1), "us": timedelta(microseconds=1)}[unit]
    # In a zone of its own a moment may be of the year before or after.
    zone = timedelta(days=1 if getattr(series.dtype, "time_zone", None) else 0)
    least, most = ((each - _EPOCH) // scale for each in (datetime.min + zone, datetime.max - zone))
    return bool(series.to_physical().is_between(least, most).all())


def name_bytes(schema: polars.Schema, warn: Warn) -> None:
    """Warn of the columns that no text can hold as they are, or a part of."""
    found = [name for name, kind in schema.items() if _has_bytes(kind)]
    warn.tally(_BINARY, len(found), (f"“{name}”" for name in found))


def _has_bytes(kind: Any) -> bool:
    if isinstance(kind, polars.Struct):
        return any(_has_bytes(field.dtype) for field in kind.fields)
    if isinstance(kind, polars.Map):
        return _has_bytes(kind.key) or _has_bytes(kind.value)
    if isinstance(kind, polars.List | polars.Array):
        return _has_bytes(kind.inner)
    if isinstance(kind, polars.BaseExtension):
        return _has_bytes(kind.ext_storage())
    return bool(kind == polars.Binary)


def values(series: polars.Series) -> list[Value]:
    """The cells of a column as values.

    What Python's types would cut becomes text: nanoseconds, dates outside of the years 1 to 9999, spans of more than a
    billion days.
    """
    series, kind = series.alias(""), series.dtype
    if kind.is_nested():
        return _nested(series)
    if kind in _FLOATS:
        # The shortest digits of a number of fewer than 64 bits, not those of the 64-bit number next to it.
        found: list[Any] = series.to_list() if kind == polars.Float64 else _widened(series)
        return [finite(value) if type(value) is float else value for value in found]
    if kind == polars.Binary:
        return series.bin.encode("base64").to_list()
    if isinstance(kind, polars.Datetime | polars.Date) and not in_calendar(series):
        return calendar.texts(series)
    if isinstance(kind, polars.Datetime) and kind.time_unit == "ns":
        return series.dt.to_string("iso:strict").to_list()
    if kind in (polars.Time, polars.Duration("ns")) and (series.to_physical() % 1000 != 0).any():
        return series.dt.to_string("iso").to_list()
    if kind == polars.Duration("ms") and not series.is_between(timedelta.min, timedelta.max).all():
        return series.dt.to_string("iso").to_list()
    return series.to_list()


def _nested(series: polars.Series) -> list[Value]:
    kind = series.dtype
    nulls = series.is_null().to_list()
    if isinstance(kind, polars.Struct):
        names = [field.name for field in kind.fields]
        fields = list(map(values, series.struct.unnest()))
        rows = zip(*fields, strict=True) if fields else iter([()] * len(series))
        return [None if null else dict(zip(names, row, strict=True)) for null, row in zip(nulls, rows, strict=True)]
    if isinstance(kind, polars.Map):
        pairs = series.cast(polars.List(polars.Struct({"key": kind.key, "value": kind.value})))
        return [None if null else _mapping(each) for null, each in zip(nulls, _nested(pairs), strict=True)]
    lists = series.arr.to_list() if isinstance(kind, polars.Array) else series
    lengths = lists.list.len().fill_null(0)
    items = iter(values(lists.filter(lengths > 0).explode()) if lengths.sum() else ())
    return [None if null else list(islice(items, each)) for null, each in zip(nulls, lengths.to_list(), strict=True)]


def _mapping(pairs: Any) -> Value:
    """The entries of a map as an object, or as they are, a list, where that would lose one to another."""
    found = {each if type(each := pair["key"]) is str else text(each): pair["value"] for pair in pairs}
    return found if len(found) == len(pairs) else pairs


def _widened(series: polars.Series) -> list[float | None]:
    return [None if value is None else float(value) for value in series.cast(polars.String).to_list()]


def rows(frame: polars.DataFrame) -> list[list[Value]]:
    """The rows of a frame as values."""
    return list(map(list, zip(*map(values, frame), strict=True)))
