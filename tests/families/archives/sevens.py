"""7z archives by other coders than LZMA: written here, as the suite has no library that writes them."""

from __future__ import annotations

import hashlib
import lzma
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

LZMA = {"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16, "lc": 3, "lp": 0, "pb": 2}
LZMA_CODER = b"\3\1\1", struct.pack("<BI", 93, 1 << 16)
LZMA2 = {"id": lzma.FILTER_LZMA2, "dict_size": 1 << 16}
LZMA2_CODER = b"\x21", b"\x08"
BCJ2_CODER = b"\3\3\1\x1b", b""
DEFLATE64_CODER = b"\4\1\x09", b""
PPMD_CODER = b"\3\4\1", struct.pack("<BI", 6, 1 << 24)
ROUNDS = 10
"""The power of two of the rounds of a key, where a test needs no more."""


@dataclass(frozen=True)
class Packed:
    """Streams, and how to unpack them: coders and how many inputs each has, the size of each coder's output, pairs of
    an input and an output, the inputs that the streams are for."""

    streams: Sequence[bytes]
    coders: Sequence[tuple[bytes, bytes, int]]
    sizes: Sequence[int]
    pairs: Sequence[tuple[int, int]] = ()
    inputs: Sequence[int] = ()


def number(value: int) -> bytes:
    return b"\xff" + struct.pack("<Q", value) if value > 127 else bytes([value])


def archive(files: Sequence[tuple[str, bytes]], packed: Packed, header: Packed | None = None) -> bytes:
    """A 7z of these files, packed as one; `header` is how its list is packed, which `listing` returns."""
    streams = b"".join(packed.streams)
    head = listing(files, packed)
    if header is not None:
        unpacked, behind = head, b"".join(header.streams)
        head = b"\x17" + _streams(header, len(streams))
        head += b"\x0a\1" + struct.pack("<I", zlib.crc32(unpacked)) + b"\0\0"
        streams += behind
    start = struct.pack("<QQI", len(streams), len(head), zlib.crc32(head))
    return b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack("<I", zlib.crc32(start)) + start + streams + head


def listing(files: Sequence[tuple[str, bytes]], packed: Packed) -> bytes:
    """The list of the files."""
    head = b"\1\4" + _streams(packed, 0) + b"\0"
    head += b"\x08\x0d" + number(len(files)) + b"\x09" + b"".join(number(len(data)) for _, data in files[:-1])
    head += b"\x0a\1" + b"".join(struct.pack("<I", zlib.crc32(data)) for _, data in files) + b"\0\0"
    names = b"\0" + b"".join(f"{name}\0".encode("utf-16-le") for name, _ in files)
    return head + b"\5" + number(len(files)) + b"\x11" + number(len(names)) + names + b"\0\0"


def _streams(packed: Packed, start: int) -> bytes:
    head = b"\6" + number(start) + number(len(packed.streams)) + b"\x09"
    head += b"".join(number(len(each)) for each in packed.streams) + b"\0"
    head += b"\7\x0b\1\0" + number(len(packed.coders))
    for name, properties, inputs in packed.coders:
        flags = len(name) | 0x20 * bool(properties) | 0x10 * (inputs != 1)
        head += bytes([flags]) + name + (number(inputs) + b"\1" if inputs != 1 else b"")
        head += number(len(properties)) + properties if properties else b""
    head += b"".join(number(each) + number(other) for each, other in packed.pairs)
    head += b"".join(map(number, packed.inputs))
    return head + b"\x0c" + b"".join(map(number, packed.sizes))


def lzma_of(data: bytes) -> bytes:
    return lzma.compress(data, lzma.FORMAT_RAW, filters=[LZMA])


def programs(data: bytes) -> Packed:
    """As 7-Zip packs programs: BCJ2, its first three streams with LZMA."""
    *whole, bits = split(data)
    return Packed(
        [*map(lzma_of, whole), bits],
        [(*BCJ2_CODER, 4), *[(*LZMA_CODER, 1)] * 3],
        [len(data), *map(len, whole)],
        [(0, 1), (1, 2), (2, 3)],
        [4, 5, 6, 3],
    )


def locked(
    data: bytes, password: str, *, power: int = ROUNDS, salt: bytes = b"", vector: bytes = b"initial!"
) -> Packed:
    """As 7-Zip packs with a password: LZMA2, and then AES-256 in CBC with a key from SHA-256."""
    inner = lzma.compress(data, lzma.FORMAT_RAW, filters=[LZMA2])
    first = power | 0x80 * bool(salt) | 0x40 * bool(vector)
    lengths = max(len(salt) - 1, 0) << 4 | max(len(vector) - 1, 0)
    coder = b"\x06\xf1\x07\x01", bytes([first, lengths]) + salt + vector, 1
    secret = salt + password.encode("utf-16-le")
    key = secret[:32].ljust(32, b"\0")
    if power <= 24:
        key = hashlib.sha256(b"".join(secret + struct.pack("<Q", at) for at in range(1 << power))).digest()
    cipher = Cipher(algorithms.AES(key), modes.CBC(vector.ljust(16, b"\0"))).encryptor()
    stream = cipher.update(inner + bytes(-len(inner) % 16)) + cipher.finalize()
    return Packed([stream], [coder, (*LZMA2_CODER, 1)], [len(inner), len(data)], [(1, 0)])


def split(data: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    """The four streams of BCJ2; the targets whose highest byte is 0, 0F or FF are moved."""
    main, calls, jumps, bits = bytearray(), bytearray(), bytearray(), _Encoder()
    at = before = 0
    while at < len(data):
        byte = data[at]
        main.append(byte)
        at += 1
        if (byte & 0xFE == 0xE8 or (before == 0x0F and byte & 0xF0 == 0x80)) and at < len(data):
            kind = before if byte == 0xE8 else 256 if byte == 0xE9 else 257
            moved = at + 4 <= len(data) and data[at + 3] in (0, 0x0F, 0xFF)
            bits.add(kind, moved)
            if moved:
                target = (int.from_bytes(data[at : at + 4], "little") + at + 4) & 0xFFFFFFFF
                (calls if byte == 0xE8 else jumps).extend(target.to_bytes(4, "big"))
                at += 4
                byte = data[at - 1]
        before = byte
    return bytes(main), bytes(calls), bytes(jumps), bits.end()


def long_repeats(count: int) -> tuple[int, bytes]:
    """How many bytes come out of a stream of Deflate64 of an `a` and repeats of the greatest length, and the stream."""
    bits = [1, 1, 0, *_from_the_left(0x30 + ord("a"), 8)]
    bits += [*_from_the_left(0b11000101, 8), *[1] * 16, *_from_the_left(0, 5)] * count + [0] * 7
    return 1 + 65_538 * count, _bytes(bits)


def far_repeats() -> tuple[bytes, bytes]:
    """Bytes, and a stream of Deflate64 of them with what Deflate lacks: a length of 60,000 and a distance of 60,002."""
    bits = [1, 1, 0]  # the last block, with the codes that are fixed
    for value, length in ((0x30 + ord("b"), 8), (0x30 + ord("a"), 8), (0b11000101, 8)):
        bits += _from_the_left(value, length)
    bits += [59_997 >> at & 1 for at in range(16)] + _from_the_left(0, 5)
    bits += _from_the_left(1, 7) + _from_the_left(31, 5) + [(60_002 - 49_153) >> at & 1 for at in range(14)]
    return b"b" + b"a" * 60_001 + b"baa", _bytes([*bits, *[0] * 7])


def _bytes(bits: list[int]) -> bytes:
    return bytes(sum(bit << at for at, bit in enumerate(bits[first : first + 8])) for first in range(0, len(bits), 8))


def _from_the_left(value: int, length: int) -> list[int]:
    return [value >> at & 1 for at in reversed(range(length))]


class _Encoder:
    """A range encoder of bits with probabilities that follow them."""

    def __init__(self) -> None:
        self._low, self._range, self._chances, self._out = 0, 0xFFFFFFFF, [1024] * 258, bytearray(1)

    def add(self, kind: int, bit: bool) -> None:
        chance = self._chances[kind]
        bound = (self._range >> 11) * chance
        if bit:
            self._low += bound
            self._range -= bound
            self._chances[kind] -= chance >> 5
        else:
            self._range = bound
            self._chances[kind] += (2048 - chance) >> 5
        while self._range < 1 << 24:
            self._range <<= 8
            self._shift()

    def _shift(self) -> None:
        """Write the highest byte, with the carry in those before it."""
        if self._low >> 32:
            at = len(self._out) - 1
            while self._out[at] == 0xFF:
                self._out[at] = 0
                at -= 1
            self._out[at] += 1
        self._out.append(self._low >> 24 & 0xFF)
        self._low = (self._low & 0xFFFFFF) << 8

    def end(self) -> bytes:
        for _ in range(4):
            self._shift()
        return bytes(self._out)
