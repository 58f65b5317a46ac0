"""Vectors of Avro: every type of its schemas, names and kinds that it can't have, and files that mean harm."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID

import fastavro
import polars

from tests.converters.pairs import pairs
from tests.converters.vector import Vector, fail, take
from tests.families.data.checks import equal, gives
from tests.families.data.vectors import READERS, WRITERS


def avro(schema: Any, *records: Any, codec: str = "null", **metadata: str) -> bytes:
    file = io.BytesIO()
    fastavro.writer(file, fastavro.parse_schema(schema), records, codec=codec, metadata=metadata or None)
    return file.getvalue()


def record(name: str = "row", **fields: Any) -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": [{"name": key, "type": kind} for key, kind in fields.items()]}


def logical(kind: str, logical: str, /, **more: Any) -> dict[str, Any]:
    return {"type": kind, "logicalType": logical, **more}


_EVERY_TYPE = record(
    flag="boolean", single="float", double="double", bytes="bytes",
    symbol={"type": "enum", "name": "E", "symbols": ["A"]},
    tags={"type": "map", "values": "int"}, items={"type": "array", "items": ["null", "string"]},
    inner=record("inner", x="float"), price=logical("bytes", "decimal", precision=9, scale=3),
    either=["null", "long", "string"], day=logical("int", "date"), clock=logical("long", "time-micros"),
    at=logical("long", "timestamp-millis"), local=logical("long", "local-timestamp-micros"),
    nanos=logical("long", "timestamp-nanos"), id=logical("string", "uuid"),
    span=logical("fixed", "duration", name="span", size=12),
)  # fmt: skip
_RECORD = {
    "flag": True, "single": 1.1, "double": float("nan"), "bytes": b"\0\xff", "symbol": "A", "tags": {"b": 1, "a": 2},
    "items": ["x", None], "inner": {"x": 0.1}, "price": Decimal("1.500"), "either": 2**62, "day": date(2024, 2, 29),
    "clock": time(7, 30, 0, 5), "at": datetime(2024, 2, 29, 1, 2, 3, tzinfo=UTC),
    "local": datetime(2024, 2, 29, 1, 2, 3, 4), "nanos": 1_709_168_523_000_000_007,
    "id": UUID("12345678123456781234567812345678"),
    "span": b"\1\0\0\0\2\0\0\0\xa4\x0b\0\0",
}  # fmt: skip
_AS_JSON = {
    "flag": True, "single": "1.1", "double": None, "bytes": "AP8=", "symbol": "A", "tags": {"b": 1, "a": 2},
    "items": ["x", None], "inner": {"x": "0.1"}, "price": "1.500", "either": 2**62, "day": "2024-02-29",
    "clock": "07:30:00.000005", "at": "2024-02-29T01:02:03Z", "local": "2024-02-29T01:02:03.000004",
    "nanos": "2024-02-29T01:02:03.000000007Z", "id": "12345678-1234-5678-1234-567812345678",
    "span": "P1M2DT2.980S",
}  # fmt: skip
_LIST = {
    "type": "record",
    "name": "node",
    "namespace": "org.example",
    "fields": [{"name": "n", "type": "int"}, {"name": "next", "type": ["null", "node"]}],
}


def chained(depth: int) -> bytes:
    """One record that holds another, and so on: each is two bytes."""
    data = avro(_LIST, {"n": 1, "next": None})
    marker = data[-16:]
    start = data.index(marker) + 16
    body = b"\x02\x02" * depth + b"\x02\x00"
    return data[:start] + zigzag(1) + zigzag(len(body)) + body + marker


def zigzag(number: int) -> bytes:
    """Avro's variable-length integers."""
    number <<= 1
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def block(schema: Any, count: int, body: bytes) -> bytes:
    """A file whose one block says that it has `count` records."""
    data = avro(schema)
    return data + zigzag(count) + zigzag(len(body)) + body + data[-16:]


def _reads(expected: list[dict[str, Any]], **types: Any) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        reader = fastavro.reader(io.BytesIO(data))
        schema: Any = reader.writer_schema
        fields = {each["name"]: each["type"][1:] for each in schema["fields"]}
        found = list(reader)
        assert found == expected
        assert [[type(cell) for cell in row.values()] for row in found] == [
            [type(cell) for cell in row.values()] for row in expected
        ]
        assert {name: fields[name] for name in types} == types

    return check


_DAY = {"type": "int", "logicalType": "date"}
_MOMENT = {"type": "long", "logicalType": "local-timestamp-micros"}


def _typed_parquet() -> bytes:
    file = io.BytesIO()
    polars.DataFrame(
        {"day": [date(2024, 2, 29)], "at": [datetime(2024, 2, 29, 1)], "clock": [time(7, 30)], "n": [1], "x": [None]},
        schema_overrides={"x": polars.String},
    ).write_parquet(file)
    return file.getvalue()


_VECTORS = (
    *(
        take("avro-to-json", f"a value of every type, {codec}", partial(avro, _EVERY_TYPE, _RECORD, codec=codec),
             lambda data: equal(json.loads(data, parse_float=str), [_AS_JSON]), "VALUE_CONVERTED")
        for codec in ("null", "deflate", "snappy", "zstandard", "bzip2", "xz")
    ),
    take("avro-to-json", "values that are no records", lambda: avro("long", 1, 2), gives([{"value": 1}, {"value": 2}])),
    take("avro-to-json", "no rows", lambda: avro(record(a="int")), gives([])),
    take("avro-to-json", "metadata of its own", lambda: avro(record(a="int"), {"a": 1}, owner="me"), gives([{"a": 1}]),
         "METADATA_DROPPED"),
    take("avro-to-json", "dates of no year that is known",
         lambda: avro(record(d=logical("int", "date"), t=logical("long", "timestamp-micros")),
                      {"d": 2**30, "t": -(2**62)}), gives([{"d": 2**30, "t": -(2**62)}]), "VALUE_CONVERTED"),
    take("avro-to-json", "a type that is a part of itself",
         lambda: avro(_LIST, {"n": 1, "next": {"n": 2, "next": None}}),
         gives([{"n": 1, "next": {"n": 2, "next": None}}])),
    fail("avro-to-json", "a mark and nothing else", b"Obj\x01"),
    fail("avro-to-json", "a chain without an end", chained(100_000)),
    fail("avro-to-json", "records without fields, more than there are numbers", block(record(), 2**61, b"")),
    fail("avro-to-json", "records of nothing, more than there is room for", block(record(a="null"), 2**61, b"")),
    fail("avro-to-json", "a text that is longer than the file", block(record(a="string"), 1, zigzag(2**40))),
    fail("avro-to-json", "a codec that nobody knows",
         avro(record(a="int")).replace(b"avro.codec\x08null", b"avro.codec\x08what")),
    take("json-to-avro", "kinds that differ, names that are none",
         b'[{"a b": 1, "a-b": true, "1": null, "m": 1, "n": 1.10, "l": [1], "\xc3\xa9": 1},'
         b' {"a b": 1.5, "m": "x", "n": 1e400}]',
         _reads([{"a_b": 1, "a_b_2": True, "_1": None, "m": 1, "n": 1.1, "l": [1], "_": 1},
                 {"a_b": 1.5, "a_b_2": None, "_1": None, "m": "x", "n": "1e400", "l": None, "_": None}],
                a_b=["long", "double"], m=["long", "string"], n=["double", "string"],
                l=[{"type": "array", "items": ["null", "long"]}]),
         "COLUMN_RENAMED", "VALUE_CONVERTED"),
    take("json-to-avro", "objects, lists of them, and more digits than a float has",
         b'[{"o": {"a b": 1, "c": [{"d": null}, {"d": "x"}]}, "n": 0.12345678901234567890},'
         b' {"o": {"e": {}}, "n": 123456789012345678}]',
         _reads([{"o": {"a_b": 1, "c": [{"d": None}, {"d": "x"}], "e": None}, "n": Decimal("0.12345678901234567890")},
                 {"o": {"a_b": None, "c": None, "e": "{}"}, "n": Decimal("123456789012345678.00000000000000000000")}],
                n=[{"type": "bytes", "logicalType": "decimal", "precision": 38, "scale": 20}]),
         "COLUMN_RENAMED", "VALUE_CONVERTED"),
    take("csv-to-avro", "moments with zones", b"t\r\n2024-01-01T00:00:00+02:00\r\n2024-01-01 00:00:00Z\r\n",
         _reads([{"t": datetime(2023, 12, 31, 22, tzinfo=UTC)}, {"t": datetime(2024, 1, 1, tzinfo=UTC)}],
                t=[{"type": "long", "logicalType": "timestamp-micros"}]), "VALUE_CONVERTED"),
    take("parquet-to-avro", "dates and times", _typed_parquet,
         _reads([{"day": date(2024, 2, 29), "at": datetime(2024, 2, 29, 1), "clock": time(7, 30), "n": 1, "x": None}],
                day=[_DAY], at=[_MOMENT], x=["string"])),
    take("csv-to-avro", "types that are inferred, packed another way", b"a,b\r\n1,x\r\n2,\r\n",
         _reads([{"a": 1, "b": "x"}, {"a": 2, "b": None}], a=["long"], b=["string"]),
         types="infer", compression="zstandard"),
    take("csv-to-avro", "truth among numbers", b"a\r\n1\r\ntrue\r\n", _reads([{"a": "1"}, {"a": "true"}]),
         types="infer"),
)  # fmt: skip

VECTORS: tuple[Vector, ...] = (*pairs("data.avro", READERS, WRITERS), *_VECTORS)
