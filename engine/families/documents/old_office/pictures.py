"""The pictures of Office drawings in old files ([MS-ODRAW], 2.2.23 to 2.2.33)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

_HEAD = struct.Struct("<HHI")
_CONTAINER = 0xF
SHAPE_CONTAINER, SHAPE, OPTIONS = 0xF004, 0xF00A, 0xF00B
STORE, ENTRY = 0xF001, 0xF007
_DEEPEST = 60
_ENTRY_SIZE = 36
_METAFILES = {0xF01A: "emf", 0xF01B: "wmf", 0xF01C: "pict"}
_BITMAPS = {0xF01D: "jpeg", 0xF02A: "jpeg", 0xF01E: "png", 0xF01F: "dib", 0xF029: "tiff"}
_TWO_IDENTITIES = frozenset({0x3D5, 0x217, 0x543, 0x46B, 0x6E3, 0x6E1, 0x7A9, 0x6E5})
"""The instances of records with two identities of 16 bytes, not one."""
_METAFILE_HEAD = 34
_CROPS = {"t": 0x0100, "b": 0x0101, "l": 0x0102, "r": 0x0103}
_MOST_UNPACKED = 50_000_000
_MOST_IN_ALL = 500_000_000
"""The most bytes of all pictures of a file: entries may share the same one."""
_PLACEABLE = struct.Struct("<IHhhhhHI")


@dataclass(frozen=True)
class Record:
    """One record: its type, its instance, and where its content begins and ends."""

    kind: int
    instance: int
    begin: int
    end: int
    contains: bool


@dataclass(frozen=True)
class Picture:
    """The bytes of a picture, and the extension of its format."""

    data: bytes
    extension: str


def records(data: bytes, at: int, end: int) -> Iterator[Record]:
    """The records beside each other in a part of the data."""
    end = min(end, len(data))
    while at + _HEAD.size <= end:
        head, kind, size = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        yield Record(kind, head >> 4, at, min(end, at + size), head & 0xF == _CONTAINER)
        at += size


def all_records(data: bytes, at: int, end: int, depth: int = 0) -> Iterator[Record]:
    """The records in a part of the data and in its containers, each before what it contains."""
    for each in records(data, at, end):
        yield each
        if each.contains and depth < _DEEPEST:
            yield from all_records(data, each.begin, each.end, depth + 1)


def options(data: bytes, record: Record) -> dict[int, int]:
    """The properties of a shape by number ([MS-ODRAW], 2.2.7)."""
    count = min(record.instance, (record.end - record.begin) // 6)
    return {
        number & 0x3FFF: value
        for number, value in (struct.unpack_from("<HI", data, record.begin + 6 * each) for each in range(count))
    }


def store(data: bytes, record: Record, delayed: bytes) -> list[Picture | None]:
    """The pictures of a store in order, those that are elsewhere from the stream `delayed`."""
    found: list[Picture | None] = []
    room = _MOST_IN_ALL
    for each in records(data, record.begin, record.end):
        shown = None if room < 0 else entry(data, each, delayed) if each.kind == ENTRY else picture(data, each)
        room -= 0 if shown is None else len(shown.data)
        found.append(shown)
    return found


def entry(data: bytes, record: Record, delayed: bytes) -> Picture | None:
    """The picture of an entry of a store."""
    if record.end - record.begin < _ENTRY_SIZE:
        return None
    (place,) = struct.unpack_from("<I", data, record.begin + 28)
    inside = next(records(data, record.begin + _ENTRY_SIZE + data[record.begin + 33], record.end), None)
    if inside is not None:
        return picture(data, inside)
    found = next(records(delayed, place, len(delayed)), None) if place < len(delayed) else None
    return None if found is None else picture(delayed, found)


def picture(data: bytes, record: Record) -> Picture | None:
    """The picture of a record; None for one that is no picture, or damaged."""
    begin = record.begin + (32 if record.instance in _TWO_IDENTITIES else 16)
    if record.kind in _BITMAPS:
        content, extension = data[begin + 1 : record.end], _BITMAPS[record.kind]
        if extension == "dib":
            content, extension = _with_file_head(content), "bmp"
        return Picture(content, extension) if content else None
    if record.kind not in _METAFILES or begin + _METAFILE_HEAD > record.end:
        return None
    content, packed = data[begin + _METAFILE_HEAD : record.end], data[begin + 32] == 0
    if packed:
        unpacking = zlib.decompressobj()
        try:
            content = unpacking.decompress(content, _MOST_UNPACKED)
        except zlib.error:
            return None
        if unpacking.unconsumed_tail:
            return None
    extension = _METAFILES[record.kind]
    if extension == "wmf":
        content = _placeable(struct.unpack_from("<4i", data, begin + 4)) + content
    return Picture(content, extension)


def _placeable(bounds: tuple[int, ...]) -> bytes:
    """The head that a Windows metafile has as a file of its own ([MS-WMF], 2.3.2.3)."""
    left, top, right, bottom = (max(-32_768, min(each, 32_767)) for each in bounds)
    head = _PLACEABLE.pack(0x9AC6CDD7, 0, left, top, right, bottom, 1_000, 0)
    check = 0
    for (word,) in struct.iter_unpack("<H", head):
        check ^= word
    return head + check.to_bytes(2, "little")


def _with_file_head(data: bytes) -> bytes:
    if len(data) < 40:
        return b""
    size, bits, colours = (struct.unpack_from(form, data, at)[0] for form, at in (("<I", 0), ("<H", 14), ("<I", 32)))
    table = 4 * (colours if colours <= 256 and colours else 1 << bits if bits <= 8 else 0)
    return b"BM" + struct.pack("<IHHI", 14 + len(data), 0, 0, min(14 + size + table, len(data) + 14)) + data


def crop(chosen: dict[int, int]) -> dict[str, int]:
    """The crop of each side in thousandths of a percent, from fractions of 65,536."""
    found = {}
    for side, number in _CROPS.items():
        share = chosen.get(number, 0)
        if 0 < share < 0xF333:
            found[side] = round(share / 65_536 * 100_000)
    return found
