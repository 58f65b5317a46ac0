"""Columns of CSV whose cells are of one kind, and those that stay text because of some of their cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.conversion import convert
from engine.families.data import table


def told(folder: Path, text: str, target: str = "output.json", **options: str) -> list[tuple[str, str]]:
    source = folder / "input.csv"
    source.write_text(text)
    result = convert(source, folder / target, sandbox=False, **options)
    return [(each.code, str(each.message)) for each in result.warnings]


def text_of(column: str, count: int, total: str, first: str, row: str, *, nothing: bool = False) -> tuple[str, str]:
    hint = " Use nulls for texts that mean an empty cell." if nothing else ""
    return (
        "COLUMN_TEXT",
        f"The column “{column}” stays text because of {count} of its {total} values, "
        f"the first of them “{first}” in row {row}.{hint}",
    )


@pytest.mark.parametrize("large", [-1, 1 << 60], ids=["by columns", "by rows"])
@pytest.mark.parametrize("target", ["output.parquet", "output.xlsx", "output.json"])
def test_a_late_text_among_numbers_is_named_with_its_row(
    target: str, large: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "LARGE", large)
    rows = [f"{number},x{number},{number}.5" for number in range(5_000)] + ["5000,y,N/A", "5001,z,", "5002,z,n/a"]
    found = told(tmp_path, "\n".join(["a,b,c", *rows]) + "\n", target, types="infer")
    assert found == [text_of("c", 2, "5,002", "N/A", "5,001", nothing=True)]


@pytest.mark.parametrize(
    ("cells", "count", "first", "row"),
    [
        (("1", "-", "2"), 1, "-", 2),
        (("NA", "n/a", "7", "#N/A"), 3, "NA", 1),
        (("1", "two", "3"), 1, "two", 2),
        (("?", "2024-01-31", "2024-02-01"), 1, "?", 1),
        (("1", "2", "2024-01-31"), 1, "2024-01-31", 3),
        (("2024-01-31", "2", "3", "4"), 1, "2024-01-31", 1),
        (("true", "false", "unknown"), 1, "unknown", 3),
        (("9007199254740993", "1.5"), 1, "9007199254740993", 1),
        (("1.5", "NaN", "x"), 1, "x", 3),
        (("9223372036854775808", "5", "6"), 1, "9223372036854775808", 1),
        (("10:30", "9:30"), 1, "9:30", 2),
    ],
)
def test_a_column_that_is_nearly_of_one_kind_is_named(
    cells: tuple[str, ...], count: int, first: str, row: int, tmp_path: Path
) -> None:
    text = "\n".join(["a,b", *(f"{cell},x" for cell in cells)]) + "\n"
    expected = [text_of("a", count, str(len(cells)), first, str(row), nothing=first in ("-", "NA", "?"))]
    assert told(tmp_path, text, types="infer") == expected
    assert told(tmp_path, text, "output.parquet") == expected


@pytest.mark.parametrize(
    "cells",
    [
        ("1", "", "3"),
        ("00501", "10001"),
        ("Ann", "Bo", "7"),
        ("A1", "B2", "3"),
        ("null", "None"),
        ("1", "two"),
        ("1", "true"),
        ("1.10.2", "1.2.3"),
        ("1/2/3", "4/5/6"),
        ("10-12", "3-4"),
    ],
)
def test_a_column_that_is_meant_to_be_text_or_of_one_kind_is_not_named(cells: tuple[str, ...], tmp_path: Path) -> None:
    assert told(tmp_path, "\n".join(["a,b", *(f"{cell},x" for cell in cells)]) + "\n", types="infer") == []


@pytest.mark.parametrize("large", [-1, 1 << 60], ids=["by columns", "by rows"])
@pytest.mark.parametrize(
    ("cells", "hint"),
    [
        (("31.01.2024", "1.2.2024"), " Use dateFormat for dates in this order."),
        (("10/18/2010", "6/2/2010"), " Use dateFormat for dates in this order."),
        (("2015/01/31", "2015/02/01"), " Use dateFormat for dates in this order."),
        (("12/17/23", "12/14/23"), ""),
        (("2015/01/01 01:00:00", "2015/01/01 04:00:00"), ""),
        (("0:04:15", "0:06:18"), ""),
        ((" 1 ", " 2.5"), ""),
    ],
)
def test_a_column_that_other_programs_read_as_of_one_kind_is_named(
    cells: tuple[str, str], hint: str, large: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "LARGE", large)
    rows = "".join(f"{cell},x\n" for cell in [cells[0], *cells * 2_000])
    assert told(tmp_path, f"a,b\n{rows}", types="infer") == [
        (
            "COLUMN_TEXT",
            "The column “a” stays text because of 4,001 of its 4,001 values, "
            f"the first of them “{cells[0]}” in row 1.{hint}",
        )
    ]


@pytest.mark.parametrize(
    ("cells", "first", "row"),
    [
        (("2024-01-31", "2024-01-31 10:00"), "2024-01-31 10:00", 2),
        (("2024-01-31 10:00", "2024-01-31T10:00:00Z", "2024-01-31T10:00:00Z"), "2024-01-31 10:00", 1),
        (("18446744073709551615",), "18446744073709551615", 1),
    ],
)
def test_a_column_of_several_kinds_of_moments_and_of_longer_integers_is_named(
    cells: tuple[str, ...], first: str, row: int, tmp_path: Path
) -> None:
    assert told(tmp_path, "\n".join(["a,b", *(f"{cell},x" for cell in cells)]) + "\n", types="infer") == [
        text_of("a", 1, str(len(cells)), first, str(row))
    ]


def test_a_column_of_dates_in_the_given_order_is_not_named(tmp_path: Path) -> None:
    assert told(tmp_path, "a,b\n31.01.2024,x\n1.2.2024,y\n", types="infer", dateFormat="dd.mm.yyyy") == []


def test_nothing_is_said_of_text_that_nobody_asked_to_be_more(tmp_path: Path) -> None:
    assert told(tmp_path, "a,b\n1,2\nN/A,3\n") == []


def test_ten_columns_are_named_and_the_others_counted(tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(13)]
    found = told(
        tmp_path, "\n".join([",".join(names), ",".join(["1"] * 13), ",".join(["?"] * 13)]) + "\n", types="infer"
    )
    assert [code for code, _ in found] == ["COLUMN_TEXT"] * 11
    assert found[0] == text_of("c0", 1, "2", "?", "2", nothing=True)
    assert found[-1][1] == "More columns stay text because of some of their values: 3 (“c10”, “c11”, “c12”)."


def test_times_with_fractions_are_where_they_were(tmp_path: Path) -> None:
    assert told(tmp_path, "a,b\n1,10:00:00.250\n2,23:59:59.999\n", "output.parquet") == []
