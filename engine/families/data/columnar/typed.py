"""Infer typed columns from text columns, with the same result as `inference` cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date

import polars

from engine.families.data.columnar.cells import spelled_alike
from engine.families.data.doubts import DECISIVE, OTHER_DAYS, Doubts
from engine.families.data.exactness import Unlike
from engine.families.data.inference import BOOLEANS, EXACT_DIGITS, NOTHING, TEXTS, Kind, Spelling, joined
from engine.families.data.schema import NULLS, OFFSETS
from engine.families.data.values import Number, exact_float
from engine.toolkit import warnings

_INTEGER = r"^(-?0|-?[1-9][0-9]{0,14})$"
_LONG = r"^(-?0|-?[1-9][0-9]{0,18})$"
_DECIMAL = r"^(-?((0|[1-9][0-9]*)\.[0-9]*|\.[0-9]+)|-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]{1,3})$"
_NOT_A_NUMBER = r"(?i)^[+-]?(nan|inf|infinity)$"
_NUMBER = rf"{_INTEGER}|{_DECIMAL}"
_MOMENT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?$"
_MINUTES = r"^([0-9T -]*[0-9]{2}:[0-9]{2})(Z|[+-][0-9:]{5}|)$"
_ZONE = r"(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$"
_UTC = r"(Z|[+-]00:00)$"
_TIME = r"^[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_FIRST_DAY = date(1, 1, 1)
_LEAP_SECOND = ":60"


def kinds(frame: polars.DataFrame, spelling: Spelling, known: list[Kind | None] | None = None) -> list[Kind | None]:
    """Return the kind of each text column, merged with the kinds `known` from earlier rows."""
    before = known or [None] * frame.width
    return [
        kind if kind == "text" else joined(filter(None, (kind, _kind(series, spelling))))
        for kind, series in zip(before, frame, strict=True)
    ]


def _kind(series: polars.Series, spelling: Spelling) -> Kind | None:
    series = without_nothing(series)
    at = series.is_not_null().arg_max()
    first = None if at is None else series[at]
    if first is None:
        return None
    kind = spelling.kind(first) or "text"
    for wider in (kind, *_WIDER.get(kind, ())):
        if wider == "text" or of_kind(series, wider) is not None:
            return wider
    return "text"


_WIDER: dict[Kind | None, tuple[Kind, ...]] = {"integer": ("long", "number"), "not a number": ("number",)}


def without_nothing(series: polars.Series) -> polars.Series:
    """Return a column of text with null for the cells that say that there is no value."""
    nothing = series.is_in(list(NOTHING))
    return series.set(nothing, None) if nothing.any() else series


def typed(frame: polars.DataFrame, kinds: list[Kind | None]) -> polars.DataFrame:
    """Convert text columns to the given kinds, nulls kept. Raises Unlike."""
    columns = []
    for series, kind in zip(frame, kinds, strict=True):
        if kind is None and without_nothing(series).null_count() < len(series):
            raise Unlike
        found = series if kind is None or kind == "text" else of_kind(without_nothing(series), kind)
        if found is None:
            raise Unlike
        columns.append(series if kind in TEXTS else found)
    return polars.DataFrame(columns)


def of_kind(series: polars.Series, kind: Kind) -> polars.Series | None:
    """Return the column converted to a kind other than text, or None where a cell does not fit."""
    found = _TYPED[kind](series)
    return found if found is not None and found.null_count() == series.null_count() else None


def _all(series: polars.Series, pattern: str) -> bool:
    return bool(series.str.contains(pattern).all())


def _integers(series: polars.Series) -> polars.Series | None:
    return series.cast(polars.Int64) if _all(series, _INTEGER) else None


def _longs(series: polars.Series) -> polars.Series | None:
    return series.cast(polars.Int64, strict=False) if _all(series, _LONG) else None


def _not_numbers(series: polars.Series) -> polars.Series | None:
    return series if _all(series, _NOT_A_NUMBER) else None


def _numbers(series: polars.Series) -> polars.Series | None:
    odd = series.str.contains(_NOT_A_NUMBER).fill_null(False)
    if odd.any():
        finite = _numbers(series.set(odd, None))
        values = [float(each) for each in series.filter(odd).to_list()]
        return None if finite is None else finite.scatter(odd.arg_true(), values)
    found = series.cast(polars.Float64, strict=False)
    # Most long numbers are the shortest digits of a float, and therefore exact.
    alike = (found.cast(polars.String) == series) & spelled_alike(found)
    others = series.filter(~alike)
    if not _all(others, _NUMBER):
        return None
    long = others.filter((others.str.len_bytes() > EXACT_DIGITS) | others.str.contains("[eE]"))
    if any(exact_float(Number(each)) is None for each in long.to_list()):
        return None
    return found


def _booleans(series: polars.Series) -> polars.Series | None:
    found = series.is_in([each for each, value in BOOLEANS.items() if value])
    others = series.is_in([each for each, value in BOOLEANS.items() if not value])
    return found if (found | others).all() else None


def _dates(series: polars.Series) -> polars.Series | None:
    if not _all(series, _DATE):
        return None
    found = series.str.to_date("%Y-%m-%d", strict=False)
    return found if (found >= _FIRST_DAY).all() else None


def _moments(series: polars.Series) -> polars.Series | None:
    if not _all(series, _MOMENT) or series.str.contains(_LEAP_SECOND, literal=True).any():
        return None
    found = (
        with_seconds(series)
        .str.replace(" ", "T", literal=True)
        .str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit="us", strict=False)
    )
    return found if (found.dt.date() >= _FIRST_DAY).all() else None


def _instants(series: polars.Series) -> polars.Series | None:
    plain = series.str.replace(_ZONE, "")
    if not _all(series, _ZONE) or _moments(plain) is None or series.str.contains("^(0001|9999)").any():
        return None
    even = with_seconds(series).str.replace(" ", "T", literal=True).str.replace("Z", "+00:00", literal=True)
    return even.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%:z", time_unit="us", strict=False)


def told(frame: polars.DataFrame, kinds: Sequence[Kind | None]) -> Counter[warnings.Kind]:
    """Count what is to be told of a text frame: instants with a zone other than UTC, and texts that mean nothing."""
    found = Counter[warnings.Kind]()
    for series, kind in zip(frame, kinds, strict=True):
        if kind not in TEXTS:
            found[NULLS] += without_nothing(series).null_count() - series.null_count()
        if kind == "instant":
            found[OFFSETS] += int((~without_nothing(series).drop_nulls().str.contains(_UTC)).sum())
    return found


def _times(series: polars.Series) -> polars.Series | None:
    if not _all(series, _TIME) or series.str.contains(_LEAP_SECOND, literal=True).any():
        return None
    return with_seconds(series).str.to_time("%H:%M:%S%.f", strict=False)


def with_seconds(series: polars.Series) -> polars.Series:
    """Return times, with or without a date and a zone, that all have seconds."""
    return series.str.replace(_MINUTES, "${1}:00${2}")


_TYPED: dict[Kind, Callable[[polars.Series], polars.Series | None]] = {
    "integer": _integers,
    "long": _longs,
    "number": _numbers,
    "not a number": _not_numbers,
    "boolean": _booleans,
    "date": _dates,
    "moment": _moments,
    "instant": _instants,
    "time": _times,
}


def all_kinds(frames: Iterator[polars.DataFrame], spelling: Spelling) -> list[Kind | None]:
    """Return the kinds of the columns over all frames."""
    found: list[Kind | None] | None = None
    for frame in frames:
        found = kinds(frame, spelling, found)
    assert found is not None
    return found


def doubt(frame: polars.DataFrame, kinds: list[Kind | None], doubts: Doubts) -> None:
    """Count the next rows of the columns that are text."""
    for at, kind in enumerate(kinds):
        if kind != "text" or not doubts.is_open(at):
            continue
        series = frame.to_series(at)
        doubts.see(at, series.head(DECISIVE).to_list())
        rest = series.slice(DECISIVE)
        if rest.len() and doubts.is_open(at):
            # Most are alike: of those one is as good as another.
            most = doubts.kind(at)
            alike, one = (_INTEGER, "1") if most == "number" else (OTHER_DAYS.get(most), doubts.first_like(at, most))
            if alike and one:
                rest = rest.set(rest.str.contains(alike).fill_null(False), one)
        doubts.see(at, rest.to_list())
