"""Values of columnar files beyond what their column declares are kept and named."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

from engine.conversion import convert
from engine.families import auditing
from engine.families.data import damage
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


def nested(kind: str, times: Any) -> Any:
    ends = pa.array([0, 1, len(times)], pa.int32())
    return {
        "list": lambda: pa.ListArray.from_arrays(ends, times),
        "struct": lambda: pa.StructArray.from_arrays([times.slice(1)], ["t"]),
        "list of one size": lambda: pa.FixedSizeListArray.from_arrays(times, len(times)),
        "list of structs": lambda: pa.ListArray.from_arrays(ends, pa.StructArray.from_arrays([times], ["t"])),
        "map": lambda: pa.MapArray.from_arrays(ends, pa.array(list("xyz")[: len(times)]), times),
        "map by times": lambda: pa.MapArray.from_arrays(ends, times.fill_null(2), times),
        "list of maps": lambda: pa.ListArray.from_arrays(
            pa.array([0, 2], pa.int32()), pa.MapArray.from_arrays(ends, pa.array(list("xyz")[: len(times)]), times)
        ),
        "dictionary": lambda: pa.DictionaryArray.from_arrays(pa.array([1, None], pa.int32()), times.drop_null()),
    }[kind]()


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("list", [["00:00:01"], ["86400", None]]),
        ("list of one size", [["00:00:01", "86400", None]]),
        ("struct", [{"t": "86400"}, {"t": None}]),
        ("list of structs", [[{"t": "00:00:01"}], [{"t": "86400"}, {"t": None}]]),
        ("dictionary", ["86400", None]),
        ("map", [{"x": "00:00:01"}, {"y": "86400", "z": None}]),
        ("list of maps", [[{"x": "00:00:01"}, {"y": "86400", "z": None}]]),
    ],
)
def test_times_outside_a_day_inside_other_values_stay_numbers(
    tmp_path: Path, kind: str, inside: str, expected: list[Any]
) -> None:
    data, warn = converted(pa.table({"a": nested(inside, times("s", 1, 86_400, None))}), tmp_path, kind)
    text = data.replace(b"86400000", b"86400")  # Parquet has no seconds
    assert [each["a"] for each in json.loads(text)] == expected
    (told,) = warn.warnings
    assert f"1 (“a” in row {2 if inside in ('list', 'list of structs', 'map') else 1}: 86400" in str(told.message)


def test_times_outside_a_day_stay_numbers_as_keys_of_maps_and_in_empty_ones(tmp_path: Path) -> None:
    maps = pa.concat_arrays(
        [pa.nulls(1, pa.map_(pa.time32("s"), pa.time32("s"))), nested("map by times", times("s", 1, 86_400, None))]
    )
    data, warn = converted(pa.table({"a": maps}).slice(0), tmp_path, "arrow")
    assert [each["a"] for each in json.loads(data)] == [
        None,
        {"00:00:01": "00:00:01"},
        {"86400": "86400", "00:00:02": None},
    ]
    (told,) = warn.warnings
    assert "2 (“a” in row 3: 86400" in str(told.message)


def dates(*milliseconds: int | None) -> Any:
    return pa.array(milliseconds, pa.int64()).view(pa.date64())


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
@pytest.mark.parametrize("output", ["json", "csv"])
def test_dates_of_64_bits_are_days(tmp_path: Path, kind: str, output: str) -> None:
    days = dates(0, -86_400_000, None)
    table = pa.table({"d": days, "l": pa.array([[0], [], None], pa.list_(pa.date64()))})
    data, warn = converted(table, tmp_path, kind, output)
    if output == "json":
        assert json.loads(data) == [
            {"d": "1970-01-01", "l": ["1970-01-01"]},
            {"d": "1969-12-31", "l": []},
            {"d": None, "l": None},
        ]
    else:
        assert data.splitlines()[1:3] == [b'1970-01-01,"[""1970-01-01""]"', b"1969-12-31,[]"]
    assert not warn.warnings


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("list", [["1970-01-01T00:00:00"], ["1970-01-02T00:00:01.500000", None]]),
        ("list of one size", [["1970-01-01T00:00:00", "1970-01-02T00:00:01.500000", None]]),
        ("struct", [{"t": "1970-01-02T00:00:01.500000"}, {"t": None}]),
        ("map", [{"x": "1970-01-01T00:00:00"}, {"y": "1970-01-02T00:00:01.500000", "z": None}]),
    ],
)
def test_dates_with_a_time_of_day_keep_it_and_are_named(tmp_path: Path, inside: str, expected: list[Any]) -> None:
    plain = dates(86_400_000, None)
    table = pa.table({"a": nested(inside, dates(0, 86_401_500, None))})
    data, warn = converted(table.append_column("b", plain.slice(0, table.num_rows)), tmp_path, "arrow")
    assert [each["a"] for each in json.loads(data)] == expected
    assert json.loads(data)[0]["b"] == "1970-01-02"
    (told,) = warn.warnings
    assert told.code == "VALUE_CONVERTED"
    assert "1970-01-02 00:00:01.500" in str(told.message)


@pytest.mark.parametrize("packed", ["dictionary", "runs", "views", "one size"])
def test_dates_of_64_bits_are_days_in_any_layout(tmp_path: Path, packed: str) -> None:
    days = dates(0, 86_400_000)
    made = {
        "dictionary": lambda: days.dictionary_encode(),
        "runs": lambda: pa.RunEndEncodedArray.from_arrays([1, 2], days),
        "views": lambda: pa.array([[0], [86_400_000]], pa.list_view(pa.date64())),
        "one size": lambda: pa.FixedSizeListArray.from_arrays(days, 1),
    }[packed]()
    data, warn = converted(pa.table({"a": made}), tmp_path, "arrow")
    found = [each["a"] for each in json.loads(data)]
    assert found == (
        ["1970-01-01", "1970-01-02"] if packed in ("dictionary", "runs") else [["1970-01-01"], ["1970-01-02"]]
    )
    assert not warn.warnings


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_decimals_of_256_bits_keep_their_digits_inside_lists(tmp_path: Path, kind: str, wrapped: bool) -> None:
    long, short = Decimal("1" * 60 + ".25"), Decimal("-2.50")
    values = pa.array([[long, short]], pa.list_(pa.decimal256(70, 2)))
    data, warn = converted(
        pa.table({"a": pa.StructArray.from_arrays([values], ["x"]) if wrapped else values}), tmp_path, kind
    )
    (found,) = json.loads(data)
    assert (found["a"]["x"] if wrapped else found["a"]) == [str(long), str(short)]
    assert [str(each.message) for each in warn.warnings] == ["Columns of unsupported types became text: 1 (“a”)."]


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_equal_keys_of_a_map_are_all_kept(tmp_path: Path, kind: str) -> None:
    pairs = pa.array([[("x", 1), ("x", 2)]], pa.map_(pa.string(), pa.int64()))
    data, warn = converted(pa.table({"a": pairs}), tmp_path, kind)
    assert json.loads(data) == [{"a": [{"key": "x", "value": 1}, {"key": "x", "value": 2}]}]
    assert not warn.warnings


def test_decimals_without_ones_are_read(tmp_path: Path) -> None:
    data, _ = converted(pa.table({"a": pa.array([Decimal("12300"), None], pa.decimal128(10, -2))}), tmp_path, "arrow")
    assert json.loads(data) == [{"a": 12300}, {"a": None}]


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
@pytest.mark.parametrize(("zone", "told"), [("+05:30", True), ("-02:15", True), ("Nowhere/None", True), ("Z", False)])
def test_times_in_a_zone_that_is_not_known_are_in_utc(tmp_path: Path, kind: str, zone: str, told: bool) -> None:
    moments = pa.array([0, None], pa.timestamp("us", zone))
    data, warn = converted(pa.table({"a": moments, "b": pa.array([[0], []], pa.list_(moments.type))}), tmp_path, kind)
    assert json.loads(data) == [
        {"a": "1970-01-01T00:00:00Z", "b": ["1970-01-01T00:00:00Z"]},
        {"a": None, "b": []},
    ]
    assert [str(each.message) for each in warn.warnings] == (
        [f"Times with a UTC offset were converted to UTC: 2 (“a”: {zone}, “b”: {zone})."] if told else []
    )


def test_objects_without_fields_become_text_in_parquet(tmp_path: Path) -> None:
    kind = pa.struct([])
    table = pa.table({"a": pa.array([{}, None], kind), "b": pa.array([[{}, {}], []], pa.list_(kind)), "c": [1, 2]})
    _, warn = converted(table, tmp_path, "arrow", "parquet")
    found = parquet.read_table(tmp_path / "output.parquet").to_pydict()
    assert found == {"a": ["{}", None], "b": ["[{},{}]", "[]"], "c": [1, 2]}
    assert [str(each.message) for each in warn.warnings] == ["Empty objects became text: 2 (“a”, “b”)."]


def _panicking(folder: Path) -> Path:
    """An Arrow file whose index gives the one batch in it a body that is far longer than the file: polars panics."""
    source = folder / "input.arrow"
    polars.DataFrame({"a": [1, 2, 3] * 50}).write_ipc(source, compression="uncompressed")
    data = bytearray(source.read_bytes())
    size = int.from_bytes(data[-10:-6], "little")
    with ipc.open_file(bytes(data)) as opened:
        length = sum(each.size for each in opened.get_batch(0).column(0).buffers() if each)
    end = len(data) - 10
    place = data.rindex((-(-length // 64) * 64).to_bytes(8, "little"), end - size, end)
    data[place : place + 8] = (1 << 29).to_bytes(8, "little")
    source.write_bytes(data)
    return source


def test_panics_of_damaged_files_are_answered_and_print_nothing(tmp_path: Path) -> None:
    source = _panicking(tmp_path)
    code = (
        "import os, sys, tempfile\n"
        "from pathlib import Path\n"
        "from engine.conversion import convert\n"
        "from engine.toolkit.failures import Unreadable\n"
        "log = tempfile.TemporaryFile()\n"
        "os.dup2(log.fileno(), 2) if sys.argv[2] == 'file' else None\n"
        "print('before', file=sys.stderr, flush=True)\n"
        "try:\n"
        "    convert(Path(sys.argv[1]), Path(sys.argv[1]).with_suffix('.json'), sandbox=False)\n"
        "except Unreadable as error:\n"
        "    print(error.reason, flush=True)\n"
        "print('after', file=sys.stderr, flush=True)\n"
        "sys.stdout.buffer.write(os.pread(2, 1 << 20, 0)) if sys.argv[2] == 'file' else None\n"
    )
    for way in ("file", "pipe"):
        done = subprocess.run([sys.executable, "-c", code, source, way], capture_output=True, check=True)
        if way == "file":
            assert done.stdout.split() == [b"damaged", b"before", b"after"]
        else:  # which may be the log of several processes
            assert done.stdout.split() == [b"damaged"]
            assert b"panicked at" in done.stderr


def test_only_the_lines_of_panics_are_removed(tmp_path: Path) -> None:
    panic = (
        b"\nthread 'async-executor-0' (1) panicked at crates/a.rs:1:2:\nassertion `left == right` failed\n"
        b"  left: 1\n right: 2\nstack backtrace:\n   0: a\n             at b\nnote: Some details are omitted.\n"
    )
    with tempfile.TemporaryFile() as log:
        saved = os.dup(2)
        os.dup2(log.fileno(), 2)
        try:
            os.write(2, b"old panicked at\n")
            start = damage.printed()
            os.write(2, panic + b"MemoryError\n" + panic + panic + b"\nlast\n")
            damage.forget_panics(start)
            os.write(2, b"new\n")
        finally:
            os.dup2(saved, 2)
            os.close(saved)
        assert os.pread(log.fileno(), 1000, 0) == b"old panicked at\nMemoryError\n\nlast\nnew\n"
