"""Pictures of one colour, which pack very well."""

from __future__ import annotations

import struct
import zlib


def blank_png(width: int, height: int, *, depth: int = 1) -> bytes:
    """A black PNG in shades of grey with this many bits for each pixel."""
    rows = bytes((1 + (width * depth + 7) // 8) * height)
    header = struct.pack(">IIBBBBB", width, height, depth, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, *zip(*chunks, strict=True)))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
