"""Number formats of Excel 95 with colours and conditions show numbers, and those of dates show dates."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.conversion import convert
from tests.families.data import old_workbooks


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("[Red][<-25]General", -30.5, "-30.5"),
        ("[Red][<-25]General;[Blue][>25]General;General", 12.5, "12.5"),
        ("[Red]0.00", 12.5, "12.5"),
        ('0.0" days"', 12.5, "12.5"),
        ("yyyy-mm-dd", 45_351, "2024-02-29"),
        ("[Red]dd.mm.yyyy", 45_351, "2024-02-29"),
    ],
)
def test_a_format_with_a_colour_is_no_date(tmp_path: Path, code: str, value: float, shown: str) -> None:
    source, target = tmp_path / "input.xls", tmp_path / "output.csv"
    stream = old_workbooks.records("A", [["name"], [value]], formats={(1, 0): code})
    source.write_bytes(old_workbooks.compound(stream))
    warnings = convert(source, target, sandbox=False).warnings
    assert target.read_text("utf-8").splitlines() == ["name", shown]
    assert "CONTENT_DROPPED" not in {each.code for each in warnings}
