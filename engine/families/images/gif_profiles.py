"""Read the colour profile of a GIF, which decoders pass over (ICC.1:2022, B.5)."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

_NAME = b"ICCRGBG1012"
_MOST = 4_000_000
"""Bytes of a profile that are read: those of printers have up to two million."""


def read(path: Path) -> bytes | None:
    """Return the profile in a block before the first picture; None without one."""
    with path.open("rb") as file:
        head = file.read(13)
        if len(head) == 13 and head[10] & 0x80:
            file.seek(3 << (head[10] & 7) + 1, 1)
        while file.read(1) == b"\x21":
            label = file.read(1)
            blocks = _blocks(file)
            if label == b"\xff" and blocks and blocks[0] == _NAME:
                return b"".join(blocks[1:]) or None
    return None


def _blocks(file: BinaryIO) -> list[bytes]:
    """The sub-blocks of an extension, none of one that is too long."""
    found, size = list[bytes](), 0
    while (length := file.read(1)) not in (b"", b"\0"):
        size += length[0]
        found += [file.read(length[0])] if size <= _MOST else []
        if size > _MOST:
            file.seek(length[0], 1)
    return found if size <= _MOST else []
