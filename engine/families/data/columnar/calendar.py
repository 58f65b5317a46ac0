"""Format dates outside the years 1 to 9999, which Python's `datetime` can't hold, as ISO 8601 with a signed year."""

from __future__ import annotations

from datetime import datetime, timedelta

import polars

_EPOCH = datetime(1970, 1, 1)
_ERA = timedelta(days=146_097)
"""400 years, the period of the Gregorian calendar."""
_UNITS = {"ms": 1000, "us": 1, "ns": 1}


def texts(series: polars.Series) -> list[str | None]:
    """Return each date or datetime of a column as ISO 8601 text, such as `+10000-01-01T00:00:00`."""
    kind = series.dtype
    numbers = series.to_physical().to_list()
    if kind == polars.Date:
        return [None if each is None else _date(each) for each in numbers]
    scale = _UNITS[kind.time_unit]  # type: ignore[attr-defined]
    zone = "" if kind.time_zone is None else "Z"  # type: ignore[attr-defined]
    rest = 1000 if kind.time_unit == "ns" else 1  # type: ignore[attr-defined]
    return [None if each is None else _moment(each * scale // rest, each % rest) + zone for each in numbers]


def _date(days: int) -> str:
    eras, days = divmod(days, _ERA.days)
    day = _EPOCH + timedelta(days=days)
    return f"{_year(day.year + 400 * eras)}-{day:%m-%d}"


def _moment(microseconds: int, nanoseconds: int) -> str:
    days, rest = divmod(microseconds, 86_400_000_000)
    time = _EPOCH + timedelta(microseconds=rest)
    fraction = f".{time.microsecond:06}" if time.microsecond or nanoseconds else ""
    return f"{_date(days)}T{time:%H:%M:%S}{fraction}" + (f"{nanoseconds:03}" if nanoseconds else "")


def _year(year: int) -> str:
    return f"{year:04}" if 0 <= year <= 9999 else f"{year:+05}" if year < 0 else f"+{year}"
