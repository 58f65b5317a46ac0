"""Picking by whole columns and row by row: both give the same bytes, warnings and errors."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.families.data import table
from engine.families.data.json_input import blocks as json_blocks
from engine.families.data.picking import stage, unwinding
from engine.families.data.picking.by_columns import frames as columnar_picking
from engine.families.data.picking.by_columns import sorting
from engine.families.data.picking.by_columns import unwinding as columnar_unwinding
from engine.families.data.picking.by_columns.comparing import View
from engine.families.data.picking.sorting import By
from tests.converters.test_frames import CELLS, COLUMNS, KINDS, SPELLED, TIDY, parquet
from tests.converters.ways import Ways, outcome
from tests.examples import examples

MANY = settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ways:
    return Ways(
        tmp_path,
        monkeypatch,
        rows=[(stage._Picked, "_frames", lambda _: None)],
        columns=[
            (table, "LARGE", -1),
            (json_blocks, "LARGE", 0),
            (stage, "_FEW_ROWS", 0),
            (columnar_picking, "_ROWS", 2),
        ],
        counted=[(columnar_picking.Picking, "frames")],
    )


NAMES = ["a", "b", "c"]
NUMBERS = st.sampled_from(
    [
        "0", "1", "-1", "1.1", "1.10", "42", "1e5", "0.1", "1e400", "-1e400", "9007199254740993", "9007199254740992",
        "12345678901234567890", "0.1234567890123456789", "123456789012345.25", "3.141592653589793", "-0.0", "1e-400",
        "1.23456789012345e25", "1E99999999999999999999", "0.30000000000000004", "0.3", "9" * 400,
    ]
)  # fmt: skip
QUOTED = st.sampled_from(
    ["x", "", "1", "1.10", "true", "é", "\U0001f600", "2024-02-29", "a b", "Z", "-", "\ue000"]
).map(lambda text: f"'{text}'")
OTHERS = st.sampled_from(
    [
        "true", "false", "2024-02-29", "0001-01-01", "9999-12-31", "2024-01-01T12:00:00", "2024-01-01T12:00:00Z",
        "2024-01-01T10:00:00+02:00", "2024-01-01T12:00:00.5", "1970-01-01",
    ]
)  # fmt: skip
LITERALS = NUMBERS | QUOTED | OTHERS
COLUMN = st.sampled_from(NAMES)
TESTS = (
    st.tuples(COLUMN, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), LITERALS | COLUMN).map(" ".join)
    | st.tuples(COLUMN, st.sampled_from(["contains", "startsWith", "endsWith", "matches"]), QUOTED).map(" ".join)
    | st.tuples(
        COLUMN, st.sampled_from(["in", "not in"]), st.lists(LITERALS, min_size=1, max_size=3).map(", ".join)
    ).map(lambda parts: f"{parts[0]} {parts[1]} ({parts[2]})")
    | st.tuples(COLUMN, st.sampled_from(["is null", "is not null"])).map(" ".join)
)
CONDITIONS = st.recursive(
    TESTS,
    lambda inner: (
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda each: f"({' '.join(each)})")
        | inner.map("not {}".format)
    ),
    max_leaves=3,
)
PICKS = st.fixed_dictionaries(
    {},
    optional={
        "where": CONDITIONS,
        "sort": st.lists(st.tuples(st.sampled_from(["", "-"]), COLUMN).map("".join), min_size=1, max_size=2).map(
            ", ".join
        ),
        "columns": st.sampled_from(["b, a as x", "*", "c, *", "b", "a as y, c as [z, z]"]),
        "limit": st.integers(1, 4),
    },
).filter(bool)
NEARLY = st.sampled_from(
    [
        "9007199254740993", "9007199254740992", "9007199254740992.5", "0.1234567890123456789", "0.12345678901234568",
        "1e400", "-1e400", "1e401", "2" + "0" * 400, "1e99999999999999999999", "0e99999999999999999999", " 1",
        "\u00a01", "\x1c1", "1 ", "inf", "NaN", "Infinity", "-inf", "1_0", "0x1", "0.30000000000000004", "3e-1", ".3",
        "12345678901234567890", "12345678901234567891", "-0", "-0.0", "0", "1e-400", "\u0661", "TRUE", "True", "tRue",
        "1.10", "1.1", "+1.1", "2024-01-01T12:00:00,5", "2024-01-01T12:00", "a\0", "a\0b", "a",
    ]
)  # fmt: skip


def text(rows: list[tuple[str, ...]], delimiter: str = ",") -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter).writerows([NAMES, *rows])
    return file.getvalue().encode()


@pytest.mark.ci
@pytest.mark.parametrize("types", ["text", "infer"])
@pytest.mark.parametrize("slug", ["csv-to-csv", "csv-to-json", "csv-to-parquet"])
@pytest.mark.examples
@MANY
@given(data=st.data(), picks=PICKS)
def test_any_text(ways: Ways, slug: str, types: str, data: st.DataObject, picks: dict[str, Any]) -> None:
    kinds = data.draw(st.lists(st.sampled_from([*KINDS, NEARLY, CELLS | TIDY, NUMBERS]), min_size=3, max_size=3))
    cells = st.tuples(*(kind | (SPELLED | NEARLY if data.draw(st.booleans()) else st.just("")) for kind in kinds))
    ways.same(slug, text(data.draw(st.lists(cells, max_size=10))), types=types, **picks)


KEPT = [kind for kind in COLUMNS if kind != polars.Binary]


@pytest.mark.ci
@pytest.mark.parametrize("slug", ["parquet-to-csv", "parquet-to-json"])
@pytest.mark.examples
@MANY
@given(data=st.data(), picks=PICKS, skip=st.integers(0, 2))
def test_any_columns(ways: Ways, slug: str, data: st.DataObject, picks: dict[str, Any], skip: int) -> None:
    height = data.draw(st.integers(0, 8))
    columns = {}
    for name in NAMES:
        kind = data.draw(st.sampled_from(KEPT))
        cells = data.draw(st.lists(st.none() | COLUMNS[kind], min_size=height, max_size=height))
        columns[name] = polars.Series(cells, dtype=kind)
    ways.same(slug, parquet(columns), skipRows=skip, **picks)


VALUES: list[st.SearchStrategy[Any]] = [
    st.integers(-(10**16), 10**20).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(["1.10", "1E5", "-0.0", "1e-05", "0.1234567890123456789", "5", "12.50", "-0"]),
    (CELLS | TIDY | SPELLED).map(json.dumps),
    st.booleans().map(json.dumps),
]


@pytest.mark.ci
@pytest.mark.parametrize("slug", ["json-to-parquet", "json-to-csv", "ndjson-to-csv", "ndjson-to-parquet"])
@pytest.mark.examples
@MANY
@given(data=st.data(), picks=PICKS)
def test_any_objects(ways: Ways, slug: str, data: st.DataObject, picks: dict[str, Any]) -> None:
    kinds = [data.draw(st.sampled_from(VALUES)) | st.just("null") for _ in NAMES]
    if data.draw(st.booleans()):
        kinds[0] |= data.draw(st.sampled_from([*VALUES, st.just("[1]"), st.just('{"x": 1.10}')]))
    rows = data.draw(st.lists(st.tuples(*kinds), min_size=1, max_size=8))
    objects = [
        "{" + ", ".join(f'"{name}": {cell}' for name, cell in zip(NAMES, row, strict=True)) + "}" for row in rows
    ]
    lines = slug.startswith("ndjson")
    ways.same(slug, ("\n".join(objects) if lines else f"[{','.join(objects)}]").encode(), **picks)


LISTS = [kind for kind in KEPT if isinstance(kind, polars.List)]
ARRAYS = st.sampled_from(["[]", "[1.10, {}]", '["x", null]', "[x]", "[", "]", "x"])


@pytest.mark.ci
@pytest.mark.parametrize("slug", ["parquet-to-csv", "parquet-to-json", "parquet-to-ndjson", "parquet-to-xlsx"])
@pytest.mark.examples
@MANY
@given(data=st.data(), picks=st.just({}) | PICKS, skip=st.integers(0, 2))
def test_any_lists_of_columns(ways: Ways, slug: str, data: st.DataObject, picks: dict[str, Any], skip: int) -> None:
    height = data.draw(st.integers(0, 8))
    columns = {}
    for name in NAMES:
        kind = data.draw(st.sampled_from(LISTS if name == "a" else KEPT))
        cells = data.draw(st.lists(st.none() | COLUMNS[kind], min_size=height, max_size=height))
        columns[name] = polars.Series(cells, dtype=kind)
    unwind = data.draw(st.sampled_from(["a", "a", "b"]))
    ways.same(slug, parquet(columns), skipRows=skip, unwind=unwind, **picks)


@pytest.mark.ci
@pytest.mark.parametrize("types", ["text", "infer"])
@pytest.mark.parametrize("slug", ["csv-to-csv", "csv-to-json", "csv-to-parquet"])
@pytest.mark.examples
@MANY
@given(data=st.data(), picks=st.just({}) | PICKS)
def test_any_lists_of_text(ways: Ways, slug: str, types: str, data: st.DataObject, picks: dict[str, Any]) -> None:
    arrays = data.draw(st.sampled_from([ARRAYS, st.sampled_from(["", "x", "1", "[x"])]))
    rows = data.draw(st.lists(st.tuples(arrays, CELLS | TIDY, NUMBERS), max_size=8))
    ways.same(slug, text(rows), types=types, unwind="a", **picks)


NESTED = {
    "a": polars.Series([[{"s": "x", "n": [1]}, None], [], None, [{"s": None, "n": []}]]),
    "b": polars.Series([1.5, 2.0, None, 4.0]),
    "c": polars.Series([[1, None], [], [3], None]),
}


@pytest.mark.parametrize(
    ("unwind", "found"),
    [
        ("a", ['{"s":"x","n":[1]}|1.5', "|1.5", "|2.0", "|", '{"s":null,"n":[]}|4.0']),
        ("c", ["1|1.5", "|1.5", "|2.0", "3|", "|4.0"]),
    ],
)
def test_lists_are_unwound_by_columns(ways: Ways, unwind: str, found: list[str]) -> None:
    made = ways.same("parquet-to-csv", parquet(NESTED), unwind=unwind, columns=f"{unwind}, b")
    assert isinstance(made, bytes)
    assert ["|".join(row) for row in csv.reader(io.StringIO(made.decode()))][1:] == found
    assert ways.by_columns == 1


def test_columns_and_items_keep_their_types_when_they_are_unwound(ways: Ways) -> None:
    kinds = {"a": polars.List(polars.Float32), "b": polars.Int16, "c": polars.Categorical}
    data = parquet(dict(zip(kinds, map(polars.Series, ([[1.5, None], []], [1, 2], ["x", "y"])), strict=True)))
    frame = polars.read_parquet(io.BytesIO(data)).cast(kinds)
    made, _ = ways.outcome([(table, "LARGE", -1)], "parquet-to-arrow", parquet(frame.to_dict()), {"unwind": "a"})
    assert isinstance(made, bytes)
    found = polars.read_ipc(io.BytesIO(made))
    assert found.dtypes == [polars.Float32, polars.Int16, polars.Categorical]
    assert found.rows() == [(1.5, 1, "x"), (None, 1, "x"), (None, 2, "y")]


def test_a_long_list_is_unwound_in_pieces(ways: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    lists = polars.Series([[1, 2], [3, 4, 5, 6, 7], None, [], [8], [9]])
    monkeypatch.setattr(columnar_unwinding, "_ROWS", 2)
    found = ways.same("parquet-to-ndjson", parquet({"a": lists}), unwind="a")
    assert isinstance(found, bytes)
    cells = [json.loads(line)["a"] for line in found.splitlines()]
    assert cells == [1, 2, 3, 4, 5, 6, 7, None, None, 8, 9]
    assert ways.by_columns == 1


def test_times_keep_their_digits_when_rows_are_unwound(ways: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    times = polars.Series([1_000_000, 1], dtype=polars.Int64).cast(polars.Time)
    monkeypatch.setattr(columnar_unwinding, "_ROWS", 1)
    found = ways.same("parquet-to-csv", parquet({"a": times, "b": polars.Series([[1], [2, 3]])}), unwind="b")
    assert found == b"a,b\r\n00:00:00.001,1\r\n00:00:00.000000001,2\r\n00:00:00.000000001,3\r\n"
    assert ways.by_columns == 1


@pytest.mark.parametrize(("limit", "told"), [(None, ["OPTION_IGNORED"]), (1, [])])
def test_a_column_without_lists_is_named_alike(ways: Ways, limit: int | None, told: list[str]) -> None:
    data = parquet({"a": polars.Series(["x", "[x", None]), "b": polars.Series([1, 2, 3])})
    options = {"unwind": "a", "limit": limit, "where": "b > 0"} if limit else {"unwind": "a"}
    ways.same("parquet-to-csv", data, **options)
    assert [each.code for each in outcome(ways.folder, "parquet-to-csv", data, **options)[1]] == told
    assert ways.by_columns == 1


@pytest.mark.parametrize("cells", [["[1, 2]", "x"], ["[1", "x]", "[}]"]])
def test_texts_that_may_be_arrays_are_unwound_by_rows(ways: Ways, cells: list[str]) -> None:
    ways.same("parquet-to-csv", parquet({"a": polars.Series(cells)}), unwind="a")
    assert ways.by_columns == 0


def test_too_many_cells_are_refused_alike(ways: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (unwinding, columnar_unwinding):
        monkeypatch.setattr(module, "MAX_CELLS", 5)
    found = ways.same("parquet-to-csv", parquet({"a": polars.Series([[1, 2, 3], [4, 5, 6]])}), unwind="a")
    assert "OverLimit" in str(found)
    assert ways.by_columns == 0


ROWS = [("1.10", "x", "2024-01-01"), ("9007199254740993", "", "2024-01-02"), ("9007199254740992", "y", "x")]


@pytest.mark.parametrize(
    ("picks", "found"),
    [
        ({"where": "a > 9007199254740992"}, [1]),
        ({"where": "a = 1.1"}, [0]),
        ({"where": "a = '1.1'"}, []),
        ({"where": "c > 2024-01-01"}, [1]),
        ({"where": "b is null"}, [1]),
        ({"where": "not b contains 'x'", "sort": "a"}, [2, 1]),
        ({"sort": "-a"}, [1, 2, 0]),
        ({"sort": "b"}, [0, 2, 1]),
        ({"sort": "-b", "limit": 2}, [2, 0]),
        ({"where": "a > 0", "limit": 2}, [0, 1]),
    ],
    ids=str,
)
def test_rows_are_picked_by_columns(ways: Ways, picks: dict[str, Any], found: list[int]) -> None:
    made = ways.same("csv-to-ndjson", text(ROWS), **picks)
    assert [tuple(json.loads(line).values()) for line in made.splitlines()] == [ROWS[at] for at in found]
    assert ways.by_columns == 1


def test_numbers_keep_their_spelling_when_rows_of_typed_text_are_picked(ways: Ways) -> None:
    found = ways.same("csv-to-ndjson", b"a,b\n1.50,x\n0.10,y\n2.00,z\n", types="infer", sort="a", columns="a as n")
    assert found == b'{"n":0.10}\n{"n":1.50}\n{"n":2.00}\n'
    assert ways.by_columns == 1


def test_equal_rows_keep_their_order_and_nothing_comes_last(ways: Ways) -> None:
    columns = {"a": polars.Series([2, None, 1, 2, None, 1]), "b": polars.Series(range(6))}
    for sort, order in (("a", [2, 5, 0, 3, 1, 4]), ("-a", [0, 3, 2, 5, 1, 4])):
        found = ways.same("parquet-to-ndjson", parquet(columns), sort=sort, columns="b, a")
        assert [json.loads(line)["b"] for line in found.splitlines()] == order
    assert ways.by_columns == 2


def test_cells_that_can_not_be_compared_are_counted_alike(ways: Ways, tmp_path: Path) -> None:
    data = text([("x", "1", ""), ("2", "y", ""), ("z", "", "")])
    ways.same("csv-to-csv", data, where="a > 1")
    assert ways.by_columns == 1
    ways.same("csv-to-csv", data, where="a > 1 or b < 5")
    assert ways.by_columns == 1  # warnings of two kinds are in the order in which rows have them


def test_texts_of_names_that_are_empty_are_not_counted_as_uncompared(ways: Ways) -> None:
    names = polars.Series(["", "x", None], dtype=polars.Categorical)
    ways.same("parquet-to-json", parquet({"a": names}), where="a < 0")
    assert ways.by_columns == 1


def test_what_means_nothing_is_counted_in_all_rows_however_few_are_taken(ways: Ways) -> None:
    found = ways.same("csv-to-json", b"a,b\nNULL,1\n2,3\n4,NULL\n", types="infer", limit=1)
    assert json.loads(found) == [{"a": None, "b": 1}]
    (told,) = outcome(ways.folder, "csv-to-json", b"a\n1\nNULL\n", types="infer", limit=1)[1]
    assert "read as empty: 1." in told.message


def test_times_that_a_reader_counts_are_picked_by_rows(ways: Ways) -> None:
    ways.same("csv-to-parquet", b"a,b\n2024-01-01T00:00:00+02:00,1\n2024-01-01T00:00:00Z,2\n", where="b = 2")
    assert ways.by_columns == 0


def test_numbers_that_are_text_for_the_sake_of_rows_left_out_are_picked_by_rows(ways: Ways) -> None:
    data = b'{"a": null, "b": 0.5, "c": 1}\n{"a": 1, "b": 1e+37, "c": 0.1234567890123456789}\n'
    found = ways.same("ndjson-to-parquet", data, where="a is null", columns="b")
    assert isinstance(found, bytes)
    assert polars.read_parquet(io.BytesIO(found)).rows() == [(0.5,)]


def test_a_table_too_large_for_memory_is_sorted_by_rows(ways: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar_picking, "_LARGEST_SORT", 10)
    ways.same("csv-to-csv", text(ROWS * 20), sort="-a")
    assert ways.by_columns == 0


def test_moments_of_any_zone_are_sorted_as_instants() -> None:
    moments = polars.Series([datetime(2024, 1, 2, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)])
    view = View(polars.DataFrame({"a": moments.dt.convert_time_zone("Asia/Tokyo")}))
    assert sorting.order(view, [By(0, down=False, nulls=True)]).to_list() == [1, 0]
