"""Decompress the text of a Mobipocket book: stored, PalmDOC (LZ77) or HUFF/CDIC."""

from __future__ import annotations

import struct
from collections.abc import Callable

from engine.families.books.mobi.records import MAX_TEXT, Database, Header, damaged
from engine.toolkit.failures import OverLimit, Unreadable

_PLAIN, _PALMDOC, _HUFFMAN = 1, 2, 17480
MAX_RECORD = 200_000
"""The maximum bytes of one record, decompressed: books are written with 4,096."""
_MAX_PHRASES, _MAX_NESTED = 1_000_000, 32


def text(book: Database, header: Header) -> bytes:
    """The whole text of a book. Raises Unreadable for damage, OverLimit if it decompresses to too much."""
    unpack = _unpacker(book, header)
    parts, total = [], 0
    for number in range(header.first + 1, header.first + 1 + header.text_records):
        part = unpack(_without_trail(book.record(number), header.extra))
        total += len(part)
        if total > MAX_TEXT:
            raise OverLimit("memory", "The book's text is too long.")
        parts.append(part)
    return b"".join(parts)[: header.text_length]


def pages(book: Database, header: Header, text: bytes) -> bytes:
    """The text without the flows after it: style sheets and drawings."""
    at = header.number(192)
    if at is None or (header.number(196) or 0) < 2:
        return text
    record = book.record(at + header.first)
    if record[:4] != b"FDST" or len(record) < 20:
        return text
    return text[int.from_bytes(record[12:16], "big") : int.from_bytes(record[16:20], "big")]


def _unpacker(book: Database, header: Header) -> Callable[[bytes], bytes]:
    if header.compression == _PLAIN:
        return bytes
    if header.compression == _PALMDOC:
        return palmdoc
    if header.compression == _HUFFMAN:
        at, count = header.number(112), header.number(116) or 0
        if at is None or count < 2:
            raise damaged()
        at += header.first
        dictionaries = [book.record(each) for each in range(at + 1, at + min(count, len(book.records)))]
        return Huffman(book.record(at), dictionaries).unpack
    raise Unreadable("The book's text uses an unknown compression method.", reason="unsupported_feature")


def _without_trail(record: bytes, flags: int) -> bytes:
    """A record without its trailing entries, which state their size at their end."""
    end = len(record)
    for _ in range((flags >> 1).bit_count()):
        size = 0
        for shift, byte in enumerate(record[max(0, end - 4) : end][::-1]):
            size |= (byte & 0x7F) << (7 * shift)
            if byte & 0x80:
                break
        end -= size
    if flags & 1 and end > 0:
        end -= (record[end - 1] & 3) + 1
    return record[: max(0, end)]


def palmdoc(data: bytes) -> bytes:
    """The text of a PalmDOC-compressed record."""
    out, at, size = bytearray(), 0, len(data)
    while at < size:
        byte = data[at]
        at += 1
        if 1 <= byte <= 8:
            out += data[at : at + byte]
            at += byte
        elif byte < 0x80:
            out.append(byte)
        elif byte >= 0xC0:
            out += bytes((32, byte ^ 0x80))
        else:
            if at >= size:
                break
            pair = byte << 8 | data[at]
            at += 1
            back, length = pair >> 3 & 0x7FF, (pair & 7) + 3
            if not 0 < back <= len(out):
                raise damaged()
            start = len(out) - back
            repeated = out[start : start + length]
            out += repeated if length <= back else (repeated * length)[:length]
        if len(out) > MAX_RECORD:
            raise damaged()
    return bytes(out)


class Huffman:
    """The codes of a HUFF record and the phrases of its CDIC records, which may be compressed themselves."""

    def __init__(self, huff: bytes, dictionaries: list[bytes]) -> None:
        if huff[:4] != b"HUFF" or len(huff) < 24:
            raise damaged()
        quick, ranges = struct.unpack_from(">II", huff, 8)
        try:
            self._quick = struct.unpack_from(">256I", huff, quick)
            bounds = struct.unpack_from(">64I", huff, ranges)
        except struct.error as error:
            raise damaged() from error
        self._lowest = [0, *(bounds[2 * n] << (31 - n) for n in range(32))]
        self._highest = [0, *(((bounds[2 * n + 1] + 1) << (31 - n)) - 1 for n in range(32))]
        self._phrases: list[tuple[bytes, bool]] = []
        for each in dictionaries:
            self._learn(each)
        self._kept = 0

    def _learn(self, data: bytes) -> None:
        if data[:4] != b"CDIC" or len(data) < 16:
            raise damaged()
        total, bits = struct.unpack_from(">II", data, 8)
        count = min(1 << min(bits, 24), total - len(self._phrases))
        if not 0 <= count <= _MAX_PHRASES or 16 + 2 * count > len(data):
            raise damaged()
        for at in struct.unpack_from(f">{count}H", data, 16):
            (size,) = struct.unpack_from(">H", data.ljust(18 + at, b"\0"), 16 + at)
            start = 18 + at
            self._phrases.append((data[start : start + (size & 0x7FFF)], bool(size & 0x8000)))

    def unpack(self, data: bytes) -> bytes:
        """The text of a record."""
        return self._unpacked(data, 0)

    def _unpacked(self, data: bytes, nested: int) -> bytes:
        if nested > _MAX_NESTED:
            raise damaged()
        left, at, size = len(data) * 8, 0, 0
        out: list[bytes] = []
        bits = data + bytes(8)
        while True:
            word = int.from_bytes(bits[at >> 3 : (at >> 3) + 8], "big") >> (32 - (at & 7)) & 0xFFFFFFFF
            entry = self._quick[word >> 24]
            length, ends, most = entry & 0x1F, entry & 0x80, ((entry >> 8) + 1 << (32 - (entry & 0x1F))) - 1
            if not length:
                raise damaged()
            if not ends:
                while length < 32 and word < self._lowest[length]:
                    length += 1
                most = self._highest[length]
            at += length
            left -= length
            if left < 0:
                return b"".join(out)
            number = (most - word) >> (32 - length)
            if not 0 <= number < len(self._phrases):
                raise damaged()
            phrase, ready = self._phrases[number]
            if not ready:
                phrase = self._unpacked(phrase, nested + 1)
                self._phrases[number] = (phrase, True)
                self._kept += len(phrase)
                if self._kept > MAX_TEXT:
                    raise damaged()
            size += len(phrase)
            if size > MAX_RECORD:
                raise damaged()
            out.append(phrase)
