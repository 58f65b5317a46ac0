"""SQLite by whole columns and row by row: both give the same bytes, warnings and errors."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.families.data.databases import writing
from tests.converters.test_frames import CELLS, COLUMNS, KINDS, SPELLED, TIDY, parquet
from tests.converters.ways import Ways
from tests.examples import examples

MANY = settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ways:
    return Ways(tmp_path, monkeypatch, columns=[(writing, "LARGE", -1)], counted=[(writing, "_columns")])


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


def test_text_and_numbers_go_by_columns(ways: Ways) -> None:
    ways.same("csv-to-sqlite", b"a,b\n1,x\n,y\n")
    ways.same("parquet-to-sqlite", parquet({"a": polars.Series([1, None]), "b": polars.Series([0.5, float("nan")])}))
    assert ways.by_columns == 2
