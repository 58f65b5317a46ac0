"""Vectors of Apache ORC: every type that it has and has not, what its files carry beside rows, and broken ones."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import polars
import pyarrow
from pyarrow.orc import ORCFile, write_table

from tests.converters.pairs import pairs
from tests.converters.vector import Vector, fail, take
from tests.families.data.checks import gives
from tests.families.data.vectors import READERS, WRITERS


def orc(columns: Mapping[str, Any], compression: str = "zlib") -> bytes:
    """An ORC file by the format's own library; a column is a list, or an array with its type."""
    file = pyarrow.BufferOutputStream()
    write_table(pyarrow.table(columns), file, compression=compression)
    return bytes(file.getvalue())


_EVERY_TYPE = {
    "flag": [True, None],
    "tiny": pyarrow.array([-128, None], pyarrow.int8()),
    "long": [2**63 - 1, None],
    "single": pyarrow.array([1.1, None], pyarrow.float32()),
    "double": [float("nan"), None],
    "price": pyarrow.array([Decimal("1.50"), None], pyarrow.decimal128(9, 2)),
    "day": [date(1600, 2, 29), None],
    "moment": pyarrow.array([datetime(2024, 2, 29, 1, 2, 3, 4), None], pyarrow.timestamp("us")),
    "nanos": pyarrow.array([1_709_168_523_000_000_007, None], pyarrow.timestamp("ns")),
    "instant": pyarrow.array([datetime(2024, 2, 29, tzinfo=UTC), None], pyarrow.timestamp("us", "Europe/Berlin")),
    "text": ["ä,\n", None],
    "raw": [b"\0\xff", None],
    "items": [[1, None], None],
    "inner": [{"x": [{"y": 1}]}, None],
    "tags": pyarrow.array([[("a", 1), ("b", None)], None], pyarrow.map_(pyarrow.string(), pyarrow.int64())),
    "numbered": pyarrow.array([[(7, "x")], None], pyarrow.map_(pyarrow.int64(), pyarrow.string())),
    "either": pyarrow.UnionArray.from_sparse(
        pyarrow.array([0, 1], pyarrow.int8()), [pyarrow.array([42, 0]), pyarrow.array(["", "forty"])]
    ),
}
_AS_JSON: dict[str, Any] = {
    "flag": True, "tiny": -128, "long": 2**63 - 1, "single": "1.1", "double": None, "price": "1.50",
    "day": "1600-02-29", "moment": "2024-02-29T01:02:03.000004", "nanos": "2024-02-29T01:02:03.000000007",
    "instant": "2024-02-29T00:00:00Z", "text": "ä,\n", "raw": "AP8=", "items": [1, None], "inner": {"x": [{"y": 1}]},
    "tags": {"a": 1, "b": None}, "numbered": {"7": "x"}, "either": "42",
}  # fmt: skip

_TYPED = polars.DataFrame(
    {
        "small": polars.Series([255], dtype=polars.UInt8),
        "large": polars.Series([2**64 - 1], dtype=polars.UInt64),
        "half": polars.Series([0.5], dtype=polars.Float16),
        "name": polars.Series(["x"], dtype=polars.Categorical),
        "at": [datetime(1, 1, 1)],
        "clock": [time(7, 30)],
        "span": [timedelta(hours=30)],
        "clocks": [[time(7, 30)]],
        "pair": polars.Series([[1, 2]], dtype=polars.Array(polars.UInt8, 2)),
    }
)


def _parquet(frame: polars.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.write_parquet(file)
    return file.getvalue()


def _types(**wanted: str) -> Callable[[bytes], None]:
    """The columns have the types of Arrow that are named, in this order."""

    def check(data: bytes) -> None:
        schema = ORCFile(pyarrow.BufferReader(data)).schema
        assert dict(zip(schema.names, map(str, schema.types), strict=True)) == wanted

    return check


def _holds(*rows: dict[str, Any]) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        assert ORCFile(pyarrow.BufferReader(data)).read().to_pylist() == list(rows)

    return check


_VECTORS = (
    *(
        take("orc-to-json", f"a value of every type, {each}", partial(orc, _EVERY_TYPE, each),
             gives([_AS_JSON, dict.fromkeys(_AS_JSON) | {"either": "forty"}]), "VALUE_CONVERTED")
        for each in ("uncompressed", "zlib", "snappy", "lz4", "zstd")
    ),
    take("orc-to-csv", "no rows", partial(orc, {"a": pyarrow.array([], pyarrow.int64())}),
         lambda data: _equal(data, b"a\r\n")),
    fail("orc-to-json", "a mark and nothing else", b"ORC"),
    fail("orc-to-json", "moments that its nanoseconds don't reach", orc({"at": [datetime(9999, 12, 31)]})),
    fail("orc-to-json", "a footer of something else", orc({"a": [1]})[:-30] + bytes(30)),
    take("csv-to-orc", "types that are inferred, packed another way", b"a,b,c\r\n1,x,1.5\r\n2,,2\r\n",
         _types(a="int64", b="string", c="double"), types="infer", compression="snappy"),
    take("json-to-orc", "kinds that differ", b'[{"a": 1, "b": "x"}, {"a": 1.5, "b": 2}]',
         _holds({"a": 1.0, "b": "x"}, {"a": 1.5, "b": "2"}), "VALUE_CONVERTED"),
    take("parquet-to-orc", "types that it has not", partial(_parquet, _TYPED),
         _types(small="int16", large="decimal128(20, 0)", half="float", name="string", at="timestamp[ns]",
                clock="string", span="string", clocks="string", pair="list<item: int16>"), "VALUE_CONVERTED"),
    take("parquet-to-orc", "what of those is text",
         partial(_parquet, _TYPED.select("large", "clock", "span", "clocks")),
         _holds({"large": Decimal(2**64 - 1), "clock": "07:30:00", "span": "P1DT21600S", "clocks": '["07:30:00"]'}),
         "VALUE_CONVERTED"),
)  # fmt: skip


def _equal(data: bytes, wanted: bytes) -> None:
    assert data == wanted


VECTORS: tuple[Vector, ...] = (*pairs("data.orc", READERS, WRITERS), *_VECTORS)
