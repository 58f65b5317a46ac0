"""A cell's value is shown as spreadsheets show it."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

import pytest

from engine.families.data.workbooks.format_codes import BUILT_IN
from engine.toolkit.number_formats import is_formatted, shown

SHOWN = [
    ("00000", 1234, "01234"),
    ("0.0%", 0.256, "25.6%"),
    ("0%", 0.125, "13%"),
    ('"$"#,##0.00', 1234.5, "$1,234.50"),
    ("[h]:mm:ss", 1.25, "30:00:00"),
    ("[h]:mm:ss", timedelta(hours=30, minutes=5), "30:05:00"),
    ("[mm]:ss", 0.0625, "90:00"),
    ("[s]", 0.5, "43200"),
    ("General", 1234.5678901234, "1234.56789"),
    ("General", 0.1 + 0.2, "0.3"),
    ("General", 123456789012, "1.23457E+11"),
    ("General", 12345678901, "12345678901"),
    ("General", -0.00001234567, "-1.23457E-05"),
    ("General", 0.00001, "0.00001"),
    ("General", -0.0000125, "-0.0000125"),
    ("General", 0.0000100000655, "1.00001E-05"),
    ("General", 1.5e-9, "1.5E-09"),
    ("General", 4.09470975e231, "4.0947E+231"),
    ("General", 1 / 3, "0.333333333"),
    ("General", "text", "text"),
    ("General", True, "TRUE"),
    ("0", 2.5, "3"),
    ("0", -0.4, "0"),
    ("0.00", -1.005, "-1.01"),
    ("#", 0, ""),
    ("#.##", 0.5, ".5"),
    ("0.##", 3, "3."),
    ("0.0?", 1.5, "1.5"),
    ("#,##0", 1234567, "1,234,567"),
    ("#,##0,", 1234567, "1,235"),
    ("0.0,,\\M", 1234567, "1.2M"),
    ("000-00-0000", 123456789, "123-45-6789"),
    ("(###) ###-####", 5551234567, "(555) 123-4567"),
    ("0.00E+00", 12345, "1.23E+04"),
    ("0.00E-00", 0.00012345, "1.23E-04"),
    ("##0.0E+0", 12345, "12.3E+3"),
    ("0E+0", 9.9, "1E+1"),
    ("# ?/?", 1.5, "1 1/2"),
    ("# ??/??", 3.14159, "3 1/7"),
    ("?/8", 0.5, "4/8"),
    ("# ?/?", 2, "2"),
    ("#,##0.00;[Red](#,##0.00)", -1234.5, "(1,234.50)"),
    ("#,##0_);\\(#,##0\\)", 5, "5"),
    ('0;-0;"zero";"text: "@', 0, "zero"),
    ('0;-0;"zero";"text: "@', "x", "text: x"),
    ("0;-0", 0, "0"),
    (";;;", 5, ""),
    ('[<1]"low";[>=100]"high";0', 0.5, "low"),
    ('[<1]"low";[>=100]"high";0', 100, "high"),
    ('[<1]"low";[>=100]"high";0', 7, "7"),
    ("[$€-407] #,##0.00", 12.5, "€ 12.50"),
    ("#,##0 [$kr-41D]", -12, "-12 kr"),
    ('0 "kg"', 3, "3 kg"),
    ("@", "007", "007"),
    ("yyyy-mm-dd", date(2024, 2, 29), "2024-02-29"),
    ("d-mmm-yy", datetime(2024, 2, 9), "9-Feb-24"),
    ("dddd, mmmm d, yyyy", 45351, "Thursday, February 29, 2024"),
    ("ddd mmmmm", 45351, "Thu F"),
    ("h:mm AM/PM", time(13, 5), "1:05 PM"),
    ("h:mm a/p", time(0, 5), "12:05 a"),
    ("hh:mm:ss.000", time(13, 5, 9, 123000), "13:05:09.123"),
    ("mm:ss.0", 0.00001, "00:00.9"),
    ("m/d/yyyy h:mm", datetime(2024, 3, 1, 23, 59, 31), "3/1/2024 23:59"),
    ("mm/dd", 1, "01/01"),
    ("yyyy-mm-dd", date(1900, 1, 1), "1900-01-01"),
    ("d/m/yy h:mm", datetime(1900, 2, 28, 12), "28/2/00 12:00"),
    ("yyyy-mm-dd", date(1900, 3, 1), "1900-03-01"),
    ("yyyy-mm-dd", 60, "1900-02-29"),
    ("yyyy-mm-dd", 61, "1900-03-01"),
    ("yyyy-mm-dd hh:mm:ss", datetime(2024, 2, 29, 23, 59, 59, 999900), "2024-03-01 00:00:00"),
]


@pytest.mark.parametrize(("code", "value", "text"), SHOWN, ids=[f"{code} of {value}" for code, value, _ in SHOWN])
def test_a_value_is_shown_as_its_format_says(code: str, value: Any, text: str) -> None:
    assert shown(value, code) == text


@pytest.mark.parametrize(
    "code",
    [*BUILT_IN.values(), "", ";", "[", '"', "\\", "_", "*", "[$", "0" * 300, "%%%%", "//", "E+", "[h", "?/0", "#/"],
)
@pytest.mark.parametrize("value", [0, -1.5, 1e300, 1e-300, 0.1, 2_958_464.99, -3e15, "text", True, date(2024, 1, 1)])
def test_no_format_and_value_fail_together(code: str, value: Any) -> None:
    assert isinstance(shown(value, code), str)


@pytest.mark.parametrize("code", ["00000", "0%", '"$"0', "0 \\k\\g", "# ?/?", "[$€]0.00", BUILT_IN["44"]])
def test_formats_that_say_more_than_the_number(code: str) -> None:
    assert is_formatted(code)


@pytest.mark.parametrize("code", ["General", "0.00", "#,##0", "@", "yyyy-mm-dd", "[h]:mm", "0.00E+00", BUILT_IN["39"]])
def test_formats_that_say_no_more_than_the_number(code: str) -> None:
    assert not is_formatted(code)
