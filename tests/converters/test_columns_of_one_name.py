"""Arrow files with several columns of one name are counted like others."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import ipc

from engine.conversion import convert
from engine.families.data.counting import columnar


def _written(path: Path, *, stream: bool) -> Path:
    batch = pa.record_batch([pa.array([1, 2]), pa.array(["x", "y"]), pa.array([3.5, None])], names=["a", "b", "a"])
    with (ipc.new_stream if stream else ipc.new_file)(str(path), batch.schema) as sink:
        sink.write_batch(batch)
    return path


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("target", ["output.json", "output.csv", "output.xlsx"])
def test_columns_of_one_name_are_counted(target: str, *, stream: bool, tmp_path: Path) -> None:
    source = _written(tmp_path / "input.arrow", stream=stream)
    result = convert(source, tmp_path / target, sandbox=False)
    assert "notCounted" not in result.detected
    assert [each.code for each in result.warnings] == ["COLUMN_RENAMED"]


@pytest.mark.parametrize("stream", [False, True])
def test_every_value_of_columns_of_one_name_is_counted(*, stream: bool, tmp_path: Path) -> None:
    census = columnar.arrow(_written(tmp_path / "input.arrow", stream=stream))
    assert {kind: census.total(kind) for kind in ("rows", "columns", "values")} == {
        "rows": 2,
        "columns": 3,
        "values": 5,
    }
