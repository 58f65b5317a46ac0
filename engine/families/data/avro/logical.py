"""Avro logical types that fastavro does not support, or not for all values (Apache Avro 1.12, Logical Types)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

beyond: Counter[int] = Counter()
"""Counts the numbers that encode a date or datetime outside Python's range; a process reads a single file."""

_EPOCH = datetime(1970, 1, 1)
_DAY = date(1970, 1, 1)
Read = Callable[..., Any]


def _within_years(read: Callable[[int], Any]) -> Read:
    def value(data: int, writer_schema: Any = None, reader_schema: Any = None) -> Any:
        try:
            return read(data)
        except OverflowError:
            beyond[data] += 1
            return data

    return value


def _moment(unit: timedelta, *, zoned: bool) -> Read:
    epoch = _EPOCH.replace(tzinfo=UTC) if zoned else _EPOCH
    return _within_years(lambda data: epoch + data * unit)


def _nanoseconds(*, zoned: bool) -> Read:
    """All nine digits, as text: Python's moments have six."""

    def read(data: int) -> str:
        seconds, rest = divmod(data, 10**9)
        return f"{(_EPOCH + timedelta(seconds=seconds)).isoformat()}.{rest:09}{'Z' if zoned else ''}"

    return _within_years(read)


def _duration(data: bytes, writer_schema: Any = None, reader_schema: Any = None) -> str:
    """Months, days and milliseconds, which have no common unit, in ISO 8601."""
    months, days, milliseconds = (int.from_bytes(data[at : at + 4], "little") for at in (0, 4, 8))
    return f"P{months}M{days}DT{milliseconds // 1000}.{milliseconds % 1000:03}S"


READERS: Mapping[str, Read] = {
    "int-date": _within_years(lambda data: _DAY + timedelta(days=data)),
    "long-timestamp-millis": _moment(timedelta(milliseconds=1), zoned=True),
    "long-timestamp-micros": _moment(timedelta(microseconds=1), zoned=True),
    "long-timestamp-nanos": _nanoseconds(zoned=True),
    "long-local-timestamp-millis": _moment(timedelta(milliseconds=1), zoned=False),
    "long-local-timestamp-micros": _moment(timedelta(microseconds=1), zoned=False),
    "long-local-timestamp-nanos": _nanoseconds(zoned=False),
    "fixed-duration": _duration,
}
"""By the key of fastavro's own table: the stored and the logical type."""
