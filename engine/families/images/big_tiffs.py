"""Rewrite the directories of big-endian BigTIFFs as those of a TIFF, since Pillow reads only little-endian ones."""

from __future__ import annotations

import struct
from pathlib import Path

_MARK = b"MM\0+"
_ENTRY = struct.Struct(">HHQ8s")
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8}
_SHORTER = {16: (4, "Q", "I"), 17: (9, "q", "i"), 18: (13, "Q", "I")}
"""Types of 8 bytes that BigTIFF adds, with their counterparts in TIFF and the letters of both."""
_NESTED, _CHILDREN = (34665, 34853), 330
_MOST_DIRECTORIES = 10_000


def readable(source: Path) -> Path:
    """Return `source`, or the path of a copy as TIFF beside it if it is a big-endian BigTIFF.

    The pixels stay where they are. Raises ValueError and struct.error for a damaged file.
    """
    with source.open("rb") as file:
        head = file.read(16)
    if head[:4] != _MARK:
        return source
    data = bytearray(source.read_bytes())
    (place,) = struct.unpack_from(">Q", head, 8)
    link, seen = 4, set[int]()
    data[:4] = b"MM\0*"
    while place:
        if place in seen or len(seen) >= _MOST_DIRECTORIES:
            raise ValueError("directories in a circle")
        seen.add(place)
        written, place = _rewritten(data, place, nested=False)
        struct.pack_into(">I", data, link, written)
        link = written + 2 + 12 * struct.unpack_from(">H", data, written)[0]
    copy = source.with_name("classic.tiff")
    copy.write_bytes(data)
    return copy


def _rewritten(data: bytearray, place: int, *, nested: bool) -> tuple[int, int]:
    """Append the directory at `place` in the form of TIFF; returns where it is, and where the next one was."""
    (count,) = struct.unpack_from(">Q", data, place)
    if place + 8 + count * _ENTRY.size > len(data):
        raise ValueError("a directory is outside the file")
    entries = []
    for number in range(count):
        tag, kind, length, value = _ENTRY.unpack_from(data, place + 8 + number * _ENTRY.size)
        if kind not in _SIZES or tag == _CHILDREN:
            continue
        size = length * _SIZES[kind]
        at = struct.unpack(">Q", value)[0]
        if size > 8 and at + size > len(data):
            raise ValueError("a value is outside the file")
        found = value[:size] if size <= 8 else bytes(data[at : at + size])
        if kind in _SHORTER:
            kind, long, short = _SHORTER[kind]
            found = struct.pack(f">{length}{short}", *struct.unpack(f">{length}{long}", found))
        if tag in _NESTED and not nested and len(found) == 4:
            written, _ = _rewritten(data, struct.unpack(">I", found)[0], nested=True)
            found = struct.pack(">I", written)
        entries.append(struct.pack(">HHI", tag, kind, length) + _placed(data, found))
    (following,) = struct.unpack_from(">Q", data, place + 8 + count * _ENTRY.size)
    written = _append(data, struct.pack(">H", len(entries)) + b"".join(entries) + bytes(4))
    return written, following


def _placed(data: bytearray, value: bytes) -> bytes:
    """The value itself if it fits an entry, else its offset."""
    return value.ljust(4, b"\0") if len(value) <= 4 else struct.pack(">I", _append(data, value))


def _append(data: bytearray, value: bytes) -> int:
    data += bytes(len(data) % 2)  # offsets are even
    place = len(data)
    data += value
    return place
