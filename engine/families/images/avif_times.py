"""Fix the creation times in AVIF animations, so that output is reproducible."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import BinaryIO

_CONTAINERS = (b"moov", b"trak", b"mdia")
_HEADERS = (b"mvhd", b"tkhd", b"mdhd")


def clear_times(path: Path) -> None:
    """Set every time of creation and modification to 0, for unknown (ISO/IEC 14496-12, 8.2.2, 8.3.2 and 8.4.2)."""
    with path.open("r+b") as file:
        _clear(file, 0, os.fstat(file.fileno()).st_size)


def _clear(file: BinaryIO, start: int, end: int) -> None:
    while start + 8 <= end:
        file.seek(start)
        size, kind = struct.unpack(">I4s", file.read(8))
        head = 8
        if size == 1:
            (size,) = struct.unpack(">Q", file.read(8))
            head = 16
        if size < head:  # 0: extends to the end of the file
            size = end - start
        if kind in _CONTAINERS:
            _clear(file, start + head, start + size)
        elif kind in _HEADERS:
            file.seek(start + head)
            version = file.read(1)[0]
            file.seek(start + head + 4)  # after version and flags
            file.write(bytes(16 if version == 1 else 8))
        start += size
