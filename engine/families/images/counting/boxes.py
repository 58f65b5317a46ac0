"""Count pictures in box formats: AVIF, HEIC, JPEG 2000, JPEG XL (ISO/IEC 14496-12, 23008-12, 15444-1, 18181-2)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.families.images.counting import tags
from engine.families.images.counting.traits import Traits

_WITH_CHILDREN = frozenset({b"moov", b"trak", b"mdia", b"minf", b"stbl", b"iprp", b"ipco", b"jp2h", b"res "})
_PICTURES = frozenset({b"av01", b"hvc1", b"grid", b"iovl", b"iden", b"jpeg", b"unci"})
_UUID_XMP = bytes.fromhex("BE7ACFCB97A942E89C71999491E3AFAC")
_UUID_EXIF = b"JpgTiffExif->JP2"
_MOST_BOXES, _DEEPEST = 100_000, 8

Box = tuple[bytes, bytes]


def boxes(data: bytes) -> Iterator[Box]:
    """Yield the type and the content of each box in `data`."""
    at = count = 0
    while at + 8 <= len(data) and count < _MOST_BOXES:
        length, kind = struct.unpack_from(">I4s", data, at)
        head = 8
        if length == 1 and at + 16 <= len(data):
            (length,), head = struct.unpack_from(">Q", data, at + 8), 16
        elif length == 0:
            length = len(data) - at
        if length < head:
            return
        yield kind, data[at + head : at + length]
        at += length
        count += 1


def _deep(data: bytes, depth: int = 0) -> Iterator[Box]:
    for kind, body in boxes(data):
        yield kind, body
        if kind in _WITH_CHILDREN and depth < _DEEPEST:
            yield from _deep(body, depth + 1)


@dataclass
class _Items:
    """The items of a `meta` box."""

    primary: int = 0
    kinds: dict[int, bytes] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)
    links: list[tuple[bytes, int, tuple[int, ...]]] = field(default_factory=list)
    properties: list[Box] = field(default_factory=list)
    of: dict[int, list[int]] = field(default_factory=dict)
    places: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    mimes: dict[int, bytes] = field(default_factory=dict)
    inside: bytes = b""

    def held(self, item: int) -> Iterator[Box]:
        return (self.properties[each - 1] for each in self.of.get(item, ()) if 0 < each <= len(self.properties))


def isobmff(data: bytes) -> Traits:
    """Parse AVIF and HEIC: the primary picture with its auxiliary items, and further pictures."""
    found = Traits()
    for kind, body in boxes(data):
        if kind == b"meta":
            _items(_read_items(body[4:]), data, found)
        elif kind == b"moov":
            found.frames = max(found.frames, _frames(body))
    return found


def _items(items: _Items, data: bytes, found: Traits) -> None:
    parts = {each for kind, _, to in items.links if kind == b"dimg" for each in to}
    beside = {source for kind, source, _ in items.links if kind in (b"thmb", b"auxl")}
    kinds = items.kinds
    shown = [each for each, kind in kinds.items() if kind in _PICTURES and each not in items.hidden | parts | beside]
    found.pages = max(1, len(shown))
    found.gains = sum(kind == b"tmap" for kind in kinds.values())
    grid = [each for kind, source, to in items.links if kind == b"dimg" and source == items.primary for each in to[:1]]
    for kind, body in (*items.held(items.primary), *(box for each in grid for box in items.held(each))):
        _property(kind, body, found)
    for source in beside:
        for kind, body in items.held(source):
            if kind == b"auxC":
                name = body[4:].partition(b"\0")[0]
                found.clear |= name.endswith((b":auxiliary:alpha", b":auxid:1"))
                found.gains = found.gains or int(name.endswith(b"hdrgainmap"))
    for item, kind in kinds.items():
        if kind == b"Exif":
            body = _content(items, item, data)
            tags.exif(body[4 + int.from_bytes(body[:4], "big") :], found)
        elif kind == b"mime" and items.mimes.get(item) == b"application/rdf+xml":
            found.note_xmp(_content(items, item, data))


def _property(kind: bytes, body: bytes, found: Traits) -> None:
    if kind == b"pixi":
        found.bits = max(found.bits, *body[5 : 5 + body[4]], 0)
        found.colours = 1 if body[4] == 1 else 3
    elif kind == b"av1C":
        found.bits = max(found.bits, 8 if not body[2] & 0x40 else 12 if body[2] & 0x20 else 10)
    elif kind == b"hvcC":
        found.bits = max(found.bits, 8 + (body[17] & 7))
    elif kind == b"colr" and body[:4] in (b"prof", b"rICC"):
        found.note_profile(body[4:])
    elif kind == b"colr" and body[:4] == b"nclx":
        found.note_code_points(*struct.unpack_from(">HH", body, 4))


def _read_items(data: bytes) -> _Items:
    items = _Items()
    for kind, body in boxes(data):
        wide = body[:1] != b"\0"
        if kind == b"pitm":
            items.primary = int.from_bytes(body[4:8] if wide else body[4:6], "big")
        elif kind == b"iinf":
            for _, entry in boxes(body[8 if wide else 6 :]):
                long = entry[0] > 2
                item = int.from_bytes(entry[4:8] if long else entry[4:6], "big")
                rest = entry[8 if long else 6 :]
                items.kinds[item] = rest[2:6]
                if entry[3] & 1:
                    items.hidden.add(item)
                if rest[2:6] == b"mime":
                    items.mimes[item] = rest[6:].split(b"\0")[1] if rest[6:].count(b"\0") > 1 else b""
        elif kind == b"iref":
            size = 4 if wide else 2
            for link, entry in boxes(body[4:]):
                numbers = [
                    int.from_bytes(entry[at : at + size], "big") for at in (0, *range(size + 2, len(entry), size))
                ]
                items.links.append((link, numbers[0], tuple(numbers[1:])))
        elif kind == b"iprp":
            for inner, content in boxes(body):
                if inner == b"ipco":
                    items.properties = list(boxes(content))
                elif inner == b"ipma":
                    _associations(content, items)
        elif kind == b"iloc":
            _locations(body, items)
        elif kind == b"idat":
            items.inside = body
    return items


def _associations(data: bytes, items: _Items) -> None:
    size, step = (4 if data[0] else 2), (2 if data[3] & 1 else 1)
    at = 8
    for _ in range(int.from_bytes(data[4:8], "big")):
        item, count = int.from_bytes(data[at : at + size], "big"), data[at + size]
        at += size + 1
        mask = 0x7FFF if step == 2 else 0x7F
        items.of[item] = [
            int.from_bytes(data[at + step * each : at + step * (each + 1)], "big") & mask for each in range(count)
        ]
        at += step * count


def _locations(data: bytes, items: _Items) -> None:
    version = data[0]
    offset, length, base, index = data[4] >> 4, data[4] & 15, data[5] >> 4, data[5] & 15 if version else 0
    wide = 4 if version == 2 else 2
    at = 6 + wide

    def number(size: int) -> int:
        nonlocal at
        at += size
        return int.from_bytes(data[at - size : at], "big")

    for _ in range(int.from_bytes(data[6 : 6 + wide], "big")):
        if at >= len(data):
            return
        item = number(wide)
        method = number(2) & 15 if version else 0
        number(2)
        start = number(base)
        spans = []
        for _ in range(min(number(2), len(data))):
            number(index)
            place = number(offset)
            spans.append((start + place, number(length)))
        items.places[item] = [(-1 - a, b) for a, b in spans] if method == 1 else spans


def _content(items: _Items, item: int, data: bytes) -> bytes:
    """Return the bytes of an item; a negative offset is in the `idat` box."""
    spans = items.places.get(item, ())
    return b"".join(data[a : a + b] if a >= 0 else items.inside[-1 - a : -1 - a + b] for a, b in spans)


def _frames(movie: bytes) -> int:
    """Return the largest number of pictures of a track."""
    counts = [1]
    for kind, body in boxes(movie):
        if kind == b"trak":
            inside = dict(_deep(body))
            if inside.get(b"hdlr", b"")[8:12] == b"pict" and len(inside.get(b"stsz", b"")) >= 12:
                counts.append(int.from_bytes(inside[b"stsz"][8:12], "big"))
    return max(counts)


def jpeg2000(data: bytes) -> Traits:
    """Parse JPEG 2000, in boxes or as a bare codestream."""
    found = Traits()
    if data[:4] == b"\xff\x4f\xff\x51":
        parts = int.from_bytes(data[40:42], "big")
        found.bits, found.colours = 1 + max(each & 0x7F for each in data[42 : 42 + 3 * parts : 3]), min(parts, 3)
        return found
    indexed = False
    for kind, body in _deep(data):
        if kind == b"ihdr":
            parts = int.from_bytes(body[8:10], "big")
            found.bits = 1 + (body[10] & 0x7F) if body[10] != 0xFF else 8
            found.colours = 1 if parts < 3 else 3
        elif kind == b"pclr":
            indexed = True
            found.colours, found.bits = 3, 8
        elif kind == b"cdef":
            rows = (struct.unpack_from(">HHH", body, 2 + 6 * each) for each in range((len(body) - 2) // 6))
            sorts = [sort for _, sort, _ in rows]
            found.clear = 1 in sorts or 2 in sorts
            found.colours = found.colours if indexed else max(1, sorts.count(0))
            found.others = sorts.count(0xFFFF)
        elif kind == b"colr" and body[:1] in (b"\2", b"\3"):
            found.note_profile(body[3:])
        elif kind in (b"resc", b"resd") and len(body) >= 10:
            a, b, c, d, e, f = struct.unpack_from(">HHHHbb", body)
            if b and d:
                found.note_dpi(c / d * 10.0**f * 0.0254, a / b * 10.0**e * 0.0254)
        elif kind == b"uuid" and body[:16] == _UUID_XMP:
            found.note_xmp(body[16:])
        elif kind == b"uuid" and body[:16] == _UUID_EXIF:
            tags.exif(body[16:], found)
    return found


def jpegxl(data: bytes) -> Traits:
    """Parse the metadata boxes of JPEG XL; the header of the picture is not read."""
    found = Traits()
    if data[:2] == b"\xff\x0a":
        return found
    for kind, body in boxes(data):
        if kind == b"Exif":
            tags.exif(body[4 + int.from_bytes(body[:4], "big") :], found)
        elif kind == b"xml ":
            found.note_xmp(body)
        elif kind == b"jhgm":
            found.gains = 1
    return found
