"""Encode cells as byte strings that sort in the same order, across all types.

Numbers, and texts that spell one, come first; then dates and datetimes, times, durations, and other texts by code
point. Nulls are last. Bytes are compared, stored and merged much faster than values.
"""

from __future__ import annotations

import math
import struct
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from engine.families.data.picking.comparing import number
from engine.families.data.values import Value, text

NOTHING = b"\xff"
_NUMBER, _MOMENT, _TIME, _SPAN, _TEXT = b"\x10", b"\x11", b"\x12", b"\x13", b"\x14"
_SIGN = 1 << 63
_ALL = (1 << 64) - 1
_DOUBLE = struct.Struct(">d")
_WHOLE = 1 << 53
_UPSIDE_DOWN = bytes(range(255, -1, -1))
_END = b"\0\0"


def down(key: bytes) -> bytes:
    """Return the key for descending order; not for NOTHING, which is last in both directions."""
    return key.translate(_UPSIDE_DOWN)


def key(cell: Value) -> bytes:
    """Return the key of one cell, which must not be None; no key is a prefix of another."""
    found = int(cell) if isinstance(cell, bool) else number(cell)
    if found is not None:
        return _NUMBER + _of_number(found)
    if isinstance(cell, date):
        return _MOMENT + _of_text(_moment(cell).isoformat())
    if isinstance(cell, time):
        return _TIME + _of_text(cell.replace(tzinfo=None).isoformat())
    if isinstance(cell, timedelta):
        return _SPAN + _of_double(cell.total_seconds())
    return _TEXT + _of_text(cell if isinstance(cell, str) else text(cell))


def _moment(cell: date) -> datetime:
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).replace(tzinfo=None) if cell.tzinfo else cell
    return datetime(cell.year, cell.month, cell.day)


def _of_number(value: int | float | Decimal) -> bytes:
    return b"".join(map(_of_double, near_and_rest(value)))


def near_and_rest(value: int | float | Decimal) -> tuple[float, float]:
    """Return two floats that sort as the number: the nearest one, and what that one lacks."""
    if isinstance(value, float) or (isinstance(value, int) and -_WHOLE < value < _WHOLE):
        return value, 0.0
    try:
        near = float(value)
    except OverflowError:
        near = math.inf if value > 0 else -math.inf
    if math.isinf(near):
        # Beyond the range of doubles: by the number of digits.
        digits = Decimal(value).adjusted()
        return near, digits if near > 0 else -digits
    # A double stands for its shortest digits, so that the rest is counted from those.
    return near, float(Decimal(value) - Decimal(repr(near)))


def _of_double(value: float) -> bytes:
    bits = int.from_bytes(_DOUBLE.pack(value + 0.0))
    return (bits ^ _ALL if bits & _SIGN else bits | _SIGN).to_bytes(8)


def _of_text(value: str) -> bytes:
    data = value.encode(errors="surrogatepass")
    return (data.replace(b"\0", b"\0\1") if b"\0" in data else data) + _END
