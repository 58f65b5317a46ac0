"""Read Avro object container files (Apache Avro 1.12) as typed rows."""

from __future__ import annotations

import lzma
import math
import struct
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import cramjam
from backports import zstd
from fastavro import _read_py
from fastavro import read as compiled
from fastavro.schema import SchemaParseException, UnknownType

from engine.families.data.avro import declared, logical, zero_size
from engine.families.data.damage import unreadable
from engine.families.data.exactness import Inexact
from engine.families.data.nesting import too_deep
from engine.families.data.table import MAX_CELLS, Frames, Row, Table, batched, check_width, unique_names
from engine.families.data.values import Value, finite
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_DAMAGED = say("The Avro file is damaged and can't be read. Export or download it again.")
_DEEP = say("The Avro records are nested too deeply. Flatten the data.")
_ERRORS = (
    ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError, EOFError, OSError, struct.error,
    zlib.error, lzma.LZMAError, cramjam.DecompressionError, zstd.ZstdError, SchemaParseException, UnknownType,
)  # fmt: skip
"""The exceptions that fastavro and its codecs raise for bytes that don't fit the schema."""
_LARGE, _PACKED = 200_000, 20
"""Bytes of a file from which it is read by columns, and how many times as large its records are at most."""
_LARGEST_SINGLE = (2 - 2**-23) * 2.0**127
_BINARY = Kind("VALUE_CONVERTED", "Binary columns became Base64 text: {count}{places}.")
_BEYOND = Kind(
    "VALUE_CONVERTED",
    "Dates and times outside the years 1 to 9999 became their stored numbers: {count}{places}.",
)
_METADATA = Kind("METADATA_DROPPED", "Entries of the file's metadata are not in the output: {count}{places}.")


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The table of an Avro file: a column for each field of its records, or the column `value`.

    Nested records, maps and arrays stay values, decimals keep their digits, an enumeration is its symbol. Raises
    Unreadable for a damaged file, and OverLimit for more cells than a table may have.
    """
    with source.open("rb") as file, unreadable(_DAMAGED, *_ERRORS):
        # Only the header, by the implementation that can't overflow the process's stack.
        head = _read_py.reader(file)
        schema: Any = head.writer_schema
        codec, metadata = head.codec, head.metadata
        recursive = _is_recursive(schema)
        empty = zero_size.ZeroSized(schema)
    record = isinstance(schema, dict) and schema["type"] in ("record", "error")
    fields = [str(each["name"]) for each in schema["fields"]] if record else ["value"]
    if not fields:
        raise Unreadable("The Avro records have no fields.", reason="empty")
    check_width(len(fields))
    named = [name for name in metadata if not name.startswith("avro.")]
    warn.tally(_METADATA, len(named), named)
    warn.detect(codec=str(codec))
    # Only in a recursive type the nesting depth is up to the data.
    reader: Any = _read_py.reader if recursive else compiled.reader
    if empty.in_items:
        reader = empty.reader
    single = {
        at for at, each in enumerate(schema["fields"] if record else [{"type": schema}]) if _is_single(each["type"])
    }
    compiled.LOGICAL_READERS.update(logical.READERS)  # both readers use this table

    def values() -> Iterator[Value]:
        with source.open("rb") as file, unreadable(_DEEP, RecursionError), unreadable(_DAMAGED, *_ERRORS):
            for value in reader(file):
                if recursive and too_deep(value):
                    raise Unreadable(_DEEP, reason="limit")
                yield value

    def batches() -> Iterator[list[Row]]:
        mend = _ValueConverter(single)
        logical.beyond.clear()
        done = 0
        for batch in batched(values(), max(1, min(2_000, 200_000 // len(fields)))):
            done += len(batch)
            if done * max(len(fields), empty.values) > MAX_CELLS or (empty.records and done > zero_size.MOST):
                raise OverLimit("output", "The file has too many rows to convert at once. Split it.")
            rows = [[each[name] for name in fields] for each in batch] if record else [[each] for each in batch]
            columns = list(zip(*rows, strict=True))
            yield list(map(list, zip(*(mend.column(at, cells) for at, cells in enumerate(columns)), strict=True)))
        warn.tally(_BINARY, len(mend.binary), (f"“{fields[at]}”" for at in sorted(mend.binary)))
        warn.tally(_BEYOND, logical.beyond.total(), map(str, logical.beyond))

    types = (
        [declared.column_type(each["type"]) for each in schema["fields"]] if record else [declared.column_type(schema)]
    )
    table = Table("Sheet1", unique_names(fields, warn), batches, schema=lambda: types)
    size = source.stat().st_size
    if record and size > _LARGE:
        from engine.families.data.avro import frames  # too large an import for small files

        known = [frames.field(each["type"], compiled.LOGICAL_READERS) for each in schema["fields"]]
        flat = [each for each in known if each is not None]
        if len(flat) == len(fields):
            table.frames = Frames(partial(_frames, source, flat, table), size * _PACKED)
    return [table]


def _frames(source: Path, fields: Any, table: Table) -> Iterator[Any]:
    from engine.families.data.avro import frames

    done = 0
    try:
        for frame in frames.read(source, fields, table.columns):
            done += frame.height
            if done * frame.width > MAX_CELLS:
                raise Inexact
            yield frame
    except (Inexact, *_ERRORS):
        table.by_rows()


def _within(schema: Any) -> Iterator[tuple[Any, frozenset[str]]]:
    """Every type of a parsed schema, by name or inline, with the names of the types that contain it."""
    stack: list[tuple[Any, frozenset[str]]] = [(schema, frozenset())]
    while stack:
        each, inside = stack.pop()
        yield each, inside
        if isinstance(each, list):
            stack += [(branch, inside) for branch in each]
        elif isinstance(each, dict):
            within = inside | {_bare(each["name"])} if "name" in each else inside
            stack += [(field["type"], within) for field in each.get("fields", ())]
            stack += [(each[key], within) for key in ("items", "values") if key in each]
            stack.append((each["type"], within))


def _bare(name: str) -> str:
    return str(name).rpartition(".")[2]


def _is_recursive(schema: Any) -> bool:
    return any(isinstance(each, str) and _bare(each) in inside for each, inside in _within(schema))


def _is_single(schema: Any) -> bool:
    """Whether all floats of this type have 32 bits."""
    found = {each for each, _ in _within(schema) if isinstance(each, str)}
    return "float" in found and "double" not in found


class _ValueConverter:
    """Converts fastavro's values to table values; `binary` are the columns with bytes, `single` with 32-bit floats."""

    def __init__(self, single: set[int]) -> None:
        self.single = single
        self.binary: set[int] = set()
        self.at = 0

    def column(self, at: int, cells: tuple[Value, ...]) -> tuple[Value, ...]:
        self.at = at
        if not set(map(type, cells)) & _CONVERSIONS.keys():
            return cells
        return tuple(map(self.value, cells))

    def value(self, value: Value) -> Value:
        mend = _CONVERSIONS.get(type(value))
        return mend(self, value) if mend else value

    def number(self, value: float) -> Value:
        return finite(_shortest(value) if self.at in self.single else value)

    def encoded(self, value: bytes) -> str:
        self.binary.add(self.at)
        return b64encode(value).decode()


def _shortest(value: float) -> float:
    """The number with the fewest digits that has the same 32 bits."""
    if not math.isfinite(value):
        return value
    wanted = struct.pack("f", value)
    shorter = (float(f"{value:.{digits}g}") for digits in range(1, 10))
    return next(each for each in shorter if abs(each) <= _LARGEST_SINGLE and struct.pack("f", each) == wanted)


_CONVERSIONS: dict[type, Callable[[_ValueConverter, Any], Value]] = {
    float: _ValueConverter.number,
    bytes: _ValueConverter.encoded,
    UUID: lambda _, value: str(value),
    dict: lambda converter, value: {key: converter.value(each) for key, each in value.items()},
    list: lambda converter, value: [converter.value(each) for each in value],
}
