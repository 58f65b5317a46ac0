"""Columns of Parquet whose types a library does not know are counted: Variant and UUIDs; and zeros below zero."""

from __future__ import annotations

import io
import uuid
from pathlib import Path

import polars
import pyarrow
import pytest
from pyarrow import parquet

from engine.families.data.counting import columnar
from tests.engine.losing import change, lost
from tests.engine.test_false_alarms import warned

_GROUP = b"\x18\x03var\x15\x04"
"""The name of a column of two parts, and their number, in the footer (Thrift's compact protocol)."""
_IS_VARIANT = b"\x5c\x0c\x20\0\0"
"""The logical type with the number 16, which is Variant, without fields of its own."""


def file(**columns: pyarrow.Array) -> bytes:
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), out)
    return out.getvalue()


def ids(*values: uuid.UUID) -> pyarrow.Array:
    stored = pyarrow.array([each.bytes for each in values], pyarrow.binary(16))
    return pyarrow.ExtensionArray.from_storage(pyarrow.uuid(), stored)


def variant() -> bytes:
    """A file with a Variant column: bytes of names, and bytes of values (here true)."""
    made = file(
        name=pyarrow.array(["Ada", "Bea"]),
        var=pyarrow.array([{"metadata": b"\1\0\0", "value": b"\4"}] * 2),
    )
    footer = made.rindex(_GROUP) + len(_GROUP)
    size = int.from_bytes(made[-8:-4], "little") + len(_IS_VARIANT)
    return made[:footer] + _IS_VARIANT + made[footer:-8] + size.to_bytes(4, "little") + made[-4:]


def test_a_file_with_a_variant_column_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(variant())
    with pytest.raises(polars.exceptions.ComputeError):
        polars.scan_parquet(path).collect_schema()
    census = columnar.parquet(path)
    assert (census.total("rows"), census.total("columns")) == (2, 2)
    assert census.items["values"] == {"Ada": 1, "Bea": 1, "AQAA": 2, "BA==": 2}


def test_what_a_result_lacks_of_a_file_with_a_variant_column_is_named(tmp_path: Path) -> None:
    assert "notCounted" not in warned(tmp_path, "parquet-to-json", variant()).detected
    assert lost(tmp_path, "parquet-to-json", variant(), None) == set()
    assert "values" in lost(tmp_path, "parquet-to-json", variant(), change("Bea", "Eve"))


@pytest.mark.parametrize("output", ["json", "csv", "xlsx", "html"])
def test_uuids_and_zeros_below_zero_are_not_missing(tmp_path: Path, output: str) -> None:
    first, second = uuid.uuid4(), uuid.uuid4()
    data = file(
        id=ids(first, second), zero=pyarrow.array([-0.0, 0.0]), bytes=pyarrow.array([b"x" * 16] * 2, pyarrow.binary())
    )
    assert lost(tmp_path, f"parquet-to-{output}", data, None) == set()


def test_a_uuid_that_a_result_lacks_is_named(tmp_path: Path) -> None:
    first = uuid.UUID(int=1 << 100)
    nested = pyarrow.StructArray.from_arrays([ids(first)], names=["id"])
    for data in (file(id=ids(first)), file(inner=nested)):
        assert lost(tmp_path, "parquet-to-json", data, None) == set()
        assert lost(tmp_path, "parquet-to-json", data, change(str(first), str(uuid.UUID(int=2)))) == {"values"}
