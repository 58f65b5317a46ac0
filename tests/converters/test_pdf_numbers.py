"""The numbers of a table in a PDF are read by column: all of them, or none."""

from __future__ import annotations

import pytest

from engine.families.pdf.writers.numbers import values


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["a", "\u22122.5", "-3", "4"], ["a", -2.5, -3, 4]),
        (["a", "1.250,00", "-17,50", "3,00-"], ["a", "1.250,00", "-17,50", "3,00-"]),
        (["a", "1 250,50", "\u20131,50", "2,00"], ["a", 1250.5, -1.5, 2.0]),
        (["a", "(1,000.00)", "2,500.50"], ["a", -1000.0, 2500.5]),
        (["a", "$1,200.00", "3.50"], ["a", "$1,200.00", "3.50"]),
        (["a", "12,5 %", "0"], ["a", "12,5 %", "0"]),
        (["a", "0042", "1200"], ["a", "0042", "1200"]),
        (["Price 2024", "", "EUR 1,000", "12", "n/a", "7"], ["Price 2024", None, "EUR 1,000", 12, "n/a", 7]),
        (["2023", "1,5", "2,5"], [2023, 1.5, 2.5]),
        (["a", "1,250", "7"], ["a", 1250, 7]),
    ],
)
def test_a_column_is_numbers_or_text(cells: list[str], expected: list[object]) -> None:
    assert [row[0] for row in values([[each] for each in cells])] == expected


def test_each_column_has_its_own_format() -> None:
    rows = [["a", "b", "c"], ["1.5", "1,5", "1.250"], ["2.5", "2,5"]]
    assert values(rows) == [["a", "b", "c"], [1.5, 1.5, "1.250"], [2.5, 2.5]]


def test_a_column_that_tells_no_format_has_that_of_the_table() -> None:
    assert values([["1,5", "1.250"], ["2,5", "3.000"]]) == [[1.5, 1250], [2.5, 3000]]
