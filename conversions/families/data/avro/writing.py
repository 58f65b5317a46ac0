"""Writing Avro object container files (Apache Avro 1.12): a record for each row, with a type for each column."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

import fastavro

from conversions.families.data import kinds as columns
from conversions.families.data.kinds import LARGEST
from conversions.families.data.table import Table
from conversions.families.data.values import Number, Value, exact_float, plain, text
from conversions.toolkit.warnings import Kind, Warn

_RENAMED = Kind("COLUMN_RENAMED", "Names that are none in Avro, or were taken, were changed; the schema has both")
_LONG = Kind("VALUE_CONVERTED", "Numbers that 64 bits don't hold became text in some columns")
_MIXED = Kind("VALUE_CONVERTED", "Columns with dates or bytes among other values became text")
_UNFIT = re.compile(r"[^A-Za-z0-9_]")

_MIXABLE = ("boolean", "integer", "number", "text")
"""Kinds that a union can hold, in the order in which their branches are tried."""
_TYPES: dict[str, Any] = {
    "boolean": "boolean",
    "integer": "long",
    "number": "double",
    "text": "string",
    "bytes": "bytes",
    "date": {"type": "int", "logicalType": "date"},
    "time": {"type": "long", "logicalType": "time-micros"},
    "moment": {"type": "long", "logicalType": "local-timestamp-micros"},
    "instant": {"type": "long", "logicalType": "timestamp-micros"},
}


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write each row as a record whose fields may all be null; a column of several kinds is a union of them.

    What Avro has no type for is text: lists and objects as JSON, durations as ISO 8601, numbers that no 64 bits hold
    as their digits.
    """
    kinds = columns.kinds(table)
    found = [_branches(each) for each in kinds]
    mixed = [
        f"“{name}”"
        for name, each, branches in zip(table.columns, kinds, found, strict=True)
        if len(each) > 1 and branches == ["text"]
    ]
    warn.tally(_MIXED, len(mixed), mixed)
    names = _names(table.columns, warn)
    fields = [
        {"name": name, "type": ["null", *(_TYPES[each] for each in branches)], "default": None}
        | ({"doc": plain(given)} if given != name else {})
        for name, given, branches in zip(names, table.columns, found, strict=True)
    ]
    schema = {"type": "record", "name": "row", "fields": fields}
    # What stands between blocks is to be unlike anything in them, and the same each time.
    marker = hashlib.sha256(json.dumps(schema).encode()).digest()[:16]
    codec = "null" if options.compression == "uncompressed" else options.compression
    long: set[int] = set()
    with target.open("wb") as file:
        fastavro.writer(
            file, fastavro.parse_schema(schema), _records(table, names, found, long), codec=codec, sync_marker=marker
        )
    warn.tally(_LONG, len(long), (f"“{table.columns[at]}”" for at in sorted(long)))


def _branches(kinds: AbstractSet[str]) -> list[str]:
    if len(kinds) <= 1:
        return [*kinds] or ["text"]
    mixed = [each for each in _MIXABLE if each in kinds]
    return mixed if len(mixed) == len(kinds) else ["text"]


def _names(given: list[str], warn: Warn) -> list[str]:
    """A name of ASCII letters, digits and underscores for each column, none of them twice."""
    taken: set[str] = set()
    names = []
    for each in given:
        name = wanted = re.sub(r"^(?=[0-9]|$)", "_", _UNFIT.sub("_", each))
        number = 2
        while name in taken:
            name = f"{wanted}_{number}"
            number += 1
        taken.add(name)
        names.append(name)
    renamed = [f"“{new}”" for new, old in zip(names, given, strict=True) if new != old]
    warn.tally(_RENAMED, len(renamed), renamed)
    return names


def _records(table: Table, names: list[str], found: list[list[str]], long: set[int]) -> Iterator[dict[str, Value]]:
    for batch in filter(None, table.batches()):
        cells = [
            _column(column, branches, at, long)
            for at, (column, branches) in enumerate(zip(zip(*batch, strict=True), found, strict=True))
        ]
        for row in zip(*cells, strict=True):
            yield dict(zip(names, row, strict=True))


def _column(cells: tuple[Value, ...], branches: list[str], at: int, long: set[int]) -> list[Value]:
    if branches == ["text"]:
        return [None if cell is None else _text(cell, at, long) for cell in cells]
    if "text" not in branches and "number" not in branches:
        return list(cells)
    return [_branched(cell, at, long) for cell in cells]


def _branched(cell: Value, at: int, long: set[int]) -> Value:
    if cell is None or type(cell) in (bool, float):
        return cell
    if type(cell) is int and -LARGEST <= cell < LARGEST:
        return cell
    if type(cell) is Number and (found := exact_float(cell)) is not None:
        return found
    return _text(cell, at, long)


def _text(cell: Value, at: int, long: set[int]) -> str:
    if type(cell) in (int, Number) and (type(cell) is Number or not -LARGEST <= cell < LARGEST):
        long.add(at)
    return plain(cell) if type(cell) is str else plain(text(cell))
