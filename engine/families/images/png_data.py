"""Reuse PNG data in PDFs, which compress pixel rows alike (ISO 32000-1, 7.4.4.4)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1}
"""Channels by colour type; the other types have transparency."""

_PALETTE = 3
_OTHERWISE = {b"tRNS", b"acTL"}
"""Chunks of transparency and animation, which a PDF expresses differently."""

_KEPT = (b"IHDR", b"iCCP", b"PLTE")
_PIECE = 1 << 18
"""The bytes inspected at once: the remainder is copied each time."""
_USUAL = 2
"""The compression level in the zlib header from which on the data is well compressed (RFC 1950, 2.2)."""


@dataclass(frozen=True)
class _Header:
    """The fields of the header chunk (PNG, 11.2.1)."""

    width: int
    height: int
    bits: int
    colour: int
    interlaced: int

    @property
    def row(self) -> int:
        """The bytes per row: the filter type and the pixels."""
        return 1 + (self.width * self.bits * _CHANNELS[self.colour] + 7) // 8


def reusable(source: Path, profile: bytes | None) -> bytes | None:
    """A PNG of the same pixels without other data than `profile`, or None if a PDF can't use it as it is.

    The file is known to decode. Also None if its data is badly compressed, or damaged only at its end.
    """
    chunks = list(_chunks(memoryview(source.read_bytes())))
    found = dict(reversed(chunks))  # the first chunk of each type
    header = _Header(*struct.unpack(">IIBBxxB", found[b"IHDR"]))
    if header.interlaced or header.bits > 8 or header.colour not in _CHANNELS or _OTHERWISE & set(found):
        return None
    if profile and b"iCCP" not in found:  # the file describes its colours in another way
        found[b"iCCP"] = memoryview(b"ICC Profile\0\0" + zlib.compress(profile))
    if header.colour == _PALETTE and b"iCCP" in found:
        return None  # profiles don't apply to palette colours there
    data = b"".join(content for name, content in chunks if name == b"IDAT")
    if not _is_sound(data, header.row * header.height):
        return None
    names = [name for name in _KEPT if name in found and (name != b"PLTE" or header.colour == _PALETTE)]
    pieces = [_SIGNATURE, *(piece for name in names for piece in _chunk(name, found[name]))]
    return b"".join((*pieces, *_chunk(b"IDAT", data), *_chunk(b"IEND", b"")))


def _chunks(data: memoryview) -> Iterator[tuple[bytes, memoryview]]:
    """The types and contents of chunks up to the end or to a truncation; the decoder verifies checksums."""
    at = len(_SIGNATURE)
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        yield bytes(data[at + 4 : at + 8]), data[at + 8 : at + 8 + length]
        at += 12 + length


def _chunk(name: bytes, content: bytes | memoryview) -> tuple[bytes | memoryview, ...]:
    sum_of_it = zlib.crc32(content, zlib.crc32(name))
    return struct.pack(">I", len(content)), name, content, struct.pack(">I", sum_of_it)


def _is_sound(data: bytes, length: int) -> bool:
    """Whether it is one complete, well compressed stream of this length with nothing after it."""
    if len(data) < 2 or data[1] >> 6 < _USUAL:
        return False
    stream, view, found = zlib.decompressobj(), memoryview(data), 0
    try:
        for at in range(0, len(data), _PIECE):
            rest: bytes | memoryview = view[at : at + _PIECE]
            while rest and not stream.eof:
                found += len(stream.decompress(rest, _PIECE))
                if found > length:
                    return False
                rest = stream.unconsumed_tail
            if stream.eof:
                return found == length and not stream.unused_data and at + _PIECE >= len(data)
    except zlib.error:
        return False
    return False
