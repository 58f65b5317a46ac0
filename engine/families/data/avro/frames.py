"""Read Avro blocks of flat records as data frames, where they are proven to have every byte."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy
import polars
from fastavro import _read_py
from fastavro.io.binary_encoder import BinaryEncoder

from engine.families.data.avro.binary import Array, branches, sizes, zigzag
from engine.families.data.columnar.cells import in_calendar
from engine.families.data.damage import forget_panics, printed
from engine.families.data.exactness import Inexact

_BYTES = 1 << 22
"""Bytes of blocks that become one frame."""
_MARKER = bytes(16)
_SECONDS = 86_400
_LARGEST = 2**63 // 1000
Convert = Callable[[polars.Series], polars.Series]


@dataclass(frozen=True)
class Field:
    """An optional or required field: its stored type, the index of null in its union, and how its values are read."""

    stored: str
    null: int | None
    convert: Convert

    @property
    def schema(self) -> Any:
        if self.null is None:
            return self.stored
        return ["null", self.stored] if self.null == 0 else [self.stored, "null"]


def field(schema: Any, logical: Any) -> Field | None:
    """Return a field of the type of a parsed schema; None if it is not read by columns.

    `logical` are the logical types that have a meaning, by stored type, as in fastavro.
    """
    null = None
    if isinstance(schema, list):
        if len(schema) != 2 or "null" not in schema:
            return None
        null = schema.index("null")
        schema = schema[1 - null]
    parts = schema if isinstance(schema, dict) else {"type": schema}
    stored = parts.get("type")
    if not isinstance(stored, str):
        return None
    known = f"{stored}-{parts['logicalType']}" if "logicalType" in parts else stored
    if "logicalType" in parts and known not in logical:  # its type is not declared
        return None
    convert = (_LOGICAL if known in logical else _PLAIN).get(known)
    return convert and Field(stored, null, convert)


def _same(series: polars.Series) -> polars.Series:
    return series


def _integers(series: polars.Series) -> polars.Series:
    return series.cast(polars.Int64)


def _days(series: polars.Series) -> polars.Series:
    return _within(series.cast(polars.Date))


def _times(unit: int) -> Convert:
    """Times of which `unit` are a second."""

    def convert(series: polars.Series) -> polars.Series:
        if not series.is_between(0, _SECONDS * unit - 1).all():
            raise Inexact
        return (series.cast(polars.Int64) * (10**9 // unit)).cast(polars.Time)

    return convert


def _moments(unit: int, zone: str | None) -> Convert:
    """Timestamps of which `unit` are a second."""

    def convert(series: polars.Series) -> polars.Series:
        if unit < 10**6 and not series.is_between(-_LARGEST, _LARGEST - 1).all():
            raise Inexact
        found = _within((series * (10**6 // unit)).cast(polars.Datetime("us", zone)))
        # In the first and the last year, conversion from UTC may leave the calendar.
        if zone and not found.dt.year().is_between(2, 9998).all():
            raise Inexact
        return found

    return convert


def _within(series: polars.Series) -> polars.Series:
    if not in_calendar(series):
        raise Inexact
    return series


_PLAIN: dict[str, Convert] = {
    "boolean": _same, "int": _integers, "long": _integers, "double": _same, "string": _same,
}  # fmt: skip
_LOGICAL: dict[str, Convert] = {
    "int-date": _days,
    "int-time-millis": _times(1000),
    "long-time-micros": _times(10**6),
    "long-timestamp-millis": _moments(1000, "UTC"),
    "long-timestamp-micros": _moments(10**6, "UTC"),
    "long-local-timestamp-millis": _moments(1000, None),
    "long-local-timestamp-micros": _moments(10**6, None),
}


def read(source: Path, fields: list[Field], names: list[str]) -> Iterator[polars.DataFrame]:
    """Yield the records of a file, at least one frame. Raises Inexact, and what fastavro raises for a damaged file."""
    reader = _Reader(fields, names)
    yield reader.frame(0, b"")
    count, size, parts = 0, 0, []
    with source.open("rb") as file:
        for block in _read_py.block_reader(file):
            data = block.bytes_.getvalue()
            count, size = count + block.num_records, size + len(data)
            parts.append(data)
            if size >= _BYTES:
                yield reader.frame(count, b"".join(parts))
                count, size, parts = 0, 0, []
    if parts:
        yield reader.frame(count, b"".join(parts))


class _Reader:
    def __init__(self, fields: list[Field], names: list[str]) -> None:
        self._fields = fields
        self._names = names
        schema = {
            "type": "record",
            "name": "row",
            "fields": [{"name": f"f{at}", "type": each.schema} for at, each in enumerate(fields)],
        }
        self._head = b"Obj\x01" + _encoded(1) + _text("avro.schema") + _text(json.dumps(schema)) + _encoded(0) + _MARKER

    def frame(self, count: int, data: bytes) -> polars.DataFrame:
        """Return some records. Raises Inexact unless encoding them again would take every byte."""
        if not 0 <= count * len(self._fields) <= len(data):  # each value takes a byte
            raise Inexact
        block = _encoded(count) + _encoded(len(data)) + data + _MARKER if count else b""
        start = printed()
        try:
            found = polars.read_avro(BytesIO(self._head + block))
        except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError):
            forget_panics(start)
            raise Inexact from None
        if found.height != count or (count and not _is_all(data, self._fields, found)):
            raise Inexact
        return polars.DataFrame(
            [
                each.convert(series).alias(name)
                for each, series, name in zip(self._fields, found, self._names, strict=True)
            ]
        )


def _is_all(data: bytes, fields: list[Field], found: polars.DataFrame) -> bool:
    """Whether values encoded again take every byte, and stand where polars found them.

    Polars takes any other number for the branch that is not null, and any other byte for true.
    """
    lengths = numpy.column_stack([_lengths(each, series) for each, series in zip(fields, found, strict=True)]).ravel()
    ends = lengths.cumsum()
    if int(ends[-1]) != len(data):
        return False
    read, starts = numpy.frombuffer(data, numpy.uint8), ends - lengths
    for at, (each, series) in enumerate(zip(fields, found, strict=True)):
        places, missing = starts[at :: len(fields)], series.is_null().to_numpy()
        if each.null is not None and (read[places] != branches(missing, each.null)).any():
            return False
        if each.stored == "boolean" and (read[(places + (each.null is not None))[~missing]] > 1).any():
            return False
    return True


def _lengths(field: Field, series: polars.Series) -> Array:
    """Return how many bytes each value of a field takes, with the branch of its union."""
    if field.stored in ("double", "boolean"):
        found = numpy.full(len(series), 8 if field.stored == "double" else 1)
    elif field.stored == "string":
        texts = series.str.len_bytes().fill_null(0).cast(polars.Int64).to_numpy()
        found = texts + sizes(zigzag(texts))
    else:
        found = sizes(zigzag(series.fill_null(0).cast(polars.Int64).to_numpy()))
    return numpy.where(series.is_null().to_numpy(), 0, found) + (field.null is not None)


def _encoded(number: int) -> bytes:
    file = BytesIO()
    encoder: Any = BinaryEncoder(file)  # type: ignore[no-untyped-call]
    encoder.write_long(number)
    return file.getvalue()


def _text(text: str) -> bytes:
    return _encoded(len(text.encode())) + text.encode()
