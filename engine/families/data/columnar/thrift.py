"""Parse the subset of Thrift's compact protocol that metadata uses."""

from __future__ import annotations

from collections.abc import Iterator

STOP, TRUE, FALSE, BYTE, I32, I64, DOUBLE = 0, 1, 2, 3, 5, 6, 7
BINARY, LIST, SET, MAP, STRUCT = 8, 9, 10, 11, 12
VARINTS = (4, I32, I64)


class Thrift:
    """Thrift data, parsed from offset `at`. Malformed data raises IndexError, ValueError or RecursionError."""

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
        """Parse a field header. Returns the field's type and id, given the id of the `last` field."""
        byte = self.data[self.at]
        self.at += 1
        kind, delta = byte & 0x0F, byte >> 4
        if kind == STOP:
            return kind, 0
        return kind, last + delta if delta else signed(self.varint())

    def skip(self, kind: int, *, element: bool = False) -> None:
        if kind in (TRUE, FALSE):
            self.at += element
        elif kind in VARINTS:
            self.varint()
        elif kind in (BYTE, DOUBLE):
            self.at += 1 if kind == BYTE else 8
        elif kind == BINARY:
            size = self.varint()
            self.at += size
        elif kind in (LIST, SET):
            self._skip_list()
        elif kind == STRUCT:
            self._skip_struct()
        else:
            raise ValueError(kind)

    def _list(self) -> tuple[int, int]:
        """Parse a list header. Returns the type and the number of the elements."""
        byte = self.data[self.at]
        self.at += 1
        size = byte >> 4
        return byte & 0x0F, self.varint() if size == 15 else size

    def structs(self) -> Iterator[Thrift]:
        """Yield this parser at the beginning of each struct of a list; the caller has to read each to its end."""
        kind, size = self._list()
        for _ in range(size if kind == STRUCT else 0):
            yield self

    def integers(self) -> list[int]:
        kind, size = self._list()
        if kind not in VARINTS:
            raise ValueError(kind)
        return [signed(self.varint()) for _ in range(size)]

    def _skip_list(self) -> None:
        kind, size = self._list()
        for _ in range(size):
            self.skip(kind, element=True)

    def _skip_struct(self) -> None:
        number = 0
        while True:
            kind, number = self.field(number)
            if kind == STOP:
                return
            self.skip(kind)


def signed(value: int) -> int:
    return (value >> 1) ^ -(value & 1)
