"""Values of columnar files beyond what their column declares are kept and named."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

from engine.conversion import convert
from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def converted(table: Any, folder: Path, kind: str, output: str = "json") -> tuple[bytes, Warn]:
    source, target, warn = folder / f"input.{kind}", folder / f"output.{output}", Warn()
    if kind == "parquet":
        parquet.write_table(table, source)
    else:
        with ipc.new_file(source, table.schema) as sink:
            sink.write_table(table)
    converter = CONVERTERS[f"{kind}-to-{output}"]
    auditing.run(converter, source, target, build(converter.options, {}), warn)
    return target.read_bytes(), warn


def times(unit: str, *seconds: int | None) -> Any:
    bits, kind = (pa.int32(), pa.time32) if unit in ("s", "ms") else (pa.int64(), pa.time64)
    return pa.array([each if each is None else each * UNITS[unit] for each in seconds], bits).cast(kind(unit))


@pytest.mark.parametrize(("kind", "unit"), [("parquet", "ms"), ("parquet", "ns"), ("arrow", "s"), ("arrow", "us")])
def test_times_outside_a_day_stay_numbers_and_are_named(tmp_path: Path, kind: str, unit: str) -> None:
    table = pa.table({"t": times(unit, -1, 0, None, 86_399, 86_400), "n": [1, 2, 3, 4, 5]})
    data, warn = converted(table, tmp_path, kind)
    assert [each["t"] for each in json.loads(data)] == [
        str(-UNITS[unit]), "00:00:00", None, "23:59:59", str(86_400 * UNITS[unit]),
    ]  # fmt: skip
    assert [each.code for each in warn.warnings] == ["VALUE_CONVERTED"]
    assert f"2 (“t” in row 1: -{UNITS[unit]}" in str(warn.warnings[0].message)


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_times_of_a_day_are_read_without_a_word(tmp_path: Path, kind: str) -> None:
    data, warn = converted(pa.table({"t": times("us", 0, 43_200)}), tmp_path, kind)
    assert json.loads(data) == [{"t": "00:00:00"}, {"t": "12:00:00"}]
    assert not warn.warnings


@pytest.mark.parametrize("name", ["a.arrow", "a.feather", "a.ipc", "a.arrows"])
def test_arrow_is_known_by_each_of_its_extensions(tmp_path: Path, name: str) -> None:
    table = pa.table({"n": [1, None]})
    with (ipc.new_stream if name == "a.arrows" else ipc.new_file)(tmp_path / name, table.schema) as sink:
        sink.write_table(table)
    convert(tmp_path / name, tmp_path / "output.json", sandbox=False)
    assert json.loads((tmp_path / "output.json").read_bytes()) == [{"n": 1}, {"n": None}]


@pytest.mark.parametrize("output", ["json", "csv"])
def test_decimals_longer_than_declared_keep_their_digits_and_are_named(tmp_path: Path, output: str) -> None:
    exact = pa.array([Decimal("-116.97"), Decimal("2.50")], pa.decimal128(38, 2))
    short = pa.Array.from_buffers(pa.decimal128(3, 2), 2, exact.buffers())
    data, warn = converted(pa.table({"d": short, "e": exact}), tmp_path, "arrow", output)
    assert b"-116.97" in data
    assert b"2.50" in data or b"2.5" in data
    assert [each.code for each in warn.warnings] == ["VALUE_CONVERTED"]


@pytest.mark.parametrize("output", ["json", "csv"])
def test_long_decimals_of_parquet_are_counted(tmp_path: Path, output: str) -> None:
    table = pa.table({"d": pa.array([Decimal("1.50")], pa.decimal256(50, 2))})
    data, warn = converted(table, tmp_path, "parquet", output)
    assert b"1.5" in data
    assert [each.code for each in warn.warnings] == ["VALUE_CONVERTED"]
