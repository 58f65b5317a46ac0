"""The footer of a Parquet file, as far as it tells how many rows there are (Thrift's compact protocol)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"PAR1"
_LARGEST = 1 << 26
_ROWS = 3
"""The number of the field `num_rows`, of FileMetaData and of RowGroup."""
_GROUPS = 4
_STOP, _TRUE, _FALSE, _BYTE, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12
_VARINTS = (4, 5, _I64)


class _Thrift:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def field(self, last: int) -> tuple[int, int]:
        """Type and number of the field that begins here."""
        byte = self.data[self.at]
        self.at += 1
        kind, delta = byte & 0x0F, byte >> 4
        if kind == _STOP:
            return kind, 0
        return kind, last + delta if delta else _signed(self.varint())

    def skip(self, kind: int, *, element: bool = False) -> None:
        if kind in (_TRUE, _FALSE):
            self.at += element
        elif kind in _VARINTS:
            self.varint()
        elif kind in (_BYTE, _DOUBLE):
            self.at += 1 if kind == _BYTE else 8
        elif kind == _BINARY:
            size = self.varint()
            self.at += size
        elif kind in (_LIST, _SET):
            self._skip_list()
        elif kind == _STRUCT:
            self._skip_struct()
        else:
            raise ValueError(kind)

    def _list(self) -> tuple[int, int]:
        """Type and number of the elements of the list that begins here."""
        byte = self.data[self.at]
        self.at += 1
        size = byte >> 4
        return byte & 0x0F, self.varint() if size == 15 else size

    def structs(self) -> Iterator[_Thrift]:
        """This, at the beginning of each struct of a list; each has to be read to its end."""
        kind, size = self._list()
        for _ in range(size if kind == _STRUCT else 0):
            yield self

    def _skip_list(self) -> None:
        kind, size = self._list()
        for _ in range(size):
            self.skip(kind, element=True)

    def _skip_struct(self) -> None:
        number = 0
        while True:
            kind, number = self.field(number)
            if kind == _STOP:
                return
            self.skip(kind)


def _signed(value: int) -> int:
    return (value >> 1) ^ -(value & 1)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def mended(source: Path) -> Path:
    """The file itself, or a copy beside it that has the number of rows its row groups have, where it says another.

    Some programs leave that number at zero, and readers differ in which of the two they believe.
    """
    with source.open("rb") as file:
        end = file.seek(0, 2)
        file.seek(max(0, end - 8))
        tail = file.read(8)
        size = int.from_bytes(tail[:4], "little")
        if tail[4:] != _MAGIC or size > min(end - 12, _LARGEST):
            return source
        file.seek(end - 8 - size)
        data = file.read(size)
        found = _rows(data)
        if found is None or found.said == found.grouped:
            return source
        footer = data[: found.begin] + _varint(found.grouped << 1) + data[found.end :]
        copy = source.with_name("mended.parquet")
        file.seek(0)
        with copy.open("wb") as target:
            shutil.copyfileobj(file, target)
            target.seek(end - 8 - size)
            target.write(footer + len(footer).to_bytes(4, "little") + _MAGIC)
            target.truncate()
    return copy


@dataclass(frozen=True)
class _Rows:
    """The number of rows that a footer says, where in it that stands, and the sum of its row groups."""

    said: int
    begin: int
    end: int
    grouped: int


def _rows(data: bytes) -> _Rows | None:
    thrift = _Thrift(data)
    said = begin = end = None
    try:
        kind, number = thrift.field(0)
        while kind != _STOP:
            if number == _ROWS and kind == _I64:
                begin = thrift.at
                said = _signed(thrift.varint())
                end = thrift.at
            elif number == _GROUPS and kind == _LIST:
                grouped = sum(map(_rows_of_group, thrift.structs()))
                return None if said is None or begin is None or end is None else _Rows(said, begin, end, grouped)
            else:
                thrift.skip(kind)
            kind, number = thrift.field(number)
    except (IndexError, ValueError, RecursionError):
        pass
    return None


def _rows_of_group(thrift: _Thrift) -> int:
    rows = 0
    kind, number = thrift.field(0)
    while kind != _STOP:
        if number == _ROWS and kind == _I64:
            rows = _signed(thrift.varint())
        else:
            thrift.skip(kind)
        kind, number = thrift.field(number)
    return rows
