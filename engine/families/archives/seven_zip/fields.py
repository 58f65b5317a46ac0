"""Read the numbers, bits and checksums of 7z headers (7zFormat.txt of 7-Zip)."""

from __future__ import annotations

import io
import struct

from engine.toolkit.failures import OverLimit

MAX_COUNT = 100_000
"""Of files, folders or streams, before they are counted as entries: the list of 99,000 files takes 0.3 s and 64 MB."""


class Fields:
    """The fields of a header, one after the other. Raises EOFError behind its end."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def take(self, size: int) -> bytes:
        data = self._data.read(size)
        if len(data) != size:
            raise EOFError
        return data

    def rest(self) -> bytes:
        return self._data.read()

    def byte(self) -> int:
        return self.take(1)[0]

    def unpack(self, form: str) -> int:
        return int(struct.unpack(form, self.take(struct.calcsize(form)))[0])

    def number(self) -> int:
        """A variable-length integer: the leading ones of the first byte count the bytes that follow."""
        first, mask, value = self.byte(), 0x80, 0
        for at in range(8):
            if not first & mask:
                return value | (first & (mask - 1)) << 8 * at
            value |= self.byte() << 8 * at
            mask >>= 1
        return value

    def count(self) -> int:
        value = self.number()
        if value > MAX_COUNT:
            raise OverLimit("memory", "The archive has too many files.")
        return value

    def bits(self, count: int) -> list[bool]:
        data = self.take((count + 7) // 8)
        return [bool(data[at // 8] & 0x80 >> at % 8) for at in range(count)]

    def known(self, count: int) -> list[bool]:
        return [True] * count if self.byte() else self.bits(count)

    def digests(self, count: int) -> list[int | None]:
        return [self.unpack("<I") if there else None for there in self.known(count)]
