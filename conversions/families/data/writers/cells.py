"""Cells: how a value is put into a spreadsheet's cell, which holds texts, doubles, booleans and moments only."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import IO

from conversions.families.data.table import Table
from conversions.families.data.values import Number, Value, exact_float, text
from conversions.toolkit.failures import OverLimit
from conversions.toolkit.warnings import Warn

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
MAX_TEXT = 32_767
MAX_PART = 2_000_000_000
MAX_EXACT = 10**15
MAX_SHOWN = 30
"""Digits after the point that a number format shows at most."""
FIRST_MOMENT = datetime(1900, 3, 1)
"""Spreadsheets count days from 1900 with a leap day that never was; from here on all of them agree."""

FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""What XML 1.0, section 2.2, does not allow in a document, escaped or not."""

_NAME = re.compile(r"[\x00-\x1f\[\]:*?/\\]")


def simplified(value: Value, warn: Warn) -> str | bool | int | float | date | time | timedelta | None:
    """The value as one of the types a spreadsheet has; what would lose digits there becomes text, with a warning."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Number):
        exact = exact_float(value)
        if exact is not None and (exact % 1 or abs(exact) < MAX_EXACT):
            return exact
        warn("VALUE_CONVERTED", "Numbers became text whose digits a spreadsheet would change.")
        return str(value)
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        if -MAX_EXACT < value < MAX_EXACT:
            return value
        warn(
            "VALUE_CONVERTED", "Integers of over 15 digits became text because a spreadsheet would change their digits."
        )
        return str(value)
    if isinstance(value, float):
        return value if value - value == 0 else text(value)
    if isinstance(value, Decimal):
        return simplified(Number(format(value, "f")), warn) if value.is_finite() else str(value)
    if isinstance(value, datetime):
        if value.tzinfo is not None or value < FIRST_MOMENT:
            warn("VALUE_CONVERTED", "Dates and times with a time zone or before March 1900 became text.")
            return text(value)
        if value.microsecond % 1000:
            warn("VALUE_CONVERTED", "Moments finer than a millisecond are shown rounded to one by spreadsheets.")
        return value
    if isinstance(value, date):
        if value < FIRST_MOMENT.date():
            warn("VALUE_CONVERTED", "Dates before March 1900 became text, as spreadsheets can't store them as dates.")
            return value.isoformat()
        return value
    if isinstance(value, time | timedelta):
        return value
    return text(value)


def fitting(value: str, warn: Warn) -> str:
    """The text cut to what a cell holds, which is counted in UTF-16 units."""
    if len(value) <= MAX_TEXT // 2:
        return value
    units = value.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * MAX_TEXT:
        return value
    warn("TEXT_TRUNCATED", f"Texts were cut to {MAX_TEXT:,} characters, the most that a cell can hold.")
    return units[: 2 * MAX_TEXT].decode("utf-16-le", "ignore")


class Part:
    """One XML part of a workbook that is being written; raises OverLimit before the archive would need ZIP64.

    Excel offers to repair files whose entries carry the marks of ZIP64.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._size = 0

    def write(self, markup: str) -> None:
        data = markup.encode()
        self._size += len(data)
        if self._size > MAX_PART:
            raise OverLimit("output", "The data is too large for one workbook. Split it, or convert to CSV.")
        self._file.write(data)


def decimal_codes(table: Table) -> dict[int, str]:
    """The number formats that show all digits of columns which their reader declares to have so many."""
    if table.schema is None or table.look is not None:
        return {}
    return {
        at: f"0.{'0' * each.scale}"
        for at, each in enumerate(table.schema())
        if each is not None and each.kind == "decimal" and 0 < each.scale <= MAX_SHOWN
    }


def check_size(rows: int, columns: int) -> None:
    """Raise OverLimit for more than a sheet can hold."""
    if rows > MAX_ROWS:
        raise OverLimit("output", f"A sheet holds {MAX_ROWS:,} rows at most. Split the data, or convert to CSV.")
    if columns > MAX_COLUMNS:
        raise OverLimit("output", f"A sheet holds {MAX_COLUMNS:,} columns at most. Convert fewer columns.")


def sheet_names(tables: list[Table], warn: Warn) -> list[str]:
    """The tables' names as a sheet can bear them: 31 characters, without some signs, none twice in any case."""
    taken: set[str] = set()
    names = []
    for index, table in enumerate(tables, 1):
        name = wanted = _NAME.sub("_", table.name).strip("'")[:31] or f"Sheet{index}"
        number = 2
        while name.lower() in taken:
            suffix = f"_{number}"
            name = wanted[: 31 - len(suffix)] + suffix
            number += 1
        if name != table.name:
            warn(
                "VALUE_CONVERTED",
                f"The sheet “{table.name}” was renamed to “{name}”, as a workbook does not allow the original name.",
            )
        taken.add(name.lower())
        names.append(name)
    return names
