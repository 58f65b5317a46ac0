"""Write Avro object container files (Apache Avro 1.12), a record with typed columns for each row."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import fastavro

from engine.families.data import learning
from engine.families.data import schema as columns
from engine.families.data.exactness import Inexact
from engine.families.data.schema import ALL, NULL, Kind, Narrowing, Type
from engine.families.data.table import Frames, Table
from engine.families.data.values import Value, plain
from engine.toolkit import warnings
from engine.toolkit.numbered_names import NumberedNames
from engine.toolkit.warnings import Warn

_RENAMED = warnings.Kind(
    "COLUMN_RENAMED",
    "Names that Avro doesn't allow, or that were already taken, were changed; the schema "
    "lists the originals too: {count}{places}.",
)
_LONG = warnings.Kind(
    "VALUE_CONVERTED", "Numbers that don't fit in 64 bits became text in some columns: {count}{places}."
)
_MIXED = warnings.Kind(
    "VALUE_CONVERTED", "Columns that mix dates, bytes or objects with other values became text: {count}{places}."
)
_NO_TYPE = warnings.Kind("VALUE_CONVERTED", "Durations and empty objects became text: {count}{places}.")
_LARGE = 1_000_000
"""Bytes of a file above which its table is written by columns."""
_UNFIT = re.compile(r"[^A-Za-z0-9_]")

_MIXABLE: tuple[Kind, ...] = ("boolean", "integer", "number", "text")
"""Kinds that a union can hold, in the order in which their branches are tried."""
_DIGITS: Kind = "decimal"
"""Serialized as text in a union, because a bytes branch would be ambiguous."""
_TYPES: dict[Kind, Any] = {
    "null": "string",
    "boolean": "boolean",
    "integer": "long",
    "number": "double",
    "text": "string",
    "bytes": "bytes",
    "date": {"type": "int", "logicalType": "date"},
    "time": {"type": "long", "logicalType": "time-micros"},
    "timestamp": {"type": "long", "logicalType": "local-timestamp-micros"},
    "instant": {"type": "long", "logicalType": "timestamp-micros"},
}


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write each row as a record with nullable fields; a column of several kinds is a union of them.

    Lists become arrays, objects records, decimals keep their digits. Types that Avro lacks become text: durations in
    ISO 8601, numbers of over 38 digits as their digits.
    """
    if table.frames and table.frames.size > _LARGE:
        _write_columns(table, table.frames, target, options, warn)
        return
    found = learning.schema(table)
    narrowing = Narrowing(has=ALL - {"duration"}, mixes=(*_MIXABLE, _DIGITS))
    types = [narrowing(each, name) for each, name in zip(found.columns, table.columns, strict=True)]
    warn.tally(_MIXED, len(narrowing.mixed), (f"“{place}”" for place in narrowing.mixed))
    warn.tally(_NO_TYPE, len(narrowing.converted), (f"“{place}”" for place in narrowing.converted))
    warn.tally(columns.OFFSETS, found.offsets)
    long = [
        f"“{name}”"
        for name, each in zip(table.columns, types, strict=True)
        if each.kind in ("mixed", "text") and _DIGITS in each.kinds
    ]
    warn.tally(_LONG, len(long), long)
    schema, marker, renamed = _header(table.columns, types)
    warn.tally(_RENAMED, len(renamed), renamed)
    with target.open("wb") as file:
        fastavro.writer(file, schema, _records(table, types), codec=_codec(options), sync_marker=marker)


def _write_columns(table: Table, frames: Frames, target: Path, options: Any, warn: Warn) -> None:
    """As `write`, from frames; what they can't give exactly goes by rows."""
    from engine.families.data.avro import columns as whole  # too large an import for small files
    from engine.families.data.columnar.types import plain_types

    try:
        # Integers among floats stay integers, in a union, unless the type is declared.
        given = whole.of_fractions(frames.as_written()) if frames.of_one_kind else frames.open()
        first = next(given)
        if frames.of_one_kind and not frames.of_one_kind():
            raise Inexact
        schema, marker, renamed = _header(table.columns, plain_types(first.schema))
        with target.open("wb") as file:
            whole.write(chain([first], given), file, schema, _codec(options), marker)
    except Inexact:
        table.by_rows()
    warn.tally(_RENAMED, len(renamed), renamed)


def _header(names: Sequence[str], types: Sequence[Type]) -> tuple[Any, bytes, list[str]]:
    """The schema of a file, the marker between its blocks, and the names that had to be changed.

    The marker must not occur in the blocks, and must be deterministic.
    """
    described = _Described()
    schema = described.record("row", names, types)
    marker = hashlib.sha256(json.dumps(schema).encode()).digest()[:16]
    return _ordered(fastavro.parse_schema(schema)), marker, described.renamed


def _codec(options: Any) -> str:
    return "null" if options.compression == "uncompressed" else str(options.compression)


def _ordered(parsed: Any) -> Any:
    """A schema with its keys in a fixed order: fastavro iterates over sets, whose order differs between processes."""
    if isinstance(parsed, list):
        return [_ordered(each) for each in parsed]
    if isinstance(parsed, dict):
        # Its internal entries may refer back to the schema.
        return {key: parsed[key] if key.startswith("__") else _ordered(parsed[key]) for key in sorted(parsed)}
    return parsed


class _Described:
    """Converts types to Avro schemas; `renamed` are the names that had to be changed."""

    def __init__(self) -> None:
        self.renamed: list[str] = []
        self._records = 0

    def record(self, name: str, given: Sequence[str], types: Sequence[Type]) -> dict[str, Any]:
        names = _names(given)
        self.renamed += (f"“{new}”" for new, old in zip(names, given, strict=True) if new != old)
        fields = [
            {"name": new, "type": self._nullable(each), "default": None} | ({"doc": plain(old)} if new != old else {})
            for new, old, each in zip(names, given, types, strict=True)
        ]
        return {"type": "record", "name": name, "fields": fields}

    def _nullable(self, given: Type) -> list[Any]:
        if given.kind == "mixed":
            kinds = {"text" if each == _DIGITS else each for each in given.kinds}
            return ["null", *(_TYPES[each] for each in _MIXABLE if each in kinds)]
        return ["null", self._type(given)]

    def _type(self, given: Type) -> Any:
        if given.kind == "list":
            return {"type": "array", "items": self._nullable(given.item or NULL)}
        if given.kind == "struct":
            self._records += 1
            names, types = zip(*given.fields, strict=True)
            return self.record(f"record{self._records}", names, types)
        if given.kind == "decimal":
            return {"type": "bytes", "logicalType": "decimal", "precision": given.precision, "scale": given.scale}
        return _TYPES[given.kind]


def _names(given: Sequence[str]) -> list[str]:
    """A unique name of ASCII letters, digits and underscores for each column."""
    taken = NumberedNames()
    return [taken.free(re.sub(r"^(?=[0-9]|$)", "_", _UNFIT.sub("_", each))) for each in given]


def _records(table: Table, types: Sequence[Type]) -> Iterator[dict[str, Value]]:
    names = _names(table.columns)
    for batch in filter(None, table.batches()):
        cells = [
            _plain(each, columns.column(each, column, _names))
            for each, column in zip(types, zip(*batch, strict=True), strict=True)
        ]
        for row in zip(*cells, strict=True):
            yield dict(zip(names, row, strict=True))


def _plain(given: Type, cells: list[Value]) -> list[Value]:
    """The cells without characters that UTF-8 can't encode."""
    if not any(each.kind in ("text", "mixed") for each in columns.leaves(given)):
        return cells
    return list(map(_encodable, cells))


def _encodable(value: Value) -> Value:
    if type(value) is str:
        return value if value.isascii() else plain(value)
    if type(value) is list:
        return list(map(_encodable, value))
    if type(value) is dict:
        return {key: _encodable(each) for key, each in value.items()}
    return value
