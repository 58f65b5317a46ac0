"""Whole columns and single rows: both ways of converting a table give the same bytes, warnings and errors."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars
import pyarrow
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet as arrow_parquet

from engine.families.data import table
from engine.families.data.columnar import delimited, inferring
from engine.families.data.delimited import block, cutting
from engine.families.data.readers import delimited as delimited_reader
from tests.converters.ways import NEVER, Patch, Ways, outcome
from tests.examples import examples

MANY = settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

_FRAMES = ("_frames", "_inferred")


class TextWays(Ways):
    """Also converts by blocks of text."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, patch)
        self.by_blocks = 0

    def same(
        self, slug: str, data: bytes, *, size: int = 1 << 22, many_quoted: int = NEVER, **options: Any
    ) -> bytes | str:
        reader = delimited_reader._Delimited
        sized = (delimited_reader, "cut", _cutting(size))
        rows: list[Patch] = [(table, "LARGE", NEVER), *((reader, name, _rows_only) for name in _FRAMES)]
        blocks = (delimited_reader, "blocks", self.counted(block.blocks, "by_blocks"))
        many = (block, "MANY_QUOTED", many_quoted)
        columns: list[Patch] = [(table, "FEW", NEVER), (table, "LARGE", -1), sized]
        counted = [(reader, name, self.counted(getattr(reader, name))) for name in _FRAMES]

        found = self.outcome([*rows, (table, "FEW", NEVER)], slug, data, options)
        assert self.outcome([*rows, (table, "FEW", -1), sized, blocks, many], slug, data, options) == found
        sample = (inferring, "_SAMPLE", size // 2)
        assert self.outcome([*columns, sample, *counted], slug, data, options) == found
        if slug in ("csv-to-parquet", "tsv-to-parquet"):
            looked_at = (delimited.Reader, "_written_again", lambda *_: None)
            assert self.outcome([*columns, looked_at], slug, data, options) == found
        return found[0]


def _cutting(size: int) -> Any:
    return lambda *arguments, **named: cutting.cut(*arguments, **{**named, "size": size})


def _rows_only(reader: Any, *_: Any) -> Iterator[Any]:
    reader.table.by_rows()
    yield


@pytest.fixture
def ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TextWays:
    return TextWays(tmp_path, monkeypatch)


CELLS = st.text(st.sampled_from('ab1-=+@,;|\t"\r\n é\ufeff\0.😀\x85\u2028'), max_size=6)
TIDY = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
FROM_TEXT = [
    "csv-to-tsv",
    "csv-to-csv",
    "csv-to-json",
    "csv-to-ndjson",
    "csv-to-parquet",
    "tsv-to-csv",
    "tsv-to-ndjson",
]


@pytest.mark.parametrize("slug", FROM_TEXT)
@pytest.mark.examples
@MANY
@given(text=st.text(st.sampled_from('ab=-1,,\t""\n\n\r é\ufeff\0'), max_size=40), size=st.integers(1, 50))
def test_any_text(ways: TextWays, slug: str, text: str, size: int) -> None:
    ways.same(slug, text.encode(), size=size)


@pytest.mark.parametrize("slug", FROM_TEXT)
@pytest.mark.examples
@MANY
@given(
    rows=st.integers(1, 4).flatmap(
        lambda width: st.lists(st.lists(CELLS | TIDY, min_size=width, max_size=width), min_size=1, max_size=8)
    ),
    end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    size=st.integers(1, 200),
)
def test_any_cells(ways: TextWays, slug: str, rows: list[list[str]], end: str, quoting: Any, size: int) -> None:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter="\t" if slug.startswith("tsv") else ",", lineterminator=end, quoting=quoting).writerows(
        rows
    )
    ways.same(slug, file.getvalue().encode(), size=size)


@pytest.mark.parametrize(
    "options",
    [
        {"quote": "all"},
        {"lineEnding": "lf"},
        {"delimiter": ";"},
        {"delimiter": "€"},
        {"escapeFormulas": True},
        {"header": False, "bom": True},
        {"headerRow": False},
    ],
    ids=str,
)
@pytest.mark.examples
@MANY
@given(rows=st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=8))
def test_any_options(ways: TextWays, options: dict[str, Any], rows: list[list[str]]) -> None:
    file = io.StringIO(newline="")
    csv.writer(file).writerows(rows)
    ways.same("csv-to-csv", file.getvalue().encode(), **options)


@pytest.mark.parametrize("slug", ["csv-to-tsv", "csv-to-json", "csv-to-parquet"])
def test_rows_are_chosen_of_large_files_too(ways: TextWays, slug: str) -> None:
    found = ways.same(slug, b"a,b\n1,x\n2,y\n", where="a = '2'", columns="b")
    assert isinstance(found, bytes)
    assert b"y" in found
    assert b"x" not in found or slug == "csv-to-parquet"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252", "shift_jis"])
@pytest.mark.parametrize("slug", ["csv-to-tsv", "csv-to-json", "csv-to-parquet"])
def test_any_encoding(ways: TextWays, slug: str, encoding: str) -> None:
    option = {"cp1252": "windows-1252", "shift_jis": "shift_jis"}.get(encoding, "auto")
    data = 'a,b\r\nx,"1,2"\r\n"y\nz",\r\n'.encode(encoding)
    ways.same(slug, data, size=5, inputEncoding=option)
    assert ways.by_columns == 1


@pytest.mark.parametrize("slug", FROM_TEXT)
def test_tidy_text_goes_by_blocks_and_by_columns(ways: TextWays, slug: str) -> None:
    between = "\t" if slug.startswith("tsv") else ","
    data = f'id{between}name\r\n1{between}"a ""b"" c"\r\n2{between}\r\n'.encode()
    ways.same(slug, data, size=8)
    assert (ways.by_blocks, ways.by_columns) == (slug != "csv-to-parquet", 1)


@pytest.mark.parametrize(("quoted", "by_blocks"), [(b'1,"2"', 1), (b'"1","2"', 0)])
def test_text_whose_cells_are_mostly_in_quotes_goes_by_rows_to_json(
    ways: TextWays, quoted: bytes, by_blocks: int
) -> None:
    found = ways.same("csv-to-json", b"a,b\n" + quoted + b"\n", many_quoted=block.MANY_QUOTED)
    assert (found, ways.by_blocks) == (b'[\n{"a":"1","b":"2"}\n]\n', by_blocks)


@pytest.mark.parametrize("slug", FROM_TEXT)
@pytest.mark.parametrize(
    "data",
    [
        b"a,b\n1,2\n3\n",
        b"a,b\n1,2,3\n4,5\n",
        b"a,b\n1,2,3\n4\n",
        b"a,b\n\n1,2\n",
        b'a,b\n1,"2"x\n',
        b'a,b\n1,2"x"\n',
        b'a,b\n1,"2\n',
        b"a,b\r1,2\r",
        b"a,b\n1,\xff\n",
    ],
)
def test_odd_text_goes_by_rows(ways: TextWays, slug: str, data: bytes) -> None:
    ways.same(slug, data.replace(b",", b"\t") if slug.startswith("tsv") else data, inputEncoding="utf-8")
    assert ways.by_columns == ways.by_blocks == 0


@pytest.mark.parametrize("types", ["infer", "text"])
def test_rows_that_continue_past_a_block_are_read_as_by_polars(
    ways: TextWays, types: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"a,b\n" + b'1,"x\ny, ""z"""\n22,"\n\n"\n' * 40
    expected = ways.same("csv-to-parquet", data, size=9, types=types)
    monkeypatch.setattr(delimited.Reader, "_looked_at", None)
    monkeypatch.setattr(table, "LARGE", -1)
    monkeypatch.setattr(delimited_reader, "cut", _cutting(9))
    assert outcome(ways.folder, "csv-to-parquet", data, types=types)[0] == expected


def test_a_row_that_is_very_long_goes_by_rows(ways: TextWays, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "LARGEST", 10)
    assert ways.same("csv-to-json", b"a\n0123456789012345678\n", size=5) == b'[\n{"a":"0123456789012345678"}\n]\n'
    ways.same("csv-to-tsv", b'a,b\n1,"0\n2\n4\n6\n8\n0\n2"\n', size=5)
    assert ways.by_columns == ways.by_blocks == 0


_ODD_CELLS = pytest.mark.parametrize("cells", ["-1,=1,@x", "1;2,3;4,;"], ids=["formulas", "delimiters"])


@_ODD_CELLS
def test_cells_that_have_to_be_looked_at_one_by_one(ways: TextWays, cells: str) -> None:
    ways.same("csv-to-csv", b"a,b,c\r\n" + b"x,y,z\r\n" * 5 + f"{cells}\r\n".encode() * 5, size=20, delimiter=";")
    assert ways.by_blocks == ways.by_columns == 1


@_ODD_CELLS
def test_text_that_begins_with_cells_to_look_at_one_by_one_goes_by_columns(ways: TextWays, cells: str) -> None:
    ways.same("csv-to-csv", b"a,b,c\r\n" + f"{cells}\r\n".encode() * 5, size=20, delimiter=";")
    assert (ways.by_blocks, ways.by_columns) == (0, 1)


@pytest.mark.parametrize("slug", ["csv-to-csv", "csv-to-tsv"])
def test_text_whose_cells_are_mostly_in_quotes_goes_by_columns(ways: TextWays, slug: str) -> None:
    ways.same(slug, b'a,b\n"1","2"\n', many_quoted=block.MANY_QUOTED)
    assert (ways.by_blocks, ways.by_columns) == (0, 1)


@pytest.mark.parametrize("cell", ["x", "", 'a ""b"" c', "1\n2", "1,2"])
@pytest.mark.parametrize("types", ["text", "infer"])
def test_text_with_quotes_around_all_cells_is_read_as_by_polars(
    ways: TextWays, monkeypatch: pytest.MonkeyPatch, types: str, cell: str
) -> None:
    data = b'"a","b"\n' + f'"7","{cell}"\n"8","z"\n'.encode() * 3
    expected = ways.same("csv-to-parquet", data, types=types)
    monkeypatch.setattr(delimited.Reader, "_looked_at", None)
    monkeypatch.setattr(table, "LARGE", -1)
    assert outcome(ways.folder, "csv-to-parquet", data, types=types)[0] == expected


SPELLED = st.sampled_from(
    [
        "0",
        "1",
        "-1",
        "-0",
        "007",
        "42",
        "999999999999999",
        "9999999999999999",
        "1.5",
        "1.10",
        "-0.0",
        "0.1",
        "3.141592653589793",
        "1e5",
        "1e-05",
        "-2.5E+17",
        "1e+400",
        "1e-400",
        "5e-324",
        "0e-1",
        "+1",
        ".5",
        "5.",
        "0.1234567890123456789",
        "12345678901234.5",
        "123456789012345.25",
        "true",
        "FALSE",
        "False",
        "yes",
        "2024-02-29",
        "2023-02-29",
        "0000-01-01",
        "9999-12-31",
        "2024-1-1",
        "2024-01-01T12:00:00",
        "2024-01-01T12:00:00.5",
        "2024-01-01T24:00:00",
        "2024-01-01T12:00:00Z",
        "2024-01-01T12:00:00+02:00",
        "2024-01-01 12:00:00-14:30",
        "0001-01-01T00:00:00+02:00",
        "12:30:00",
        "12:30:60",
        "30:00:00",
        "12:30:00.000001",
        "12:30:00.0000001",
        "NA",
        "null",
        "NULL",
        "\\N",
        "NaN",
        "-inf",
        "Infinity",
        ".5",
        "-.25",
        "5.",
        "-5.e3",
        "1e5",
        "9.5E7",
        "-0",
        "9007199254740993",
        "-9223372036854775808",
        "9223372036854775808",
        "10:30",
        "9:30",
        "24:00",
        "2024-01-31 10:00",
        "2024-01-31T10:00Z",
        "2024-01-31 10:00-05:30",
        "x",
    ]
) | st.sampled_from(["", " ", "2024-01-01 12:00:00", "1 ", " 1", "\u0661", "1\n"])


def _zone(minutes: int) -> timezone:
    return timezone(timedelta(minutes=minutes))


KINDS = [
    st.integers(-(10**15), 10**15).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(-(10**9), 10**9, places=2).map(str),
    st.dates().map(str),
    st.datetimes().map(str),
    st.datetimes().map(datetime.isoformat),
    st.datetimes(timezones=st.integers(-14 * 60, 14 * 60).map(_zone)).map(datetime.isoformat),
    st.times().map(str),
    st.booleans().map(str),
    st.booleans().map({True: "true", False: "false"}.get),
    SPELLED,
]


@pytest.mark.ci
@pytest.mark.parametrize("slug", ["csv-to-parquet", "tsv-to-parquet", "csv-to-json", "tsv-to-ndjson", "csv-to-tsv"])
@pytest.mark.examples
@settings(MANY, max_examples=examples(400))
@given(data=st.data(), size=st.integers(1, 100))
def test_any_types(ways: TextWays, slug: str, data: st.DataObject, size: int) -> None:
    kinds = data.draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=3))
    cells = st.tuples(*(kind | (SPELLED if data.draw(st.booleans()) else st.just("")) for kind in kinds))
    rows = data.draw(st.lists(cells, max_size=8))
    file = io.StringIO(newline="")
    delimiter = "\t" if slug.startswith("tsv") else ","
    csv.writer(file, delimiter=delimiter).writerows([[f"c{at}" for at in range(len(kinds))], *rows])
    ways.same(slug, file.getvalue().encode(), size=size, types="infer")


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1.10", "1.10"), ("-0.0", "-0.0"), ("1e+400", '"1e+400"'), ("-2.5E+17", "-2.5E+17"), ("FALSE", "false"),
        ("2024-01-01 12:00:00.5", '"2024-01-01T12:00:00.500000"'), ("", "null"), ("x", '"x"'), ("12345", "12345"),
        ("2024-01-01 12:00:00.120+02:00", '"2024-01-01T12:00:00.120000+02:00"'), ("12:30:00", '"12:30:00"'),
        ("2024-01-01T12:00:00.0-00:00", '"2024-01-01T12:00:00Z"'), ("2024-01-01", '"2024-01-01"'), ("007", '"007"'),
    ],
)  # fmt: skip
def test_values_with_a_type_keep_their_spelling_in_json(ways: TextWays, cell: str, value: str) -> None:
    found = ways.same("csv-to-ndjson", f'a,"b ""\n"\n{cell},"y\t"\n'.encode(), types="infer")
    assert found == f'{{"a":{value},"b \\"\\n":"y\\t"}}\n'.encode()
    assert ways.by_columns == 1


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "", "-2"], polars.Int64),
        (["999999999999999"], polars.Int64),
        (["9223372036854775807", "-9223372036854775808", "1"], polars.Int64),
        (["9223372036854775808"], polars.String),
        (["9007199254740993", "1.5"], polars.String),
        (["007", "1"], polars.String),
        (["-0"], polars.Int64),
        ([".5", "5.", "-.25"], polars.Float64),
        (["1", "NaN", "-Infinity"], polars.Float64),
        (["NaN", "nan"], polars.String),
        (["1", "NULL", r"\N"], polars.Int64),
        (["null", "x"], polars.String),
        (["NULL", "null"], polars.String),
        (["10:30", "23:59:30"], polars.Time),
        (["9:30"], polars.String),
        (["2024-02-29 12:30", "2024-02-29T12:30:10"], polars.Datetime("us")),
        (["2024-02-29 12:30Z", "2024-02-29T12:30:10+02:00"], polars.Datetime("us", "UTC")),
        (["1", "2.50"], polars.Float64),
        (["0.763774618976614", "0.3"], polars.Float64),
        (["0.12345678901234567890"], polars.String),
        (["1e5"], polars.Float64),
        (["0.25", "7.4e-05", "1E+20"], polars.Float64),
        (["1e+400"], polars.String),
        (["1e-400"], polars.String),
        (["true", "FALSE"], polars.Boolean),
        (["true", "1"], polars.String),
        (["2024-02-29", ""], polars.Date),
        (["2023-02-29"], polars.String),
        (["2024-02-29 12:30:00", "2024-02-29T12:30:00.000001"], polars.Datetime("us")),
        (["2024-02-29", "2024-02-29T12:30:00"], polars.String),
        (["2024-02-29T12:30:00Z", "2024-02-29 12:30:00.5-05:30"], polars.Datetime("us", "UTC")),
        (["2024-02-29T12:30:00Z", "2024-02-29T12:30:00"], polars.String),
        (["2024-02-29T12:30:00+15:00"], polars.String),
        (["9999-12-31T23:30:00-02:00"], polars.String),
        (["12:30:00Z"], polars.String),
        (["12:30:00"], polars.Time),
        (["30:00:00"], polars.String),
        (["", ""], polars.String),
        (["NA", "1"], polars.String),
    ],
)
def test_columns_are_of_the_type_that_all_their_cells_are_spelled_in(
    ways: TextWays, cells: list[str], kind: Any
) -> None:
    data = "a,b\r\n" + "".join(f"{cell},x\r\n" for cell in cells)
    found = ways.same("csv-to-parquet", data.encode())
    assert isinstance(found, bytes)
    assert polars.read_parquet(io.BytesIO(found)).schema == {"a": kind, "b": polars.String}
    text = ways.same("csv-to-parquet", data.encode(), types="text")
    assert isinstance(text, bytes)
    assert polars.read_parquet(io.BytesIO(text))["a"].to_list() == cells


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        (".5", "0.5"), ("-.25", "-0.25"), ("5.", "5.0"), ("-5.e3", "-5.0e3"), ("1e5", "1e5"), ("-0", "0"),
        ("9007199254740993", "9007199254740993"), ("10:30", '"10:30:00"'),
        ("2024-01-31 10:00", '"2024-01-31T10:00:00"'), ("2024-01-31 10:00Z", '"2024-01-31T10:00:00Z"'),
    ],
)  # fmt: skip
def test_values_of_any_notation_are_json(ways: TextWays, cell: str, value: str) -> None:
    found = ways.same("csv-to-ndjson", f"a,b\n{cell},x\n".encode(), types="infer")
    assert found == f'{{"a":{value},"b":"x"}}\n'.encode()


@pytest.mark.parametrize("given", [None, "-,n/a"])
def test_texts_that_mean_nothing_are_empty(ways: TextWays, given: str | None) -> None:
    data = b"a,b\n1,NULL\n-,n/a\nNULL,x\n"
    found = ways.same("csv-to-ndjson", data, types="infer", **({"nulls": given} if given else {}))
    if given:
        assert found == b'{"a":1,"b":"NULL"}\n{"a":null,"b":null}\n{"a":null,"b":"x"}\n'
    else:
        assert found == b'{"a":"1","b":"NULL"}\n{"a":"-","b":"n/a"}\n{"a":"NULL","b":"x"}\n'


def test_numbers_and_dates_are_read_as_the_options_say(ways: TextWays) -> None:
    data = b"a;b;c\r\n1.234,50;31.12.2024;1.000\r\n-7,00;2024-01-02;999\r\n"
    found = ways.same("csv-to-parquet", data, decimal=",", thousands=".", dateFormat="dd.mm.yyyy")
    assert isinstance(found, bytes)
    assert polars.read_parquet(io.BytesIO(found)).rows() == [
        (1234.5, date(2024, 12, 31), 1000),
        (-7.0, date(2024, 1, 2), 999),
    ]


def test_one_character_can_not_mean_two_things(ways: TextWays) -> None:
    assert "thousands" in str(ways.same("csv-to-parquet", b"a\n1\n", decimal=",", thousands=","))


def test_a_type_that_later_rows_contradict_is_dropped(ways: TextWays) -> None:
    data = b"a,b\n" + b"1,\n" * 50 + b"x,2024-01-01\n"
    found = ways.same("csv-to-parquet", data, size=40)
    assert isinstance(found, bytes)
    assert polars.read_parquet(io.BytesIO(found)).schema == {"a": polars.String, "b": polars.Date}
    assert ways.by_columns == 1


INTEGERS = st.integers(-(2**63), 2**63 - 1)
ODD = [0.0, -0.0, 1e16, 1e-5, 123456789012345680.0, 5e-324, 1e22, -1e300, 0.1, 100.0]
COLUMNS: dict[Any, st.SearchStrategy[Any]] = {
    polars.Int64: INTEGERS,
    polars.UInt8: st.integers(0, 255),
    polars.Float64: st.floats() | st.sampled_from(ODD),
    polars.Float32: st.floats(width=32),
    polars.String: CELLS | TIDY,
    polars.Boolean: st.booleans(),
    polars.Date: st.dates(),
    polars.Time: st.times(),
    polars.Datetime("us"): st.datetimes(),
    polars.Datetime("ms"): st.datetimes().map(lambda each: each.replace(microsecond=0)),
    polars.Datetime("ns"): st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1)),
    polars.Datetime("us", "UTC"): st.datetimes(timezones=st.just(UTC)),
    polars.Datetime("us", "Asia/Tokyo"): st.datetimes(datetime(1960, 1, 1), timezones=st.just(UTC)),
    polars.Duration("us"): st.timedeltas(timedelta(-9999), timedelta(9999)),
    polars.Decimal(20, 9): st.decimals(-(10**10), 10**10, places=9),
    polars.Binary: st.binary(max_size=4),
    polars.List(polars.Int64): st.lists(st.none() | INTEGERS, max_size=3),
    polars.Struct({"x": polars.Float64, "y": polars.List(polars.Float32)}): st.fixed_dictionaries(
        {"x": st.none() | st.floats(), "y": st.none() | st.lists(st.floats(width=32), max_size=2)}
    ),
    polars.List(polars.Struct({"s": polars.String, "n": polars.Int64, "f": polars.Float64})): st.lists(
        st.none()
        | st.fixed_dictionaries({"s": st.none() | CELLS | TIDY, "n": st.none() | INTEGERS, "f": st.sampled_from(ODD)}),
        max_size=3,
    ),
    polars.Struct({"a": polars.Struct({"b": polars.List(polars.List(polars.Boolean))})}): st.fixed_dictionaries(
        {"a": st.none() | st.fixed_dictionaries({"b": st.none() | st.lists(st.none() | st.lists(st.booleans()))})}
    ),
    polars.Categorical: st.sampled_from(["red", "=green", ""]),
}


def parquet(columns: dict[str, polars.Series]) -> bytes:
    file = io.BytesIO()
    polars.DataFrame(columns).write_parquet(file)
    return file.getvalue()


@pytest.mark.parametrize("slug", ["parquet-to-csv", "parquet-to-tsv", "parquet-to-json", "parquet-to-ndjson"])
@pytest.mark.parametrize("kind", COLUMNS, ids=str)
@pytest.mark.examples
@settings(MANY, max_examples=examples(25))
@given(data=st.data())
def test_any_column_of_parquet(ways: TextWays, slug: str, kind: Any, data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.none() | COLUMNS[kind], max_size=6))
    ways.same(
        slug,
        parquet({"a": polars.Series(cells, dtype=kind), "b": polars.Series(["x"] * len(cells), dtype=polars.String)}),
    )


@pytest.mark.parametrize("slug", ["parquet-to-csv", "parquet-to-json"])
def test_moments_outside_of_the_calendar_keep_their_years(ways: TextWays, slug: str) -> None:
    days = polars.Series([2932897, -719893, None, 0, 10**9], dtype=polars.Int32).cast(polars.Date)
    moments = polars.Series([253402300800000001, -62167219200000001, None, 0, 2**62], dtype=polars.Int64)
    found = ways.same(slug, parquet({"day": days, "moment": moments.cast(polars.Datetime("us"))}))
    assert isinstance(found, bytes)
    for text in (
        "+10000-01-01",
        "-0001-01-01",
        "1970-01-01",
        "+10000-01-01T00:00:00.000001",
        "-0001-12-31T23:59:59.999999",
    ):
        assert text.encode() in found


@pytest.mark.parametrize("slug", ["arrow-to-csv", "arrow-to-json"])
def test_the_first_and_the_last_moment_of_a_zone_and_endless_spans_are_written(ways: TextWays, slug: str) -> None:
    moments = polars.Series([-62135596800000000, 253402300799999999, 0], dtype=polars.Int64)
    spans = polars.Series([2**62, -(2**62), 5], dtype=polars.Int64)
    file = io.BytesIO()
    polars.DataFrame(
        {
            "west": moments.cast(polars.Datetime("us", "America/New_York")),
            "east": moments.cast(polars.Datetime("us", "Asia/Tokyo")),
            "span": spans.cast(polars.Duration("ms")),
        }
    ).write_ipc(file)
    found = ways.same(slug, file.getvalue())
    for text in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "P53375995583DT15H36M27.904S"):
        assert text.encode() in found


def test_nested_values_keep_what_python_would_cut(ways: TextWays) -> None:
    kind = polars.List(polars.Struct({"at": polars.Datetime("ns"), "of": polars.Datetime("us")}))
    moments = polars.Series([[{"at": 1, "of": 253402300800000000}], [], None]).cast(kind)
    found = ways.same("parquet-to-ndjson", parquet({"a": moments}))
    assert [json.loads(line)["a"] for line in found.splitlines()] == [
        [{"at": "1970-01-01T00:00:00.000000001", "of": "+10000-01-01T00:00:00"}],
        [],
        None,
    ]


def test_decimals_are_texts_with_all_their_digits(ways: TextWays) -> None:
    found = ways.same(
        "parquet-to-csv",
        parquet({"a": polars.Series([Decimal("0E-9"), Decimal("1.50")], dtype=polars.Decimal(20, 9)), "b": [1, 2]}),
    )
    assert found == b"a,b\r\n0.000000000,1\r\n1.500000000,2\r\n"


def test_days_and_times_are_iso_8601(ways: TextWays) -> None:
    found = ways.same(
        "parquet-to-csv",
        parquet({"a": [date(2024, 2, 29)], "b": [time(1, 2, 3, 4)], "c": [datetime(2024, 1, 2, 3, 4, 5, 6)]}),
    )
    assert found == b"a,b,c\r\n2024-02-29,01:02:03.000004,2024-01-02T03:04:05.000006\r\n"


def test_rows_that_a_footer_does_not_count_are_read(ways: TextWays) -> None:
    data = parquet({"a": polars.Series([1, 2, 3])})
    at = data.rindex(b"\x16\x06\x19\x1c")  # three rows, then a list of one row group
    uncounted = data[: at + 1] + b"\0" + data[at + 2 :]
    assert polars.read_parquet(io.BytesIO(uncounted)).height == 0
    assert ways.same("parquet-to-ndjson", uncounted) == b'{"a":1}\n{"a":2}\n{"a":3}\n'


def split_by_bytes(*, page_version: str) -> bytes:
    """A file in an encoding that polars does not have for texts of a fixed length."""
    made = io.BytesIO()
    names = pyarrow.array([b"Ada", b"Bob", None, b"Eve"], pyarrow.binary(3))
    arrow_parquet.write_table(
        pyarrow.table({"name": names, "count": [1, 2, 3, 4]}),
        made,
        use_dictionary=False,
        use_byte_stream_split=["name"],
        data_page_version=page_version,
    )
    return made.getvalue()


@pytest.mark.parametrize("page_version", ["1.0", "2.0"])
def test_encodings_that_one_reader_does_not_have_are_read_by_the_other(ways: TextWays, page_version: str) -> None:
    data = split_by_bytes(page_version=page_version)
    with pytest.raises(polars.exceptions.PolarsError):
        polars.read_parquet(io.BytesIO(data))
    assert ways.same("parquet-to-csv", data) == b"name,count\r\nQWRh,1\r\nQm9i,2\r\n,3\r\nRXZl,4\r\n"


def test_columns_with_the_same_name_get_one_of_their_own(ways: TextWays, tmp_path: Path) -> None:
    made = io.BytesIO()
    arrow_parquet.write_table(pyarrow.table([[1], [2]], names=["a", "a"]), made)

    assert ways.same("parquet-to-csv", made.getvalue()) == b"a,a_2\r\n1,2\r\n"
    assert [each.code for each in outcome(tmp_path, "parquet-to-csv", made.getvalue())[1]] == ["COLUMN_RENAMED"]


def test_what_neither_reader_takes_is_unreadable(ways: TextWays) -> None:
    data = split_by_bytes(page_version="1.0")
    assert "Unreadable" in str(ways.same("parquet-to-csv", data.replace(b"count", b"c\xffunt")))
    assert "Unreadable" in str(ways.same("parquet-to-csv", data[:100] + data[-300:]))
