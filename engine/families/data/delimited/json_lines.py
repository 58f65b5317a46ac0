"""Convert blocks of delimited text to JSON lines, byte for byte as msgspec does."""

from __future__ import annotations

import msgspec

from engine.families.data.delimited.block import ESCAPED, SEAM, Block, woven

_CELL = b"\xfe"
"""Placeholder for the end of a cell; the byte never occurs in UTF-8."""
_ESCAPES = {bytes([each]): msgspec.json.encode(chr(each))[1:-1] for each in sorted(ESCAPED, reverse=True)}
"""The backslash comes first: the other escapes add backslashes."""
_UNESCAPED = bytes(sorted({*range(256)} - {*ESCAPED}))


class Lines:
    """Writes each row as an object of strings, followed by `end`."""

    def __init__(self, columns: list[str], *, delimiter: bytes, end: bytes = b"\n") -> None:
        keys = [msgspec.json.encode(each) + b':"' for each in columns]
        self._first = b"{" + keys[0]
        self._last = b'"}' + end
        self._between: list[bytes] = []
        for key in (self._last + self._first, *(b'",' + key for key in keys[1:])):
            self._between += key, b""
        self._ends = bytes.maketrans(delimiter + b"\n", _CELL * 2)

    def encode(self, block: Block) -> bytes:
        """Return the lines of a block of at least one row."""
        text = block.around.translate(self._ends, b"\r")
        if block.line_end is None:
            text = _escaped(text)
        if block.inside:
            outside = text.split(SEAM)
            outside[1:-1] = [each or b'\\"' for each in outside[1:-1]]
            some = SEAM.join(block.inside)
            inside = block.inside if (escaped := _escaped(some)) is some else escaped.split(SEAM)
            text = b"".join(woven(outside, inside))
        cells = text.split(_CELL)
        pieces = self._between * block.rows
        del cells[len(pieces) // 2 :]  # text after the last line break
        pieces[1::2] = cells
        pieces[0] = self._first
        pieces.append(self._last)
        return b"".join(pieces)


def _escaped(text: bytes) -> bytes:
    found = text.translate(None, _UNESCAPED)
    for plain, escape in _ESCAPES.items() if found else ():
        if plain in found:
            text = text.replace(plain, escape)
    return text
