"""SQLite by whole columns and row by row: both give the same bytes, warnings and errors."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.families.data import table
from engine.families.data.databases import by_columns, writing
from engine.families.data.json_input import blocks as json_blocks
from tests.converters.test_frames import CELLS, COLUMNS, KINDS, SPELLED, TIDY, parquet
from tests.converters.ways import Ways
from tests.examples import examples

MANY = settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ways:
    large = [(table, "LARGE", -1), (json_blocks, "LARGE", 0)]
    return Ways(tmp_path, monkeypatch, columns=large, counted=[(by_columns, "cells"), (writing, "_of_tokens")])


@pytest.mark.ci
@pytest.mark.examples
@MANY
@given(data=st.data(), types=st.sampled_from(["infer", "text"]))
def test_any_text(ways: Ways, data: st.DataObject, types: str) -> None:
    kinds = data.draw(st.lists(st.sampled_from([*KINDS, CELLS | TIDY | SPELLED]), min_size=1, max_size=3))
    file = io.StringIO(newline="")
    rows = data.draw(st.lists(st.tuples(*(kind | st.just("") for kind in kinds)), max_size=8))
    csv.writer(file).writerows([[f"c{at}" for at in range(len(kinds))], *rows])
    ways.same("csv-to-sqlite", file.getvalue().encode(), types=types)


@pytest.mark.parametrize("kind", COLUMNS, ids=str)
@pytest.mark.examples
@settings(MANY, max_examples=examples(25))
@given(data=st.data())
def test_any_column(ways: Ways, kind: Any, data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.none() | COLUMNS[kind], max_size=6))
    ways.same(
        "parquet-to-sqlite", parquet({"a": polars.Series(cells, dtype=kind), "A": polars.Series(range(len(cells)))})
    )


def _object(members: Iterable[str]) -> str:
    return f"{{{', '.join(members)}}}"


_NUMBERS = st.sampled_from(
    [
        "0", "-0", "-0.0", "1", "-7", "1.0", "1.10", "0.1", "1e5", "1E400", "1e-400", "5e-324", "1.5e300", "1e16",
        "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "12345678901234567.0", "0.1234567890123456789", "1" * 40, "1" * 4001,
    ]
)  # fmt: skip
_TEXTS = st.text(st.sampled_from('ab1,{["\\\n\0\x7fé\u2028😀'), max_size=4).map(json.dumps) | st.sampled_from(
    ['"null"', '""', '"\\ud800"', '"2024-01-31"']
)
_WORDS = st.sampled_from(["null", "true", "false"])
_SINGLE = _NUMBERS | _TEXTS | _WORDS
_LISTS = st.lists(_SINGLE, max_size=3).map(lambda items: f"[{', '.join(items)}]")
_OBJECTS = st.dictionaries(st.sampled_from(['"x"', '"y"', '"é"']), _SINGLE | _LISTS, max_size=2).map(
    lambda items: _object(f"{key}: {value}" for key, value in items.items())
)
_COLUMNS = st.sampled_from([_NUMBERS, _TEXTS, _WORDS, _SINGLE, _LISTS, _OBJECTS, _SINGLE | _LISTS | _OBJECTS])


@pytest.mark.ci
@pytest.mark.parametrize("slug", ["json-to-sqlite", "ndjson-to-sqlite"])
@pytest.mark.examples
@MANY
@given(data=st.data(), end=st.sampled_from(["\n", "\r\n"]))
def test_any_json(ways: Ways, slug: str, data: st.DataObject, end: str) -> None:
    kinds = data.draw(st.lists(_COLUMNS, min_size=1, max_size=3))
    missing = data.draw(st.sampled_from([st.nothing(), st.none()]))
    rows = data.draw(st.lists(st.tuples(*(kind | missing for kind in kinds)), max_size=6))
    objects = [_object(f'"c{at}":{value}' for at, value in enumerate(row) if value is not None) for row in rows]
    text = end.join(objects) if slug.startswith("nd") else f"[{f',{end}'.join(objects)}]"
    ways.same(slug, text.encode())


@pytest.mark.parametrize("where", ["c0 > 1", "c1 != 'x'"])
@pytest.mark.examples
@settings(MANY, max_examples=examples(50))
@given(rows=st.lists(st.tuples(_NUMBERS | _WORDS, _SINGLE), min_size=1, max_size=6))
def test_any_picked_json(ways: Ways, where: str, rows: list[tuple[str, str]]) -> None:
    text = "\n".join(f'{{"c0": {first}, "c1": {second}}}' for first, second in rows)
    ways.same("ndjson-to-sqlite", text.encode(), where=where)


def _read(found: bytes | str, folder: Path) -> tuple[list[str], list[tuple[Any, ...]]]:
    assert isinstance(found, bytes)
    path = folder / "found.sqlite"
    path.write_bytes(found)
    with closing(sqlite3.connect(path)) as connection:
        types = [each[2] for each in connection.execute("PRAGMA table_info(data)")]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return types, connection.execute("SELECT * FROM data").fetchall()


def test_text_and_numbers_go_by_columns(ways: Ways, tmp_path: Path) -> None:
    ways.same("csv-to-sqlite", b"a,b\n1,x\n,y\n")
    found = ways.same("csv-to-sqlite", b"a,b,c,d\n1,x,2024-01-31,0.5\n,y,,2\n", types="infer")
    assert _read(found, tmp_path) == (
        ["INTEGER", "TEXT", "DATE", ""],
        [(1, "x", "2024-01-31", 0.5), (None, "y", None, 2)],
    )
    ways.same("parquet-to-sqlite", parquet({"a": polars.Series([1, None]), "b": polars.Series([0.5, float("nan")])}))
    assert ways.by_columns == 3


def test_json_of_any_shape_goes_by_columns(ways: Ways, tmp_path: Path) -> None:
    found = ways.same(
        "ndjson-to-sqlite",
        b'{"a": 1, "b": {"c": "x"}, "d": [1, "y"], "e": 12345678901234567890}\n{"a": 1.0, "d": null, "e": 1}\n',
    )
    assert ways.by_columns == 1
    assert _read(found, tmp_path) == (
        ["", "TEXT", "TEXT", ""],
        [(1, "x", '[1,"y"]', "12345678901234567890"), (1.0, None, None, 1)],
    )


def test_more_rows_than_one_insert_has_are_in_order(ways: Ways, tmp_path: Path) -> None:
    for count in range(2 * writing._ROWS + 2):
        found = ways.same("ndjson-to-sqlite", b"".join(b'{"a": %d}\n' % each for each in range(count + 1)))
        assert _read(found, tmp_path) == (["INTEGER"], [(each,) for each in range(count + 1)])
