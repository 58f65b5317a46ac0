"""Parse TIFF directories: of TIFF and BigTIFF, and of Exif data in other formats (TIFF 6.0, Exif 2.32)."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine.families.images.counting.traits import Traits, has_colour

_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8}
_INTEGERS = {1: "B", 3: "H", 4: "I", 13: "I", 16: "Q", 18: "Q"}
_MOST_DIRECTORIES, _MOST_ENTRIES = 10_000, 200_000
"""Limits for a file; no reader uses more."""
_REDUCED = 1
_EXIF, _GPS, _NOTES = 34665, 34853, 37500
_NOTES_HEADS, _MOST_NOTES = (0, 6, 8, 10, 12), 500
"""Lengths of a maker's name before the directory of its notes, and more entries than one has."""
_TELLING = {
    269: "DocumentName", 270: "ImageDescription", 271: "Make", 272: "Model", 285: "PageName", 305: "Software",
    306: "DateTime", 315: "Artist", 316: "HostComputer", 18246: "Rating", 33432: "Copyright", 33550: "GeoTIFF scale",
    33922: "GeoTIFF points", 34264: "GeoTIFF place", 34735: "GeoTIFF keys", 40091: "XPTitle", 40092: "XPComment",
    40093: "XPAuthor", 40094: "XPKeywords", 40095: "XPSubject", 42112: "GDAL",
}  # fmt: skip
"""Tags of the first directory whose information is not in the pixels."""
_OF_THE_FILE = frozenset({40962, 40963, 40965})
"""Exif tags that follow from the file: sizes, and a pointer."""


@dataclass(frozen=True)
class _Entry:
    kind: int
    count: int
    value: bytes
    place: int

    def numbers(self, order: str) -> tuple[int, ...]:
        letter = _INTEGERS.get(self.kind)
        return struct.unpack(f"{order}{self.count}{letter}", self.value) if letter else ()

    def ratio(self, order: str) -> float:
        if self.kind != 5 or not self.count:
            return float(next(iter(self.numbers(order)), 0))
        above, below = struct.unpack_from(f"{order}II", self.value)
        return above / below if below else 0.0


Directory = dict[int, _Entry]


class Tags:
    """The directories of a TIFF structure; raises ValueError for other data."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.entries = 0
        self.order = {b"II": "<", b"MM": ">"}.get(data[:2], "")
        if not self.order or len(data) < 8:
            raise ValueError("not a TIFF")
        self.big = struct.unpack_from(f"{self.order}H", data, 2)[0] == 43
        self.first = int(
            struct.unpack_from(*((f"{self.order}Q", data, 8) if self.big else (f"{self.order}I", data, 4)))[0]
        )

    def chain(self) -> Iterator[Directory]:
        """Yield the directories in order."""
        at, seen = self.first, set[int]()
        while at and at not in seen and len(seen) < _MOST_DIRECTORIES:
            seen.add(at)
            try:
                directory, at = self.directory(at)
            except struct.error:
                return
            yield directory

    def directory(self, at: int) -> tuple[Directory, int]:
        """Return the entries of the directory at an offset, without damaged ones, and the offset of the next."""
        head, row, room = ("Q", "HHQ", 8) if self.big else ("H", "HHI", 4)
        (count,) = struct.unpack_from(self.order + head, self.data, at)
        at += struct.calcsize(f"={head}")
        self.entries += count
        if self.entries > _MOST_ENTRIES:
            raise ValueError("too many entries")
        found: Directory = {}
        for _ in range(count):
            tag, kind, number = struct.unpack_from(self.order + row, self.data, at)
            place = at + struct.calcsize(f"={row}")
            length = _SIZES.get(kind, 0) * number
            if length > room:
                (place,) = struct.unpack_from(self.order + ("Q" if self.big else "I"), self.data, place)
            at += struct.calcsize(f"={row}") + room
            if length and place + length <= len(self.data):
                found.setdefault(tag, _Entry(kind, number, self.data[place : place + length], place))
        following = (
            struct.unpack_from(self.order + ("Q" if self.big else "I"), self.data, at)[0]
            if at + room <= len(self.data)
            else 0
        )
        return found, int(following)

    def nested(self, directory: Directory, tag: int) -> Directory:
        """Return the directory that an entry points to; empty if there is none."""
        entry = directory.get(tag)
        places = entry.numbers(self.order) if entry else ()
        try:
            return self.directory(places[0])[0] if places else {}
        except struct.error:
            return {}

    def note_exif(self, directory: Directory, traits: Traits) -> None:
        """Count the fields of a first directory and of those nested in it."""
        told = [_TELLING[tag] for tag, each in directory.items() if tag in _TELLING and each.value.strip(b"\0 ")]
        details = self.nested(directory, _EXIF)
        if _NOTES in details and _tied(details[_NOTES]):
            traits.exif[f"maker notes at {details[_NOTES].place}"] += 1
        exif = (tag for tag in details if tag not in _OF_THE_FILE)
        gps = self.nested(directory, _GPS)
        traits.exif |= Counter([*told, *(f"Exif {tag}" for tag in exif), *(f"GPS {tag}" for tag in gps)])

    def note_dpi(self, directory: Directory, traits: Traits) -> None:
        across, down = (directory[tag].ratio(self.order) if tag in directory else 0.0 for tag in (282, 283))
        unit = next(iter(directory[296].numbers(self.order)), 2) if 296 in directory else 2
        if unit in (2, 3):
            scale = 2.54 if unit == 3 else 1.0
            traits.note_dpi(across * scale, (down or across) * scale)


def _tied(notes: _Entry) -> bool:
    """Return whether values in a maker's notes are at offsets from the start of the data."""
    for head in _NOTES_HEADS:
        for order in "<>":
            rows = notes.value[head + 2 :]
            (count,) = struct.unpack(order + "H", notes.value[head : head + 2].rjust(2, b"\0"))
            if not 1 <= count <= _MOST_NOTES or len(rows) < 12 * count:
                continue
            entries = list(struct.iter_unpack(order + "HHII", rows[: 12 * count]))
            if all(kind in _SIZES for _, kind, _, _ in entries):
                places = [place for _, kind, number, place in entries if _SIZES[kind] * number > 4]
                return bool(places) and min(places) >= notes.place
    return False


def exif(data: bytes, traits: Traits) -> None:
    """Count the fields of Exif data, with or without its prefix."""
    try:
        tags = Tags(data.removeprefix(b"Exif\0\0"))
    except (ValueError, struct.error):
        return
    for directory in tags.chain():
        tags.note_exif(directory, traits)
        tags.note_dpi(directory, traits)
        return


def tiff(data: bytes) -> Traits:
    """Return the traits of a TIFF: the largest count of each kind over its pages."""
    tags, whole = Tags(data), Traits(pages=0, colours=0, bits=0)
    for directory in tags.chain():
        order = tags.order
        kind = next(iter(directory[254].numbers(order)), 0) if 254 in directory else 0
        if kind & _REDUCED and whole.pages:
            continue
        whole.pages += 1
        samples = next(iter(directory[277].numbers(order)), 1) if 277 in directory else 1
        look = next(iter(directory[262].numbers(order)), 1) if 262 in directory else 1
        extra = directory[338].numbers(order) if 338 in directory else ()
        bits = max(directory[258].numbers(order), default=1) if 258 in directory else 1
        if look == 3:
            table = directory[320].value if 320 in directory else b""
            third = len(table) // 3
            mixed = bytes(
                each
                for row in zip(table[:third], table[third : 2 * third], table[2 * third :], strict=False)
                for each in row
            )
            colours, bits = (3 if has_colour(mixed) else 1), 8
        else:
            colours = 1 if look in (0, 1) else max(3, samples - len(extra)) if look == 5 else 3
        whole.colours = max(whole.colours, colours)
        whole.others = max(whole.others, sum(each not in (1, 2) for each in extra))
        whole.bits = max(whole.bits, bits)
        whole.clear |= any(each in (1, 2) for each in extra)
        if 34675 in directory:
            whole.note_profile(directory[34675].value)
        if 700 in directory:
            whole.note_xmp(directory[700].value)
        whole.iptc += 33723 in directory or (34377 in directory and b"8BIM\4\4" in directory[34377].value)
        tags.note_exif(directory, whole)
        tags.note_dpi(directory, whole)
    return whole
