"""Undo the coders of 7z archives (Methods.txt of 7-Zip)."""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from engine.families.archives import deflate64
from engine.families.archives.seven_zip import bcj2
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say

_BLOCK = 1 << 16
_FILTERS = {
    b"\x03": 3, b"\x04": 4, b"\x05": 5, b"\x06": 6, b"\x07": 7, b"\x08": 8, b"\x09": 9, b"\x0a": 10, b"\x0b": 11,
    b"\x03\x03\x01\x03": 4, b"\x03\x03\x02\x05": 5, b"\x03\x03\x04\x01": 6, b"\x03\x03\x05\x01": 7,
    b"\x03\x03\x07\x01": 8, b"\x03\x03\x08\x05": 9,
}  # fmt: skip
"""Delta and the branch filters of x86, PowerPC, Itanium, ARM, Thumb, SPARC, ARM64 and RISC-V, as .xz numbers them."""
_PPMD = b"\x03\x04\x01"
_BCJ2 = b"\x03\x03\x01\x1b"
BROKEN = (struct.error, IndexError, ValueError, OverflowError, EOFError, lzma.LZMAError, zlib.error, OSError)
"""The errors of readers and unpackers for a damaged archive."""


def inputs(name: bytes) -> int:
    """The streams that a coder reads. Raises Unreadable for PPMd: damaged streams crash its libraries."""
    if name == _PPMD:
        raise Unreadable(
            say("The archive is compressed with {unread}, which is not supported. Use LZMA2.", unread="PPMd"),
            reason="unsupported_feature",
        )
    return 4 if name == _BCJ2 else 1


def decoded(streams: list[Iterator[bytes]], name: bytes, properties: bytes, size: int) -> Iterator[bytes]:
    """Unpack the streams with a coder, to at most `size` bytes, or more by a block.

    Raises one of BROKEN, at once or on the way, for damaged streams, Unreadable for a coder that is not read.
    """
    stream = streams[0]
    if name in (b"", b"\0"):  # a copy
        return stream
    if name == _BCJ2:
        return bcj2.joined(streams, size)
    if name == b"\x04\x01\x09":
        return deflate64.unpacked(stream)
    if name == b"\x21":
        bits = properties[0]
        dictionary = 0xFFFFFFFF if bits == 40 else (2 | bits & 1) << bits // 2 + 11
        return _lzma(stream, {"id": lzma.FILTER_LZMA2, "dict_size": max(4096, dictionary)}, size)
    if name == b"\x03\x01\x01":
        kind, dictionary = struct.unpack("<BI", properties[:5])
        filter = {"id": lzma.FILTER_LZMA1, "dict_size": max(4096, dictionary), "lc": kind % 9, "lp": kind // 9 % 5}
        return _lzma(stream, {**filter, "pb": kind // 45}, size)
    if name in _FILTERS:
        # Only Delta has properties that .xz knows; others may begin at an address, which 7-Zip never writes.
        return _filtered(stream, _FILTERS[name], properties if name == b"\x03" else b"", size)
    if name == b"\x04\x02\x02":
        return _with(stream, bz2.BZ2Decompressor(), size, again=bz2.BZ2Decompressor)
    if name == b"\x04\x01\x08":
        return _deflate(stream, size)
    if name == b"\x04\xf7\x11\x01":
        return _zstandard(stream, size)
    raise unread()


def unread() -> Unreadable:
    return Unreadable(
        "The archive uses an unsupported compression method. Compress it with LZMA2.", reason="unsupported_feature"
    )


def _lzma(stream: Iterator[bytes], filter: dict[str, Any], size: int) -> Iterator[bytes]:
    return _with(stream, lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[filter]), size)


def _filtered(stream: Iterator[bytes], number: int, properties: bytes, size: int) -> Iterator[bytes]:
    """The bytes through one filter of liblzma, whose older versions lack ARM64 (before 5.4) or RISC-V (before 5.6).

    Python's raw decoder knows neither; a block of .xz names any filter by its number (.xz file format, 3.1).
    """
    block = bytes([1, number, len(properties)]) + properties + b"\x21\x01\x08"
    block = bytes([(len(block) + 4) // 4]) + block
    block += bytes(-len(block) % 4)
    flags = bytes(2)
    head = b"\xfd7zXZ\0" + flags + struct.pack("<I", zlib.crc32(flags)) + block + struct.pack("<I", zlib.crc32(block))
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    try:
        unpacker.decompress(head)
    except lzma.LZMAError as error:
        raise unread() from error
    return _with(_stored(stream), unpacker, size)


def _with(stream: Iterator[bytes], unpacker: Any, size: int, again: Callable[[], Any] | None = None) -> Iterator[bytes]:
    left = size
    data = b""
    while left > 0:
        if unpacker.eof:
            if again is None:
                break
            data, unpacker = unpacker.unused_data, again()
        if unpacker.needs_input and not data:
            data = next(stream, b"")
            if not data:
                break
        block = unpacker.decompress(data, min(left, _BLOCK))
        data = b""
        left -= len(block)
        yield block


def _deflate(stream: Iterator[bytes], size: int) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(-15)
    for data in stream:
        while data and size > 0:
            block = unpacker.decompress(data, min(size, _BLOCK))
            size -= len(block)
            data = unpacker.unconsumed_tail
            yield block


def _zstandard(stream: Iterator[bytes], size: int) -> Iterator[bytes]:
    from backports import zstd

    try:
        yield from _with(stream, zstd.ZstdDecompressor(), size, again=zstd.ZstdDecompressor)
    except zstd.ZstdError as error:
        raise ValueError from error


def _stored(stream: Iterator[bytes]) -> Iterator[bytes]:
    """The bytes as an LZMA2 stream of stored chunks, so that a filter can be run on its own to its end."""
    kind = 1
    for block in stream:
        for at in range(0, len(block), _BLOCK):
            piece = block[at : at + _BLOCK]
            yield struct.pack(">BH", kind, len(piece) - 1) + piece
            kind = 2
    yield b"\0"
