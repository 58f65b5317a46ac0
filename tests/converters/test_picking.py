"""Picking: what conditions mean, how rows are sorted, and that no option changes what it does not name."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from engine.families.data.picking import conditions, names, sorting, stage
from engine.families.data.picking.evaluation import Column, Uncompared
from engine.families.data.picking.options import LeadingRows, Picked
from engine.families.data.table import Row, Table, batched
from engine.families.data.values import Number
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import InvalidOption
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

COLUMNS = ["n", "text", "day", "flag", "none", "other name"]
MOMENT = datetime(2024, 1, 31, 10, 30, tzinfo=UTC)
ROW: Row = [10, "it's", MOMENT, True, None, "x"]


@dataclass(frozen=True)
class Options(Picked, LeadingRows):
    """The options of a table whose columns have names."""


def holds(condition: str, row: Row | None = None, *, nulls: bool = True) -> bool:
    test = conditions.parse(condition).bind(lambda name: Column(name, COLUMNS.index(name), nulls))
    (found,) = test([row or ROW], Uncompared())
    return bool(found)


@pytest.mark.parametrize(
    "condition",
    [
        "n = 10",
        "n == 10.0",
        "n != 11",
        "n <> 11",
        "n < 1e2",
        "n > -1",
        "10 <= n",
        "9 < n and n < 11",
        "n in (1, 10)",
        "n not in (1, 2)",
        "text = 'it''s'",
        'text = "it\'s"',
        'text contains "\'"',
        "text startsWith 'it'",
        "text in ('a') or text ENDSWITH 's'",
        "text not contains 'x'",
        "text matches '^i.\\Ws$'",
        "day = 2024-01-31",
        "day >= 2024-01-31 and not day > 2024-01-31",
        "day = 2024-01-31T11:30+01:00",
        "day > 2024-01-31T10:29",
        "flag = true",
    ],
)
def test_condition_holds(condition: str) -> None:
    assert holds(condition)
    assert not holds(f"not ({condition})")


@pytest.mark.parametrize(
    ("condition", "cell", "expected"),
    [
        ("n > 9", "10", True),
        ("n = 7", "007", True),
        ("n = '7'", "007", False),
        ("n > 9", "N/A", False),
        ("n != 9", "N/A", True),
        ("n = 9007199254740993", "9007199254740992", False),
        ("n = 9007199254740993", 9007199254740993, True),
        ("n > 0.1", Decimal("0.1"), False),
        ("n = 0.1", Number("0.10"), True),
        ("n = 0.1", 0.1, True),
        ("n > 0.1234567890123456789", Number("0.12345678901234567891"), True),
        ("n = 1", True, False),
        ("n = true", "TRUE", True),
        ("n >= 2024-02-01", "2024-02-01", True),
        ("n >= 2024-02-01", "2024-01-31T23:59:59", False),
        ("n < 2024-02-01", date(2024, 1, 31), True),
        ("n = 2024-02-30", "x", None),
        ("n < 5", None, False),
        ("n != 5", None, True),
        ("n is null", None, True),
        ("n is not null", 0, True),
        ("n contains 'a'", None, False),
        ("n not contains 'a'", None, True),
        ("n = '[1,2]'", [1, 2], True),
    ],
)
def test_a_cell_counts_as_what_it_shows(condition: str, cell: Any, expected: bool | None) -> None:
    if expected is None:
        with pytest.raises(InvalidOption):
            holds(condition)
    else:
        assert holds(condition, [cell, *ROW[1:]]) is expected


def test_an_empty_text_is_no_value_only_where_there_is_no_null() -> None:
    row: Row = [""] * len(COLUMNS)
    assert holds("n is null", row, nulls=False)
    assert not holds("n is null", row, nulls=True)
    assert holds("n = ''", row, nulls=False)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [(1, "2", True), ("10", "9", False), ("a", "b", True), (None, 1, False), (date(2024, 1, 1), "2024-01-02", True)],
)
def test_columns_are_compared_with_columns(one: Any, other: Any, expected: bool) -> None:
    assert holds("n < text", [one, other, *ROW[2:]]) is expected
    assert holds("n >= text", [one, other, *ROW[2:]]) is (not expected and one is not None)


@pytest.mark.parametrize(
    ("condition", "place"),
    [
        ("", 1),
        ("n", 2),
        ("n >", 4),
        ("n > 1 1", 7),
        ("n > (1)", 5),
        ("(n > 1", 7),
        ("n = 'x", 5),
        ("[n = 1", 1),
        ("n = null", 5),
        ("n in ()", 7),
        ("n in (text)", 7),
        ("n = 2024-13-01", 5),
        ("1 = 1", 1),
        ("n contains 1", 12),
        ("n matches '('", 11),
        ("n ; 1", 3),
        ("n = “x”", 5),
        ("not " * 60 + "n = 1", 41 * 4 + 1),
        ("(" * 60 + "n = 1" + ")" * 60, 42),
    ],
)
def test_what_is_wrong_with_a_condition_is_said_with_its_place(condition: str, place: int) -> None:
    with pytest.raises(InvalidOption) as raised:
        conditions.parse(condition)
    assert raised.value.option == "where"
    assert str(raised.value).startswith(f"At character {place}: ")


@pytest.mark.parametrize("pattern", ["(a{1000}){1000}", "(?=a)", r"(a)\1", "(" * 400 + ")" * 400, "[", "a{2,1}"])
def test_a_regular_expression_that_would_not_be_linear_or_small_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidOption) as raised:
        conditions.parse(f"text matches '{pattern}'")
    assert str(raised.value).startswith("At character 14: ")


def test_any_text_is_a_condition_or_refused() -> None:
    pieces = [
        "n",
        "[a b]",
        "=",
        "<",
        "(",
        ")",
        ",",
        "and",
        "or",
        "not",
        "in",
        "is",
        "null",
        "'x'",
        "1",
        "2024-01-01",
        '"',
    ]
    chance = random.Random(7)
    parsed = 0
    for _ in range(3000):
        with suppress(InvalidOption):
            conditions.parse(" ".join(chance.choices(pieces, k=chance.randrange(1, 12))))
            parsed += 1
    assert 0 < parsed < 3000


def picked(rows: list[Row], **options: Any) -> list[Row]:
    table = Table("t", ["a", "b"], lambda: batched(rows, 7))
    found = stage.pick(table, build(Options, options), Warn(), Path())
    return [row for batch in found.batches() for row in batch]


MIXED = [3, "10", 2.5, "b", None, "a", date(2024, 1, 1), Number("1e400"), True, "", "B", -7, datetime(2023, 1, 1)]


@pytest.mark.parametrize("sort", ["a", "-a", "b, -a", "-b,a"])
def test_a_sort_on_disk_is_the_sort_in_memory(sort: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    rows: list[Row] = [[chance.choice(MIXED), chance.randrange(4)] for _ in range(5000)]
    table = Table("t", ["a", "b"], lambda: batched(rows))

    def through() -> tuple[list[list[Row]], int]:
        found = stage.pick(table, build(Options, {"sort": sort}), Warn(), tmp_path)
        twice = [[row for batch in found.batches() for row in batch] for _ in range(2)]
        return twice, len(list(tmp_path.iterdir()))

    in_memory, files = through()
    assert files == 0
    monkeypatch.setattr(sorting, "RUN_CELLS", 1500)
    on_disk, files = through()
    assert files == 1
    assert on_disk == in_memory
    assert sorted(map(repr, in_memory[0])) == sorted(map(repr, rows))


def test_numbers_come_before_texts_and_nothing_comes_last() -> None:
    rows: list[Row] = [["b", 1], [None, 2], ["10", 3], [9, 4], ["a", 5], ["9.5", 6]]
    assert [row[1] for row in picked(rows, sort="a")] == [4, 6, 3, 5, 1, 2]
    assert [row[1] for row in picked(rows, sort="-a")] == [1, 5, 3, 6, 4, 2]


def test_numbers_are_sorted_to_their_last_digit() -> None:
    low: list[Any] = [Number("-1e400"), Number("-1e399"), -(2**70), -1, "-0.5", 0, Number("0.1")]
    near: list[Any] = ["0.1000000000000000000001", 0.2, "3", 9007199254740992, "9007199254740993", 9007199254740994]
    numbers = [*low, *near, Decimal("1e300"), Number("1e400"), Number("1e401")]
    rows: list[Row] = [[each, at] for at, each in enumerate(numbers)]
    mixed = random.Random(3).sample(rows, len(rows))
    assert picked(mixed, sort="a") == rows
    assert picked(mixed, sort="-a") == rows[::-1]


def test_a_separator_of_data_before_a_digit_is_no_number() -> None:
    rows: list[Row] = [["\x1c1", 0], ["\u00a02", 1], ["3", 2]]
    assert picked(rows, sort="a") == [rows[1], rows[2], rows[0]]
    assert picked(rows, where="a > 1") == rows[1:]


def test_rows_are_skipped_before_they_are_tested_sorted_and_cut() -> None:
    rows: list[Row] = [[number, number % 3] for number in range(20)]
    assert picked(rows, skipRows=9, where="b = 0", sort="-a", limit=2, columns="b, a as x") == [[0, 18], [0, 15]]


def test_items_of_a_list_become_rows_and_no_row_is_lost() -> None:
    rows: list[Row] = [[1, [1, None]], [2, []], [3, None], [4, "[1.10, {}]"], [5, "[x"]]
    assert picked(rows, unwind="b") == [
        [1, 1],
        [1, None],
        [2, None],
        [3, None],
        [4, Number("1.10")],
        [4, {}],
        [5, "[x"],
    ]


@pytest.mark.parametrize("columns", ["a as b, b", "a, a", "[a", "a,,b", "a as [x"])
def test_a_list_of_columns_that_can_not_be_is_refused(columns: str) -> None:
    with pytest.raises(InvalidOption) as raised:
        picked([[1, 2]], columns=columns)
    assert raised.value.option == "columns"


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("a  as b c , [x, y] AS [z]", [("a", "b c"), ("x, y", "z")]), ("a as b as [c]]d]", [("a as b", "c]d")]),
        ("a as b as c", [("a", "b as c")]), ("a as, b as", [("a as", None), ("b as", None)]),
        ("-,- a, - as [x]", [("-", None), ("- a", None), ("-", "x")]), ("- as x", [("- as x", None)]),
    ],
)  # fmt: skip
def test_a_new_name_of_a_column_begins_behind_the_first_word_it_can(given: str, read: list[Any]) -> None:
    assert [(each.name, each.new) for each in names.parse("columns", given, signs=False)] == read


def convert(folder: Path, slug: str, data: bytes, **options: Any) -> bytes:
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    target.unlink(missing_ok=True)
    converter.run(source, target, build(converter.options, options), Warn())
    return target.read_bytes()


DOCUMENTS = [
    b'[{"a": 1.10, "b": {"c": "x", "d": [1, 2.0]}, "e": ""}, {"b": null, "f": true, "e": null}]',
    b'[{"a": null, "x": 1}, {"a": {"b": 1}}, {"a": {"b": [{}]}, "\\u00e9": "\\ud83d\\ude00, \\"q\\"\\n"}]',
    b"[[1, [2]], [3]]",
    b'[1, "x", null]',
    b'{"a": {}, "b": [], "c": 12345678901234567890, "d": 1e400}',
    b'[{"a": null}, {}, {"a": ""}, {"a": "x"}]',
]


@pytest.mark.parametrize(
    "options", [{}, {"quote": "all"}, {"flatten": False}, {"arrays": "join"}, {"arrays": "columns"}]
)
@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_general_path_of_json_to_csv_gives_the_bytes_of_the_fast_one(
    document: bytes, options: dict[str, Any], tmp_path: Path
) -> None:
    fast = convert(tmp_path, "json-to-csv", document, **options)
    assert convert(tmp_path, "json-to-csv", document, **options, limit=1000) == fast
