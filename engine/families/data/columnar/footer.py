"""Read the row count and column types from the footer of a Parquet file (parquet.thrift)."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.families.data.columnar.thrift import I32, I64, LIST, STOP, STRUCT, Thrift, signed

_MAGIC, _LOCKED = b"PAR1", b"PARE"
"""The magic numbers at the end of a file, without and with an encrypted footer."""
_LARGEST = 1 << 26
_ROWS = 3
"""The field id of `num_rows`, in FileMetaData and in RowGroup."""
_SCHEMA, _GROUPS, _ENCRYPTION = 2, 4, 8
INT96, BYTE_ARRAY, FIXED = 3, 6, 7
"""Physical types, as numbered in parquet.thrift."""


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def with_correct_row_count(source: Path) -> Path:
    """Return the file, or a copy beside it whose row count is the sum of its row groups, if the two differ.

    Some programs write zero as the row count, and readers differ in which of the two they trust.
    """
    data = _footer(source)
    found = _rows(data)
    if found is None or found.declared == found.grouped:
        return source
    footer = data[: found.begin] + _varint(found.grouped << 1) + data[found.end :]
    copy = source.with_name("corrected.parquet")
    shutil.copyfile(source, copy)
    with copy.open("rb+") as target:
        target.seek(-8 - len(data), 2)
        target.write(footer + len(footer).to_bytes(4, "little") + _MAGIC)
        target.truncate()
    return copy


def is_encrypted(source: Path) -> bool:
    """Whether the footer or columns of the file are encrypted, with keys stored elsewhere."""
    with source.open("rb") as file:
        file.seek(max(0, file.seek(0, 2) - len(_LOCKED)))
        if file.read() == _LOCKED:
            return True
    with suppress(IndexError, ValueError, RecursionError):
        return _at(Thrift(_footer(source)), _ENCRYPTION) != STOP
    return False


def _at(thrift: Thrift, wanted: int) -> int:
    """Seek to a field of the current struct by its id. Returns the field's type, or STOP if the struct lacks it."""
    kind, number = thrift.field(0)
    while kind != STOP and number != wanted:
        thrift.skip(kind)
        kind, number = thrift.field(number)
    return kind


def _footer(source: Path) -> bytes:
    """Return the footer of a file, without its size and magic number; empty if there is none."""
    with source.open("rb") as file:
        end = file.seek(0, 2)
        file.seek(max(0, end - 8))
        tail = file.read(8)
        size = int.from_bytes(tail[:4], "little")
        if tail[4:] != _MAGIC or size > min(end - 12, _LARGEST):
            return b""
        file.seek(end - 8 - size)
        return file.read(size)


@dataclass(frozen=True)
class Leaf:
    """A leaf column: its physical, converted and logical type numbers in parquet.thrift; -1 for none."""

    physical: int
    converted: int = -1
    logical: int = -1


def leaves(source: Path) -> list[Leaf]:
    """Return all leaf columns in order, nested ones included; empty if the footer is damaged."""
    thrift = Thrift(_footer(source))
    with suppress(IndexError, ValueError, RecursionError):
        if _at(thrift, _SCHEMA) == LIST:
            return [each for each in map(_leaf, thrift.structs()) if each.physical >= 0]
    return []


def is_delta_coded(source: Path) -> bool:
    """Return whether a fixed-length column of any row group may use DELTA_BYTE_ARRAY, which polars can't read."""
    thrift = Thrift(_footer(source))
    with suppress(IndexError, ValueError, RecursionError):
        if _at(thrift, _GROUPS) == LIST:
            return sum(_is_delta_coded(thrift, _GROUP) for _ in thrift.structs()) > 0
    return False


_GROUP, _CHUNK, _DATA = 0, 1, 2
_BELOW = {_GROUP: (1, LIST, _CHUNK), _CHUNK: (3, STRUCT, _DATA)}
"""For a row group and a column chunk: the id and type of the field that holds the next level, and that level."""
_DELTA_BYTE_ARRAY = 7


def _is_delta_coded(thrift: Thrift, what: int) -> bool:
    """Read the struct at this position to its end, and return whether a column in it may be delta encoded."""
    found, physical, encodings = False, -1, set[int]()
    kind, number = thrift.field(0)
    while kind != STOP:
        if what in _BELOW and (number, kind) == _BELOW[what][:2]:
            inside = thrift.structs() if kind == LIST else [thrift]
            found |= sum(_is_delta_coded(thrift, _BELOW[what][2]) for _ in inside) > 0
        elif what == _DATA and (number, kind) == (1, I32):
            physical = signed(thrift.varint())
        elif what == _DATA and (number, kind) == (2, LIST):
            encodings = set(thrift.integers())
        else:
            thrift.skip(kind)
        kind, number = thrift.field(number)
    return found or (physical == FIXED and _DELTA_BYTE_ARRAY in encodings)


def _leaf(thrift: Thrift) -> Leaf:
    """Parse one element of the schema; a group has no physical type."""
    found = {1: -1, 6: -1, 10: -1}
    kind, number = thrift.field(0)
    while kind != STOP:
        if number in (1, 6) and kind == I32:
            found[number] = signed(thrift.varint())
        elif number == 10 and kind == STRUCT:
            found[number] = _member(thrift)
        else:
            thrift.skip(kind)
        kind, number = thrift.field(number)
    return Leaf(found[1], found[6], found[10])


def _member(thrift: Thrift) -> int:
    """The field number set in a union."""
    member = -1
    kind, number = thrift.field(0)
    while kind != STOP:
        member = number
        thrift.skip(kind)
        kind, number = thrift.field(number)
    return member


@dataclass(frozen=True)
class _Rows:
    """The row count declared in a footer, its byte range there, and the sum of its row groups."""

    declared: int
    begin: int
    end: int
    grouped: int


def _rows(data: bytes) -> _Rows | None:
    thrift = Thrift(data)
    declared = begin = end = None
    try:
        kind, number = thrift.field(0)
        while kind != STOP:
            if number == _ROWS and kind == I64:
                begin = thrift.at
                declared = signed(thrift.varint())
                end = thrift.at
            elif number == _GROUPS and kind == LIST:
                grouped = sum(map(_rows_of_group, thrift.structs()))
                return (
                    None if declared is None or begin is None or end is None else _Rows(declared, begin, end, grouped)
                )
            else:
                thrift.skip(kind)
            kind, number = thrift.field(number)
    except (IndexError, ValueError, RecursionError):
        pass
    return None


def _rows_of_group(thrift: Thrift) -> int:
    rows = 0
    kind, number = thrift.field(0)
    while kind != STOP:
        if number == _ROWS and kind == I64:
            rows = signed(thrift.varint())
        else:
            thrift.skip(kind)
        kind, number = thrift.field(number)
    return rows
