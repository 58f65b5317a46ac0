"""Read the tags of FLAC and Ogg files, which may have one name several times (Vorbis I, 5; RFC 9639, 8.6)."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

Tags = list[tuple[str, str]]

MOST = 4_000_000
"""Bytes of a file that are looked at: tags stand at its start, but for a picture they are a few kilobytes."""
_NAMES, _PICTURE = 4, "METADATA_BLOCK_PICTURE"
_HEADS = (b"\x03vorbis", b"OpusTags")
_PAGE = struct.Struct("<4sBBqIIIB")


_TOTALS = (("track", "TRACKNUMBER", ("TRACKTOTAL", "TOTALTRACKS")), ("disc", "DISCNUMBER", ("DISCTOTAL", "TOTALDISCS")))


def read(path: Path) -> Tags:
    """Return the names, in capitals, and values of a file's tags in order, without pictures; none of other formats."""
    with path.open("rb") as file:
        data = file.read(MOST)
    if data[:4] == b"fLaC":
        block = next((content for kind, content in _blocks(data) if kind == _NAMES), b"")
    elif data[:4] == b"OggS":
        block = _second_packet(data)
        block = block[4:] if block[:1] in (b"\x04", b"\x84") else _headless(block)
    else:
        return []
    found = (each.partition("=") for each in _comments(block))
    return [(name.upper(), value) for name, divided, value in found if divided and name.upper() != _PICTURE]


def repeated(tags: Tags) -> Counter[str]:
    """Return the names that have several values, with how many each has beyond the first."""
    return Counter(name for name, _ in tags) - Counter({name for name, _ in tags})


def totals(tags: Tags) -> dict[str, str]:
    """Return the tags in which other formats have a number and a total, such as 3/12, and empty ones for the totals."""
    found: dict[str, str] = {}
    for name, number, names in _TOTALS:
        given = [value for each, value in tags if each == number]
        counted = [(each, value) for each, value in tags if each in names]
        if len(given) == 1 and given[0].isdecimal() and counted and counted[0][1].isdecimal():
            found |= {name: f"{given[0]}/{counted[0][1]}"} | {each: "" for each, _ in counted}
    return found


def _blocks(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 4
    while at + 4 <= len(data):
        size = int.from_bytes(data[at + 1 : at + 4], "big")
        yield data[at] & 0x7F, data[at + 4 : at + 4 + size]
        if data[at] & 0x80:
            return
        at += 4 + size


def _second_packet(data: bytes) -> bytes:
    """The second packet of the first stream (RFC 3533, 6), as far as it is there."""
    at, number, packet, serial = 0, 0, bytearray(), None
    while data[at : at + 4] == b"OggS" and at + _PAGE.size <= len(data):
        *_, own, _, _, count = _PAGE.unpack_from(data, at)
        serial = own if serial is None else serial
        sizes = data[at + _PAGE.size : at + _PAGE.size + count]
        at += _PAGE.size + count
        for size in sizes:
            if own == serial and number == 1:
                packet += data[at : at + size]
            at += size
            if own == serial and size < 255:
                number += 1
                if number == 2:
                    return bytes(packet)
    return bytes(packet)


def _headless(packet: bytes) -> bytes:
    return next((packet[len(head) :] for head in _HEADS if packet.startswith(head)), b"")


def _comments(block: bytes) -> Iterator[str]:
    try:
        at = 4 + struct.unpack_from("<I", block)[0]
        count = struct.unpack_from("<I", block, at)[0]
        at += 4
        for _ in range(count):
            size = struct.unpack_from("<I", block, at)[0]
            if at + 4 + size > len(block):
                return
            yield block[at + 4 : at + 4 + size].decode("utf-8", "replace")
            at += 4 + size
    except struct.error:  # cut off, or damaged
        return
