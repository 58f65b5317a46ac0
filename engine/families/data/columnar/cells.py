"""Convert columns to Python values, and to cell text with the same result as `values.text`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

import polars

from engine.families.data.columnar import calendar
from engine.families.data.values import Value, finite, text
from engine.toolkit.warnings import Kind, Warn

_FLOATS = (polars.Float16, polars.Float32, polars.Float64)
_EPOCH = datetime(1970, 1, 1)
_BINARY = Kind("VALUE_CONVERTED", "Binary columns became Base64 text: {count}{places}.")
_KEY = "k"
TEXTS = (polars.String, polars.Categorical, polars.Enum)


def called_by_place(frame: polars.DataFrame) -> polars.DataFrame:
    """Return the same columns, named by their index, because polars treats names like "*" and "^…$" as patterns."""
    found = frame.clone()
    found.columns = list(map(str, range(frame.width)))
    return found


def frame_of(columns: Iterable[polars.Series], names: Iterable[str]) -> polars.DataFrame:
    """Return columns under these names, of which one may be empty, or another than that of its column."""
    frame = polars.DataFrame([series.alias(str(at)) for at, series in enumerate(columns)])
    frame.columns = list(names)
    return frame


def texts(series: polars.Series) -> polars.Series:
    """Return a column as text; nulls stay null."""
    return _texts(series.alias("")).alias(series.name)


def _texts(series: polars.Series) -> polars.Series:
    kind = series.dtype
    if (
        kind in (*TEXTS, polars.Boolean, polars.Decimal)
        or kind.is_integer()
        or (kind == polars.Date and in_calendar(series))
    ):
        return series.cast(polars.String)
    if kind in _FLOATS:
        return _digits(series)
    if kind in (polars.Datetime("us"), polars.Datetime("ms")) and in_calendar(series):
        return _moments(series)
    if kind.is_nested() and encoded_alike(series):
        written = polars.DataFrame({_KEY: series}).select(polars.struct(_KEY).struct.json_encode()).to_series()
        return written.str.slice(len(_KEY) + 4).str.head(-1).set(series.is_null(), None)
    return polars.Series(_written(values(series)), dtype=polars.String)


def encoded_alike(series: polars.Series) -> bool:
    """Return whether polars and msgspec encode all values alike as JSON."""
    kind = series.dtype
    if isinstance(kind, polars.List):
        return encoded_alike(series.explode())
    if isinstance(kind, polars.Struct):
        return all(map(encoded_alike, series.struct.unnest()))
    if kind == polars.Float64:
        return bool((series.abs() < 1e16).all())
    return kind in (polars.String, polars.Boolean) or kind.is_integer()


def spelled_alike(series: polars.Series) -> polars.Series:
    """Return which floats are zero, or finite and in the range where every library writes the same shortest digits."""
    size, most = series.abs(), 1e16 if series.dtype == polars.Float64 else 1e9
    return ((size >= 1e-4) & (size < most)) | (size == 0)


def _digits(series: polars.Series) -> polars.Series:
    written = series.cast(polars.String)
    others = (~spelled_alike(series)).arg_true()  # arg_true() leaves nulls out
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
    """Return whether all dates of a column are in the years 1 to 9999, the range of Python's `datetime`."""
    unit = "day" if series.dtype == polars.Date else series.dtype.time_unit  # type: ignore[attr-defined]
    if unit == "ns":
        return True
    scale = {"day": timedelta(days=1), "ms": timedelta(milliseconds=1), "us": timedelta(microseconds=1)}[unit]
    # Converted to local time, a timestamp can fall in the year before or after.
    zone = timedelta(days=1 if getattr(series.dtype, "time_zone", None) else 0)
    least, most = ((each - _EPOCH) // scale for each in (datetime.min + zone, datetime.max - zone))
    return bool(series.to_physical().is_between(least, most).all())


def name_bytes(schema: polars.Schema, warn: Warn) -> None:
    """Warn of columns that are binary or have a binary field: they are written as Base64 text."""
    found = [name for name, kind in schema.items() if has_bytes(kind)]
    warn.tally(_BINARY, len(found), (f"“{name}”" for name in found))


def has_bytes(kind: Any) -> bool:
    """Return whether a type is binary or has a binary field."""
    if isinstance(kind, polars.Struct):
        return any(has_bytes(field.dtype) for field in kind.fields)
    if isinstance(kind, polars.Map):
        return has_bytes(kind.key) or has_bytes(kind.value)
    if isinstance(kind, polars.List | polars.Array):
        return has_bytes(kind.inner)
    if isinstance(kind, polars.BaseExtension):
        return has_bytes(kind.ext_storage())
    return bool(kind == polars.Binary)


def values(series: polars.Series) -> list[Value]:
    """Return the cells of a column as Python values.

    Values outside the range or precision of Python's types become text: nanoseconds, dates outside the years 1 to 9999,
    and durations of more than a billion days.
    """
    series, kind = series.alias(""), series.dtype
    if kind.is_nested():
        return _nested(series)
    if kind in _FLOATS:
        # Use the shortest digits of the 16-bit or 32-bit float, not those of the nearest 64-bit float.
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
    """Return the entries of a map as a dict, or unchanged as a list of pairs where a dict would lose duplicate keys."""
    found = {each if type(each := pair["key"]) is str else text(each): pair["value"] for pair in pairs}
    return found if len(found) == len(pairs) else pairs


def _widened(series: polars.Series) -> list[float | None]:
    return [None if value is None else float(value) for value in series.cast(polars.String).to_list()]


def rows(frame: polars.DataFrame) -> list[list[Value]]:
    """Return the rows of a frame as Python values."""
    return list(map(list, zip(*map(values, frame), strict=True)))
