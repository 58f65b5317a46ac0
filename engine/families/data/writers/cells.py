"""Fit values into spreadsheet cells, which hold only texts, doubles, booleans and timestamps."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import IO

from engine.families.data.table import Table
from engine.families.data.values import Number, Value, exact_float, text
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.numbered_names import NumberedNames
from engine.toolkit.warnings import Warn

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
MAX_TEXT = 32_767
MAX_EXACT = 10**15
"""What Excel has in a sheet, a cell and the digits of a number (its specifications and limits)."""
MAX_PART = 2_000_000_000
MAX_SHOWN = 30
"""The maximum digits after the point in a number format."""
FIRST_MOMENT = datetime(1900, 3, 1)
"""Spreadsheets count days from 1900, with a leap day that never existed; from this day on all of them agree."""

FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML 1.0, section 2.2, does not allow in a document, escaped or not."""

_NAME = re.compile(r"[\x00-\x1f\[\]:*?/\\]")


def simplified(value: Value, warn: Warn) -> str | bool | int | float | date | time | timedelta | None:
    """Return the value as a type that spreadsheets have; numbers that would lose digits become text, with a warning."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Number):
        exact = exact_float(value)
        if exact is not None and (exact % 1 or abs(exact) < MAX_EXACT):
            return exact
        warn("VALUE_CONVERTED", "Numbers became text where a spreadsheet would change their digits.")
        return str(value)
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        if -MAX_EXACT < value < MAX_EXACT:
            return value
        warn("VALUE_CONVERTED", "Integers over 15 digits became text, because spreadsheets would change their digits.")
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
            warn("VALUE_CONVERTED", "Spreadsheets show times rounded to a millisecond.")
        return value
    if isinstance(value, date):
        if value < FIRST_MOMENT.date():
            warn(
                "VALUE_CONVERTED",
                "Dates before March 1900 became text, because spreadsheets can't store them as dates.",
            )
            return value.isoformat()
        return value
    if isinstance(value, time | timedelta):
        return value
    return text(value)


def fitting(value: str, warn: Warn) -> str:
    """Return the text cut to the limit of a cell, which counts UTF-16 units."""
    if len(value) <= MAX_TEXT // 2:
        return value
    units = value.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * MAX_TEXT:
        return value
    warn.account("values", 1)
    warn(
        "TEXT_TRUNCATED",
        say("Text was cut to {max_text} characters, the most a cell can have.", max_text=MAX_TEXT),
    )
    return units[: 2 * MAX_TEXT].decode("utf-16-le", "ignore")


class Part:
    """An XML part of a workbook that is being written. Raises OverLimit before the archive would need ZIP64.

    Excel offers to repair files with ZIP64 entries.
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
    """Return number formats that show all digits of columns whose reader declares their scale."""
    if table.schema is None or table.layout is not None:
        return {}
    return {
        at: f"0.{'0' * each.scale}"
        for at, each in enumerate(table.schema())
        if each is not None and each.kind == "decimal" and 0 < each.scale <= MAX_SHOWN
    }


def check_size(rows: int, columns: int) -> None:
    """Raise OverLimit for more than a sheet can hold."""
    if rows > MAX_ROWS:
        raise OverLimit(
            "output",
            say("A sheet can have at most {max_rows} rows. Split the data, or convert to CSV.", max_rows=MAX_ROWS),
        )
    if columns > MAX_COLUMNS:
        raise OverLimit(
            "output",
            say("A sheet can have at most {max_columns} columns. Convert fewer.", max_columns=MAX_COLUMNS),
        )


def sheet_names(tables: list[Table], warn: Warn) -> list[str]:
    """Return the table names as valid sheet names: 31 characters, no reserved ones, unique regardless of case."""
    taken = NumberedNames(str.lower)
    names = []
    for index, table in enumerate(tables, 1):
        wanted = _NAME.sub("_", table.name).strip("'")[:31] or f"Sheet{index}"
        name = taken.free(wanted, lambda name, number: f"{name[: 30 - len(str(number))]}_{number}")
        if name != table.name:
            warn(
                "VALUE_CONVERTED",
                say(
                    "The sheet “{name}” was renamed to “{name2}”, because workbooks don't allow the original name.",
                    name=table.name,
                    name2=name,
                ),
            )
        names.append(name)
    return names
