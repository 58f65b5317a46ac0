"""Vectors of Apache Arrow: to and from every format that it goes to and from, and types that it keeps."""

from __future__ import annotations

import io
from datetime import date, datetime
from decimal import Decimal

import polars
import pyarrow
from pyarrow import ipc

from tests.converters.pairs import pairs
from tests.converters.vector import Vector, fail, take
from tests.families.data.checks import is_text
from tests.families.data.vectors import READERS, WRITERS

_COLUMNS = polars.DataFrame(
    {
        "n": [1, None],
        "price": polars.Series([Decimal("1.50"), Decimal("-2.00")], dtype=polars.Decimal(9, 2)),
        "day": [date(2024, 2, 29), None],
        "at": polars.Series([datetime(2024, 2, 29, 1, 2, 3, 4), None], dtype=polars.Datetime("ns", "UTC")),
        "tags": [["a", None], []],
        "inner": [{"x": 1.5}, {"x": None}],
        "raw": [b"\0\xff", b""],
    }
)


def _file() -> bytes:
    file = io.BytesIO()
    _COLUMNS.write_ipc(file)
    return file.getvalue()


def _keeps_columns(data: bytes) -> None:
    assert polars.read_parquet(io.BytesIO(data)).equals(_COLUMNS, null_equal=True)


def _stream() -> bytes:
    file = io.BytesIO()
    _COLUMNS.write_ipc_stream(file)
    return file.getvalue()


def _twice() -> bytes:
    file = io.BytesIO()
    batch = pyarrow.record_batch([pyarrow.array([1]), pyarrow.array([2])], names=["a", "a"])
    with ipc.new_file(file, batch.schema) as sink:
        sink.write_batch(batch)
    return file.getvalue()


VECTORS: tuple[Vector, ...] = (
    *pairs("data.arrow", READERS, WRITERS),
    take("arrow-to-parquet", "columns with all of their types", _file, _keeps_columns),
    take("arrow-to-parquet", "a stream", _stream, _keeps_columns),
    take("arrow-to-csv", "a column twice", _twice, is_text("a,a_2\r\n1,2\r\n"), "COLUMN_RENAMED"),
    fail("arrow-to-csv", "half of a stream", lambda: _stream()[:-400]),
)
