"""Avro by whole columns and row by row: both give the same bytes, warnings and errors."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import fastavro
import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.families.data import table
from engine.families.data.avro import columns as avro_columns
from engine.families.data.avro import frames as avro_frames
from engine.families.data.avro import reading, writing
from engine.families.data.json_input import blocks as json_blocks
from tests.converters.test_frames import CELLS, COLUMNS, KINDS, SPELLED, TIDY, parquet
from tests.converters.ways import Ways
from tests.examples import examples

MANY = settings(max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
CODECS = st.sampled_from(["deflate", "snappy", "zstandard", "uncompressed"])


@pytest.fixture
def ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ways:
    return Ways(
        tmp_path,
        monkeypatch,
        rows=[(json_blocks, "LARGE", 0)],
        columns=[
            (json_blocks, "LARGE", 0),
            (table, "LARGE", -1),
            (reading, "_LARGE", -1),
            (writing, "_LARGE", -1),
        ],
        counted=[(avro_columns, "write"), (avro_frames, "read")],
    )


@pytest.mark.ci
@pytest.mark.examples
@MANY
@given(data=st.data(), codec=CODECS, types=st.sampled_from(["infer", "text"]))
def test_any_text(ways: Ways, data: st.DataObject, codec: str, types: str) -> None:
    kinds = data.draw(st.lists(st.sampled_from([*KINDS, CELLS | TIDY]), min_size=1, max_size=3))
    cells = st.tuples(*(kind | (SPELLED if data.draw(st.booleans()) else st.just("")) for kind in kinds))
    file = io.StringIO(newline="")
    csv.writer(file).writerows([[f"c {at}" for at in range(len(kinds))], *data.draw(st.lists(cells, max_size=8))])
    ways.same("csv-to-avro", file.getvalue().encode(), compression=codec, types=types)


@pytest.mark.parametrize("kind", COLUMNS, ids=str)
@pytest.mark.examples
@settings(MANY, max_examples=examples(25))
@given(data=st.data())
def test_any_column(ways: Ways, kind: Any, data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.none() | COLUMNS[kind], max_size=6))
    ways.same(
        "parquet-to-avro", parquet({"a": polars.Series(cells, dtype=kind), "é": polars.Series(range(len(cells)))})
    )


VALUES: list[st.SearchStrategy[Any]] = [
    st.integers(-(2**70), 2**70) | st.integers(-9, 9),
    st.floats(allow_nan=False, allow_infinity=False),
    CELLS | TIDY,
    st.booleans(),
    st.lists(st.integers(0, 3), max_size=2),
    st.dictionaries(st.sampled_from("xy"), st.integers(0, 3), max_size=2),
]


@pytest.mark.ci
@pytest.mark.examples
@MANY
@given(data=st.data(), lines=st.booleans())
def test_any_objects(ways: Ways, data: st.DataObject, lines: bool) -> None:
    values = {name: data.draw(st.sampled_from(VALUES)) | st.none() for name in "ab"}
    if data.draw(st.booleans()):
        values["a"] |= data.draw(st.sampled_from(VALUES))
    rows = data.draw(st.lists(st.fixed_dictionaries({}, optional=values), min_size=1, max_size=6))
    if lines:
        ways.same("ndjson-to-avro", "\n".join(map(json.dumps, rows)).encode())
    else:
        ways.same("json-to-avro", json.dumps(rows).encode())


STORED: dict[str, tuple[Any, st.SearchStrategy[Any]]] = {
    "boolean": ("boolean", st.booleans()),
    "int": ("int", st.integers(-(2**31), 2**31 - 1)),
    "long": ("long", st.integers(-(2**63), 2**63 - 1) | st.integers(-70, 70)),
    "float": ("float", st.floats(width=32)),
    "double": ("double", st.floats()),
    "string": ({"type": "string", "avro.java.string": "String"}, CELLS | TIDY | st.just("x" * 200)),
    "bytes": ("bytes", st.binary(max_size=3)),
    "date": ({"type": "int", "logicalType": "date"}, st.dates() | st.integers(-(2**31), 2**31 - 1)),
    "millis": ({"type": "int", "logicalType": "time-millis"}, st.times().map(lambda at: at.replace(microsecond=0))),
    "micros": ({"type": "long", "logicalType": "time-micros"}, st.times()),
    "moment": (
        {"type": "long", "logicalType": "timestamp-micros"},
        st.datetimes(timezones=st.just(UTC)) | st.integers(-(2**63), 2**63 - 1),
    ),
    "second": (
        {"type": "long", "logicalType": "timestamp-millis"},
        st.datetimes(datetime(1900, 1, 1), timezones=st.just(UTC)) | st.integers(-(2**63), 2**63 - 1),
    ),
    "local": ({"type": "long", "logicalType": "local-timestamp-millis"}, st.integers(-(10**14), 10**14)),
    "locally": ({"type": "long", "logicalType": "local-timestamp-micros"}, st.datetimes()),
    "nanos": ({"type": "long", "logicalType": "timestamp-nanos"}, st.integers(-(2**62), 2**62)),
    "unknown": ({"type": "long", "logicalType": "epoch"}, st.integers(0, 9)),
    "uuid": ({"type": "string", "logicalType": "uuid"}, st.uuids().map(str)),
    "enum": ({"type": "enum", "name": "e", "symbols": ["A", "B"]}, st.sampled_from("AB")),
    "list": ({"type": "array", "items": "long"}, st.lists(st.integers(0, 9), max_size=2)),
}


def avro(schema: list[dict[str, Any]], rows: list[dict[str, Any]], codec: str = "null") -> bytes:
    file = io.BytesIO()
    record = fastavro.parse_schema({"type": "record", "name": "r", "fields": schema})
    fastavro.writer(file, record, rows, codec=codec, sync_interval=30)
    return file.getvalue()


@pytest.mark.ci
@pytest.mark.parametrize("slug", ["avro-to-csv", "avro-to-json", "avro-to-parquet"])
@pytest.mark.examples
@MANY
@given(data=st.data(), codec=st.sampled_from(["null", "deflate", "snappy", "zstandard", "bzip2"]))
def test_any_records(ways: Ways, slug: str, data: st.DataObject, codec: str) -> None:
    fields, cells = [], {}
    for name in ("a", "b"):
        stored, values = STORED[data.draw(st.sampled_from(sorted(STORED)))]
        if name == "b" and isinstance(stored, dict) and "name" in stored:
            stored = {**stored, "name": "f"}
        union = data.draw(st.sampled_from([stored, ["null", stored], [stored, "null"]]))
        fields.append({"name": name, "type": union})
        cells[name] = values | st.none() if isinstance(union, list) else values
    rows = data.draw(st.lists(st.fixed_dictionaries(cells), max_size=6))
    ways.same(slug, avro(fields, rows, codec))


@pytest.mark.examples
@MANY
@given(data=st.data())
def test_any_damage(ways: Ways, data: st.DataObject) -> None:
    fields = [{"name": "a", "type": ["null", "string"]}, {"name": "b", "type": "long"}]
    made = bytearray(avro(fields, [{"a": f"x{at}", "b": at * 99} for at in range(9)]))
    for _ in range(data.draw(st.integers(1, 2))):
        made[data.draw(st.integers(0, len(made) - 1))] = data.draw(st.integers(0, 255))
    ways.same("avro-to-json", bytes(made[: data.draw(st.sampled_from([len(made), len(made) - 20]))]))


FLAT = [
    {"name": "n", "type": ["null", "long"]},
    {"name": "t", "type": "string"},
    {"name": "d", "type": [{"type": "int", "logicalType": "date"}, "null"]},
    {"name": "u", "type": {"type": "long", "logicalType": "timestamp-millis"}},
    {"name": "o", "type": {"type": "int", "logicalType": "time-millis"}},
]


def test_flat_records_are_read_by_columns(ways: Ways) -> None:
    row = {"n": None, "t": "é", "d": date(2024, 2, 29), "u": datetime(2024, 1, 1, 1, tzinfo=UTC), "o": time(1, 2, 3)}
    found = ways.same("avro-to-json", avro(FLAT, [row, {**row, "n": -5, "d": None}]))
    assert (
        found
        == (
            '[\n{"n":null,"t":"é","d":"2024-02-29","u":"2024-01-01T01:00:00Z","o":"01:02:03"},\n'
            '{"n":-5,"t":"é","d":null,"u":"2024-01-01T01:00:00Z","o":"01:02:03"}\n]\n'
        ).encode()
    )
    assert ways.by_columns == 1


def test_numbers_that_take_more_bytes_than_they_need_are_read_by_rows(ways: Ways) -> None:
    made = avro([{"name": "a", "type": "long"}], [{"a": 1}])
    at = made.rindex(b"\x02\x02\x02")
    ways.same("avro-to-json", made[:at] + b"\x02\x04\x82\x00" + made[at + 3 :])
    assert ways.by_columns == 0


def test_many_rows_are_written_in_the_blocks_of_fastavro(ways: Ways) -> None:
    rows = "".join(f"{at},{'x' * (at % 300)},{at / 7!r},{'true' if at % 3 else ''}\n" for at in range(2000))
    found = ways.same("csv-to-avro", b"a,b,c,d\n" + rows.encode() + (b"1," + b"y" * 40_000 + b",0.5,\n") * 2)
    assert isinstance(found, bytes)
    assert sum(1 for _ in fastavro.reader(io.BytesIO(found))) == 2002
    assert ways.by_columns == 1


def test_columns_of_several_kinds_are_unions_written_by_rows(ways: Ways) -> None:
    found = ways.same("json-to-avro", b'[{"a": 1, "b": "x"}, {"a": "y", "b": "z"}]')
    assert isinstance(found, bytes)
    rows: list[Any] = list(fastavro.reader(io.BytesIO(found)))
    assert [row["a"] for row in rows] == [1, "y"]
    assert ways.by_columns == 0


@pytest.mark.parametrize("number", [4, 6, 64])
def test_a_branch_that_a_union_lacks_is_refused(ways: Ways, number: int) -> None:
    made = avro([{"name": "a", "type": ["null", "string"]}], [{"a": "one"}])
    at = made.rindex(b"\x02\x06one")
    found = ways.same("avro-to-json", made[:at] + bytes([number]) + made[at + 1 :])
    assert isinstance(found, str)
    assert found.startswith("Unreadable")
