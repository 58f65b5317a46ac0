"""Vectors of Apache Arrow: to and from every format that it goes to and from, and types that it keeps."""

from __future__ import annotations

import io
from datetime import date, datetime
from decimal import Decimal

import polars

from tests.converters.pairs import pairs
from tests.converters.vector import Vector, take
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


VECTORS: tuple[Vector, ...] = (
    *pairs("data.arrow", READERS, WRITERS),
    take("arrow-to-parquet", "columns with all of their types", _file, _keeps_columns),
)
