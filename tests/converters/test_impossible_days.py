"""Numbers that are no day or time stay numbers and are named; 29 February 1900 is read as Excel shows it."""

from __future__ import annotations

import io
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from engine.families.data.workbooks.cell_numbers import short
from tests.converters.test_workbooks import SHEET, codes, read, rows
from tests.families.data import binary_workbooks
from tests.families.data.files import edited

DAY, TIME, MOMENT, SPAN = "yyyy-mm-dd", "hh:mm", "yyyy-mm-dd hh:mm", "[h]:mm"


def book(formats: list[str], numbers: list[float], *, from_1904: bool = False) -> bytes:
    made, file = Workbook(), io.BytesIO()
    if from_1904:
        made.epoch = CALENDAR_MAC_1904
    sheet: Any = made.active
    for column, code in enumerate(formats, 1):
        sheet.cell(1, column, f"c{column}")
        for row, number in enumerate(numbers, 2):
            sheet.cell(row, column, number).number_format = code
    made.save(file)
    return file.getvalue()


def shown(number: float, code: str, folder: Path, **how: bool) -> tuple[Any, list[str]]:
    table, warn = read(book([code], [number], **how), folder)
    return rows(table)[-1][0], [str(each.message) for each in warn.warnings]


@pytest.mark.parametrize("number", [-5, -5.25, -0.25, 2_958_466])
@pytest.mark.parametrize("code", [DAY, TIME, MOMENT])
def test_numbers_outside_the_calendar_stay_numbers_and_are_named(number: float, code: str, tmp_path: Path) -> None:
    value, messages = shown(number, code, tmp_path)
    assert (value, len(messages)) == (number, 1)
    assert f"A2 is {number:.15g}" in messages[0]


@pytest.mark.parametrize(
    ("number", "code", "expected"),
    [
        (60, DAY, "1900-02-29"),
        (60.5, MOMENT, "1900-02-29T12:00:00"),
        (60, TIME, "1900-02-29"),
    ],
)
def test_the_leap_day_of_1900_is_read_as_excel_shows_it(
    number: float, code: str, expected: str, tmp_path: Path
) -> None:
    value, messages = shown(number, code, tmp_path)
    assert (value, len(messages)) == (expected, 1)


@pytest.mark.parametrize(
    ("number", "code", "expected"),
    [
        (0, TIME, time()),
        (0.25, TIME, time(6)),
        (59, DAY, date(1900, 2, 28)),
        (61, DAY, date(1900, 3, 1)),
        (2_958_465, DAY, date(9999, 12, 31)),
        (-1.5, SPAN, timedelta(days=-1.5)),
        (60, SPAN, timedelta(days=60)),
    ],
)
def test_days_times_and_durations_are_read_without_a_word(
    number: float, code: str, expected: Any, tmp_path: Path
) -> None:
    assert shown(number, code, tmp_path) == (expected, [])


@pytest.mark.parametrize("number", [0, 0.25])
def test_a_part_of_a_day_formatted_as_a_date_stays_a_number(number: float, tmp_path: Path) -> None:
    assert shown(number, DAY, tmp_path)[0] == number


@pytest.mark.parametrize(
    ("number", "code", "expected"),
    [(0, DAY, date(1904, 1, 1)), (0.25, MOMENT, datetime(1904, 1, 1, 6)), (60, DAY, date(1904, 3, 1))],
)
def test_days_from_1904_begin_with_0(number: float, code: str, expected: Any, tmp_path: Path) -> None:
    assert shown(number, code, tmp_path, from_1904=True) == (expected, [])


def test_a_duration_longer_than_any_calendar_stays_a_number(tmp_path: Path) -> None:
    table, warn = read(book([SPAN, "0"], [1e12, 1.5]), tmp_path)
    assert rows(table)[1:] == [[10**12, 10**12], [timedelta(days=1.5), 1.5]]
    assert codes(warn) == {"VALUE_CONVERTED"}


def test_cells_are_found_with_prefixes_and_without_references(tmp_path: Path) -> None:
    data = edited(
        book([DAY, DAY], [-5, 40_000]), SHEET, lambda part: part.replace(b' r="A2"', b"").replace(b' r="B2"', b"")
    )
    assert rows(read(data, tmp_path)[0])[1:] == [[-5, -5], [date(2009, 7, 6), date(2009, 7, 6)]]


def test_binary_workbooks_are_read_alike(tmp_path: Path) -> None:
    # Days since 30 December 1899: -5, 60 and 61.
    days: list[list[object]] = [[date(1899, 12, 25)], [date(1900, 2, 28)], [date(1900, 3, 1)]]
    table, warn = read(binary_workbooks.workbook({"A": days}), tmp_path, "xlsb")
    assert rows(table) == [[-5], ["1900-02-29"], [date(1900, 3, 1)]]
    assert codes(warn) == {"VALUE_CONVERTED"}


@pytest.mark.parametrize(
    ("content", "number"),
    [(b"\0\0\xf0\x3f", 1.0), (b"\x01\0\xf0\x3f", 0.01), (b"\x1e\0\0\0", 7.0), (b"\xee\xff\xff\xff", -5.0)],
)
def test_short_numbers_of_old_workbooks_are_integers_or_halves_of_floats(content: bytes, number: float) -> None:
    assert short(content) == number
