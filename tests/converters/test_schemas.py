"""Schemas: types of columns from reader to writer, lists and structs among them."""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import orc

from engine.families.data import learning
from engine.families.data.orc import reading
from engine.families.data.schema import Narrowing, Type, conform, refined
from engine.families.data.table import Table
from engine.families.data.values import NotFinite, Number
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.examples import examples

NESTED = ("parquet", "arrow", "avro")


def convert(folder: Path, slug: str, data: bytes, **options: Any) -> tuple[bytes, list[str]]:
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    warn = Warn()
    converter.run(source, target, build(converter.options, options), warn)
    return target.read_bytes(), [f"{each.code}: {each.message}" for each in warn.warnings]


def to_parquet(folder: Path, value: Any, **options: Any) -> tuple[polars.DataFrame, list[str]]:
    data, warnings = convert(folder, "json-to-parquet", json.dumps(value).encode(), **options)
    return polars.read_parquet(io.BytesIO(data)), warnings


def learned(*cells: Any) -> Type:
    return learning.schema(Table("t", ["a"], lambda: iter([[[cell] for cell in cells]]))).columns[0]


def rare_columns() -> dict[str, tuple[Any, list[Any]]]:
    """Arrow types that few programs write: an array of each, and what is to come of it in JSON."""
    union = pa.UnionArray.from_sparse(pa.array([0, 1, 0], pa.int8()), [pa.array([1, 2, 3]), pa.array(["a", "b", "c"])])
    interval = pa.array([pa.MonthDayNano([14, -2, 1_500_000_000]), None, pa.MonthDayNano([0, 0, 0])])
    views = pa.array([[1], None, [2, 3], []], pa.list_view(pa.int64()))
    return {
        "union": (union, ["1", "b", "3"]),
        "interval": (interval, ["P14M-2DT1.5S", None, "P0M0DT0S"]),
        "runs": (pa.RunEndEncodedArray.from_arrays([2, 3], ["a", None]), ["a", "a", None]),
        "views": (views, [[1], None, [2, 3], []]),
        "a part of views": (views.slice(1, 2), [None, [2, 3]]),
        "decimal of 30 digits": (pa.array([Decimal("1.50"), None], pa.decimal256(30, 2)), [1.5, None]),
        "decimal of 50 digits": (pa.array([Decimal("1.50"), None], pa.decimal256(50, 2)), ["1.50", None]),
    }


def arrow_file(array: Any) -> bytes:
    table, file = pa.table({"a": array, "b": pa.array(range(len(array)))}), io.BytesIO()
    with pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return file.getvalue()


@pytest.mark.parametrize("name", rare_columns())
def test_types_of_arrow_that_few_programs_write(tmp_path: Path, name: str) -> None:
    array, expected = rare_columns()[name]
    found, warnings = convert(tmp_path, "arrow-to-json", arrow_file(array))
    assert [row["a"] for row in json.loads(found)] == expected
    became_text = name in ("union", "interval", "decimal of 50 digits")
    assert len(warnings) == became_text
    assert all(each.startswith("VALUE_CONVERTED") and "“a”" in each for each in warnings)


def test_a_type_of_arrow_that_is_not_known_is_named(tmp_path: Path) -> None:
    nested = pa.ListArray.from_arrays([0, 3], rare_columns()["union"][0])
    with pytest.raises(Unreadable, match=r"“a”.*union"):
        convert(tmp_path, "arrow-to-json", arrow_file(nested))


LEAVES = (
    st.integers(-(2**63), 2**63 - 1),
    st.booleans(),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4),
    st.floats(allow_nan=False, allow_infinity=False).filter(lambda each: each != int(each) if abs(each) < 1e300 else 0),
)


@st.composite
def values(draw: st.DrawFn, depth: int = 2) -> st.SearchStrategy[Any]:
    """A strategy of values that are all of one type."""
    kind = draw(st.sampled_from(("leaf", "list", "struct") if depth else ("leaf",)))
    if kind == "list":
        return st.none() | st.lists(draw(values(depth - 1)), max_size=3)
    if kind == "struct":
        names = draw(st.lists(st.sampled_from("abcde"), min_size=1, max_size=3, unique=True))
        return st.none() | st.fixed_dictionaries({name: draw(values(depth - 1)) for name in names})
    return st.none() | draw(st.sampled_from(LEAVES))


@pytest.mark.parametrize("format", NESTED)
@pytest.mark.examples
@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_values_of_one_type_come_back_as_they_were(tmp_path: Path, format: str, data: st.DataObject) -> None:
    columns = {name: data.draw(values()) for name in ("one", "two")}
    rows = data.draw(st.lists(st.fixed_dictionaries(columns), min_size=1, max_size=5))
    made, warnings = convert(tmp_path, f"json-to-{format}", json.dumps(rows).encode())
    assert warnings == []
    back, _ = convert(tmp_path, f"{format}-to-json", made)
    assert json.loads(back) == rows


def test_objects_are_structs_and_lists_are_lists(tmp_path: Path) -> None:
    frame, warnings = to_parquet(tmp_path, [{"o": {"x": 1, "l": [{"y": "a"}]}}, {"o": {"z": True, "l": []}}, {}])
    assert warnings == []
    assert frame.schema == {
        "o": polars.Struct(
            {"x": polars.Int64, "l": polars.List(polars.Struct({"y": polars.String})), "z": polars.Boolean}
        )
    }
    assert frame["o"].to_list() == [
        {"x": 1, "l": [{"y": "a"}], "z": None},
        {"x": None, "l": [], "z": True},
        None,
    ]


@pytest.mark.parametrize(
    ("slug", "data"),
    [
        ("yaml-to-parquet", b"- {o: {x: 1, l: [2]}}\n"),
        ("toml-to-parquet", b"[[row]]\nk = 1\no = {x = 1, l = [2]}\n"),
        ("ndjson-to-parquet", b'{"o": {"x": 1, "l": [2]}}\n'),
        ("ndjson-to-arrow", b'{"o": {"x": 1, "l": [2]}}\n'),
    ],
)
def test_all_documents_stay_nested(tmp_path: Path, slug: str, data: bytes) -> None:
    made, _ = convert(tmp_path, slug, data)
    read = polars.read_ipc if slug.endswith("arrow") else polars.read_parquet
    assert read(io.BytesIO(made))["o"].to_list() == [{"x": 1, "l": [2]}]


def test_objects_can_be_flattened_and_lists_written_otherwise(tmp_path: Path) -> None:
    rows = [{"o": {"x": 1, "l": [1, 2]}, "k": [{"a": 1}]}]
    assert to_parquet(tmp_path, rows, flatten="yes")[0].to_dicts() == [{"o.x": 1, "o.l": [1, 2], "k": [{"a": 1}]}]
    assert to_parquet(tmp_path, rows, arrays="json")[0].to_dicts() == [{"o": {"x": 1, "l": [1, 2]}, "k": '[{"a":1}]'}]
    assert to_parquet(tmp_path, rows, flatten="yes", arrays="columns")[0].columns == ["o.x", "o.l.0", "o.l.1", "k.0.a"]
    assert to_parquet(tmp_path, [{"l": [1, 2]}], arrays="join", joinWith="+")[0].to_dicts() == [{"l": "1+2"}]


def test_what_has_no_one_type_is_text_and_reported(tmp_path: Path) -> None:
    frame, warnings = to_parquet(tmp_path, [{"a": [1, "x"], "b": {"c": 1}, "d": {}}, {"b": [2]}])
    assert frame.to_dicts() == [
        {"a": ["1", "x"], "b": '{"c":1}', "d": "{}"},
        {"a": None, "b": "[2]", "d": None},
    ]
    assert [each.partition(":")[0] for each in warnings] == ["VALUE_CONVERTED"] * 2
    assert "“a[]”, “b”" in warnings[0]


@pytest.mark.parametrize("format", NESTED)
def test_maps_and_what_is_nested_too_deeply_are_text(tmp_path: Path, format: str) -> None:
    deep: Any = 1
    for _ in range(60):
        deep = [deep]
    rows = [{"map": {f"k{at}": at}, "deep": deep} for at in range(learning.MAX_FIELDS + 1)]
    made, warnings = convert(tmp_path, f"json-to-{format}", json.dumps(rows).encode())
    back = json.loads(convert(tmp_path, f"{format}-to-json", made)[0])
    assert [json.loads(each["map"]) for each in back] == [each["map"] for each in rows]
    assert any(each.startswith("VALUE_CONVERTED") and "map" in each for each in warnings)
    inner = back[0]["deep"]
    while isinstance(inner, list):
        (inner,) = inner
    assert set(inner) <= set("[1]")


def test_numbers_beyond_a_float_are_decimals(tmp_path: Path) -> None:
    data = b'[{"a": 0.1234567890123456789, "b": 12345678901234567890}, {"a": 1.5, "b": 1}, {"a": 2, "b": null}]'
    frame = polars.read_parquet(io.BytesIO(convert(tmp_path, "json-to-parquet", data)[0]))
    assert frame.schema == {"a": polars.Decimal(20, 19), "b": polars.Decimal(20, 0)}
    assert frame["a"].to_list() == [Decimal("0.1234567890123456789"), Decimal("1.5"), Decimal(2)]
    assert frame["b"].to_list() == [Decimal("12345678901234567890"), Decimal(1), None]


def test_long_integers_among_fractions_lose_no_digit(tmp_path: Path) -> None:
    frame, _ = to_parquet(tmp_path, [{"a": 9007199254740993}, {"a": 0.5}])
    assert frame["a"].to_list() == [Decimal("9007199254740993.0"), Decimal("0.5")]


def test_moments_with_offsets_are_in_utc_and_reported(tmp_path: Path) -> None:
    data = b"[[row]]\nt = 2024-01-01T00:00:00+02:00\n[[row]]\nt = 2024-01-01T00:00:00Z\n"
    made, warnings = convert(tmp_path, "toml-to-parquet", data)
    frame = polars.read_parquet(io.BytesIO(made))
    assert frame.schema == {"t": polars.Datetime("us", "UTC")}
    assert frame["t"].to_list() == [datetime(2023, 12, 31, 22, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)]
    assert warnings == ["VALUE_CONVERTED: Times with a UTC offset were converted to UTC: 1."]


def test_moments_with_zones_stay_as_written_where_no_type_has_them(tmp_path: Path) -> None:
    data = b"t,u\r\n2024-01-01 00:00:00+02:00,2024-01-01T00:00:00+00:00\r\n"
    for output in ("xlsx", "ods"):
        made, warnings = convert(tmp_path, f"csv-to-{output}", data)
        assert warnings == []
        assert convert(tmp_path, f"{output}-to-csv", made)[0] == data


@pytest.mark.parametrize("output", NESTED)
def test_what_a_reader_declares_reaches_the_writer_without_a_value(tmp_path: Path, output: str) -> None:
    file = io.BytesIO()
    kinds = {
        "money": polars.Decimal(12, 2),
        "when": polars.Datetime("us", "UTC"),
        "tags": polars.List(polars.Int64),
        "place": polars.Struct({"x": polars.Float64, "y": polars.Date}),
        "key": polars.String,
    }
    polars.DataFrame(
        [{"money": None, "when": None, "tags": [], "place": {"x": None}, "key": "a"}], schema=kinds
    ).write_parquet(file)
    made = file.getvalue()
    if output == "avro":
        made, _ = convert(tmp_path, "parquet-to-avro", made)
    source = "avro" if output == "avro" else "parquet"
    target = "arrow" if output == "arrow" else "parquet"
    made, _ = convert(tmp_path, f"{source}-to-{target}", made) if source != target else (made, [])
    read = polars.read_ipc if target == "arrow" else polars.read_parquet
    assert dict(read(io.BytesIO(made)).schema) == kinds


@pytest.mark.parametrize("options", [{"where": 'key = "none"'}, {"columns": "key, *"}, {"sort": "key"}])
def test_what_is_picked_keeps_its_types(tmp_path: Path, options: dict[str, str]) -> None:
    file = io.BytesIO()
    kinds = {"money": polars.Decimal(12, 2), "tags": polars.List(polars.Int64), "key": polars.String}
    polars.DataFrame({"money": [None], "tags": [[]], "key": ["a"]}, schema=kinds).write_parquet(file)
    made, _ = convert(tmp_path, "parquet-to-arrow", file.getvalue(), **options)
    assert dict(polars.read_ipc(io.BytesIO(made)).schema) == kinds


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([1, None], "integer"),
        ([1, 1.5], "mixed"),
        ([Number("1.10"), NotFinite("NaN")], "number"),
        ([Number("1e400")], "text"),
        ([Decimal("1.5"), Decimal("NaN")], "text"),
        ([datetime(2024, 1, 1), date(2024, 1, 1)], "mixed"),
        ([datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=1)))], "instant"),
        ([datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1)))], "text"),
        ([timedelta(1)], "duration"),
        ([b"x"], "bytes"),
        ([[1], [None]], "list"),
        ([{"a": 1}, {}], "struct"),
        ([None], "null"),
    ],
)
def test_values_tell_their_type(cells: list[Any], kind: str) -> None:
    assert learned(*cells).kind == kind


def test_a_declared_type_holds_where_no_value_speaks_against_it() -> None:
    declared = Type("decimal", 10, 2)
    assert refined(learned(Decimal("1.5")), declared) == declared
    assert refined(learned(Decimal("1.555")), declared) == Type("decimal", 10, 3)
    assert refined(learned("x"), declared).kind == "text"
    assert refined(learned(None), declared) == declared
    assert refined(learned("x"), Type("number")).kind == "text"
    assert refined(learned(1), Type("number")).kind == "number"


def test_one_type_for_values_of_several_kinds_where_one_holds_all() -> None:
    narrowing = Narrowing()
    day, moment = date(2024, 1, 1), datetime(2024, 1, 1, 12)
    assert narrowing(learned(1, 1.5), "a").kind == "number"
    assert list(map(conform(narrowing(learned(day, moment), "b")), (day, moment))) == [datetime(2024, 1, 1), moment]
    assert narrowing.mixed == []
    assert list(map(conform(narrowing(learned(1, "x", [1]), "c")), (1, "x", [1], None))) == ["1", "x", "[1]", None]
    assert narrowing.mixed == ["c"]


def test_bytes_inside_of_columns_are_reported_once(tmp_path: Path) -> None:
    file = io.BytesIO()
    polars.DataFrame({"a": [b"\1"], "b": [[b"\2"]], "c": [{"d": b"\3"}], "e": [1]}).write_parquet(file)

    made, warnings = convert(tmp_path, "parquet-to-json", file.getvalue())

    assert json.loads(made) == [{"a": "AQ==", "b": ["Ag=="], "c": {"d": "Aw=="}, "e": 1}]
    assert warnings == ["VALUE_CONVERTED: Binary columns became Base64 text: 3 (“a”, “b”, “c”)."]


def test_rows_that_the_reader_does_not_give_are_a_damaged_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.BytesIO()
    polars.DataFrame({"a": [1, 2]}).write_parquet(file)
    monkeypatch.setattr(polars.LazyFrame, "collect_batches", lambda *_, **__: iter(()))

    with pytest.raises(Unreadable):
        convert(tmp_path, "parquet-to-json", file.getvalue())


@pytest.mark.parametrize("output", ["xlsx", "ods"])
def test_workbooks_show_all_declared_digits(tmp_path: Path, output: str) -> None:
    file = io.BytesIO()
    cells = {
        "name": ["a", None],
        "price": [Decimal("1.50"), None],
        "long": [Decimal("1234567890123456.25"), Decimal(3)],
    }
    kinds = {"name": polars.String, "price": polars.Decimal(12, 2), "long": polars.Decimal(20, 3)}
    polars.DataFrame(cells, schema=kinds).write_parquet(file)

    made, warnings = convert(tmp_path, f"parquet-to-{output}", file.getvalue())

    assert [each.partition(":")[0] for each in warnings] == ["VALUE_CONVERTED"]
    shown, _ = convert(tmp_path, f"{output}-to-csv", made, values="shown")
    assert shown == b"name,price,long\r\na,1.50,1234567890123456.250\r\n,,3.000\r\n"
    assert convert(tmp_path, f"{output}-to-csv", made)[0] == b"name,price,long\r\na,1.5,1234567890123456.250\r\n,,3\r\n"


def test_a_database_declares_types_that_its_values_may_break(tmp_path: Path) -> None:
    path = tmp_path / "made.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "CREATE TABLE t (i BIGINT, r DOUBLE, s VARCHAR(9), b BOOLEAN, d DATE, m DATETIME, p DECIMAL(9, 2), x, "
            "broken INTEGER, whole REAL)"
        )
        connection.execute("INSERT INTO t (broken, whole) VALUES ('text', 2)")
        connection.commit()

    made, _ = convert(tmp_path, "sqlite-to-parquet", path.read_bytes())

    assert dict(polars.read_parquet(io.BytesIO(made)).schema) == {
        "i": polars.Int64, "r": polars.Float64, "s": polars.String, "b": polars.Boolean, "d": polars.Date,
        "m": polars.Datetime("us"), "p": polars.Decimal(9, 2), "x": polars.String, "broken": polars.String,
        "whole": polars.Float64,
    }  # fmt: skip


PATTERNS = ("*", "^a$", "^.*$", "^[a")


def patterned(names: dict[str, str]) -> bytes:
    """A Parquet file with a column for each way of writing cells, under these names."""
    columns = {
        "text": pa.array(["x", "=y"]),
        "day": pa.array([date(2020, 1, 2), None]),
        "moment": pa.array([datetime(2020, 1, 2, 3, 4, 5), None]),
        "float": pa.array([1.5, 1e17]),
        "list": pa.array([[date(2020, 1, 2)], []]),
        "struct": pa.array([{names["text"]: date(2020, 1, 2)}, None]),
        "bytes": pa.array([b"a", None]),
    }
    file = io.BytesIO()
    pa.parquet.write_table(pa.table({names[key]: column for key, column in columns.items()}), file)
    return file.getvalue()


@pytest.mark.parametrize("target", ["csv", "tsv", "json", "ndjson", "markdown", "html", "xml", "avro", "orc", "xlsx"])
def test_names_of_columns_are_no_patterns(tmp_path: Path, target: str) -> None:
    kinds = ("text", "day", "moment", "float", "list", "struct", "bytes")
    plain = {kind: kind for kind in kinds}
    odd = {kind: f"^{kind}$" for kind in kinds}
    first, _ = convert(tmp_path, f"parquet-to-{target}", patterned(plain))
    second, _ = convert(tmp_path, f"parquet-to-{target}", patterned(odd))
    if target in ("json", "ndjson", "csv", "tsv"):
        for kind in kinds:
            second = second.replace(f"^{kind}$".encode(), kind.encode())
        assert second == first
    else:
        assert second


@pytest.mark.parametrize("target", ["parquet", "arrow", "orc", "json", "tsv"])
@pytest.mark.parametrize("name", PATTERNS)
def test_a_header_of_text_is_no_pattern(tmp_path: Path, name: str, target: str) -> None:
    data, _ = convert(tmp_path, f"csv-to-{target}", f"{name},b,c\n1,2020-01-02,x\n2,,\n".encode())
    if target != "tsv":
        slug = f"{target}-to-json" if target != "json" else "json-to-json"
        data, _ = convert(tmp_path, slug, data)
        found = json.loads(data)
        assert [list(row) for row in found] == [[name, "b", "c"]] * 2
        assert [str(row[name]) for row in found] == ["1", "2"]
    else:
        assert data.decode().splitlines() == [f"{name}\tb\tc", "1\t2020-01-02\tx", "2\t\t"]


@pytest.mark.parametrize(
    "error", [OSError("Memory mapping file failed: Cannot allocate memory"), pa.ArrowMemoryError()]
)
def test_orc_that_memory_does_not_suffice_for_is_over_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(source: Path) -> None:
        raise error

    monkeypatch.setattr("pyarrow.orc.ORCFile", fails)
    with pytest.raises(OverLimit) as raised:
        reading.read(tmp_path / "input.orc", None, Warn())
    assert raised.value.reason == "memory"


def test_moments_of_orc_whose_column_is_named_like_a_pattern(tmp_path: Path) -> None:
    file = io.BytesIO()
    orc.write_table(pa.table({"*": pa.array([datetime(2020, 1, 2, 3, 4, 5)]), "a": pa.array([1])}), file)
    data, _ = convert(tmp_path, "orc-to-json", file.getvalue())
    assert json.loads(data) == [{"*": "2020-01-02T03:04:05", "a": 1}]
