"""Count the phonetic readings of texts in Excel 97-2003 files (MS-XLS) and Excel binary workbooks (MS-XLSB)."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

_WIDE, _EXTENDED, _RICH = 0x01, 0x04, 0x08
_CHARACTERS = 10
"""The offset of the number of characters of a reading in a phonetic block (MS-XLS, 2.5.88)."""


def in_strings(blocks: Sequence[bytes]) -> int:
    """Count the strings with a reading in a shared strings record and the records that continue it (MS-XLS, 2.4.265).

    Of a damaged record, those before the damage are counted.
    """
    return sum(extended[_CHARACTERS : _CHARACTERS + 2] > b"\0\0" for _, extended in beside_strings(blocks))


def beside_strings(blocks: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the runs of fonts and the phonetic block of each shared string, up to where the record is damaged."""
    reader = _Blocks(blocks)
    try:
        (strings,) = struct.unpack("<4xI", reader.take(8))
        for _ in range(strings):
            characters, flags = struct.unpack("<HB", reader.take(3))
            runs = struct.unpack("<H", reader.take(2))[0] if flags & _RICH else 0
            extended = struct.unpack("<I", reader.take(4))[0] if flags & _EXTENDED else 0
            reader.pass_characters(characters, wide=bool(flags & _WIDE))
            yield reader.take(4 * runs), reader.take(extended)
    except (struct.error, IndexError):
        return


class _Blocks:
    """The content of a record and of those that continue it."""

    def __init__(self, blocks: Sequence[bytes]) -> None:
        self._blocks = blocks
        self._block = self._at = 0

    def take(self, size: int) -> bytes:
        """Return the next bytes, wherever records end. Raises IndexError beyond the last."""
        found = b""
        while size:
            block = self._here()
            part = block[self._at : self._at + size]
            found += part
            self._at += len(part)
            size -= len(part)
        return found

    def pass_characters(self, count: int, *, wide: bool) -> None:
        """Pass over characters; where a record ends among them, the next begins with their width (2.5.293)."""
        while count:
            block = self._here()
            if self._at == 0 and self._block:
                wide = bool(block[0] & _WIDE)
                self._at = 1
            inside = min(count, (len(block) - self._at) >> wide)
            self._at += inside << wide
            count -= inside
            if count and inside == 0:
                self._at = len(block)

    def _here(self) -> bytes:
        while self._at >= len(self._blocks[self._block]):
            self._block, self._at = self._block + 1, 0
        return self._blocks[self._block]


def of_rich_text(content: bytes, at: int = 0) -> bool:
    """Return whether a text of a binary workbook has a reading (MS-XLSB, 2.5.121); a damaged one has none."""
    try:
        flags, characters = struct.unpack_from("<BI", content, at)
        at += 5 + 2 * characters
        if flags & 1:  # runs with their fonts
            at += 4 + 4 * struct.unpack_from("<I", content, at)[0]
        return bool(flags & 2 and struct.unpack_from("<I", content, at)[0] not in (0, 0xFFFFFFFF))
    except struct.error:
        return False
