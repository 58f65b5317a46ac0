"""Count the slides of a PowerPoint 97-2003 presentation ([MS-PPT]) from its records."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import olefile

from engine.toolkit.census import Census

_SLIDE_LIST, _SLIDE_PLACE, _SHOWING = 0x0FF0, 0x03F3, 0x03F9
_OF_SLIDES = 0
"""The instance of the list that has the slides; others have masters and notes."""
_HIDDEN = 0x0004
"""The flag fHidden of a SlideShowSlideInfoAtom ([MS-PPT], 2.5.2)."""
_MOST_EDITS = 1_000
_HEAD = struct.Struct("<HHI")


def count(path: Path) -> Census:
    """Return the number of visible slides, as of the last time that the file was saved."""
    census = Census()
    with olefile.OleFileIO(str(path)) as file:
        user = file.openstream("Current User").read()
        data = file.openstream("PowerPoint Document").read()
    (last,) = struct.unpack_from("<I", user, 16)
    places, document = _places(data, last)
    slides = [
        struct.unpack_from("<I", data, at)[0]
        for kind, instance, begin, end in _records(data, *_inside(data, places[document]))
        if kind == _SLIDE_LIST and instance == _OF_SLIDES
        for inner, _, at, _ in _records(data, begin, end)
        if inner == _SLIDE_PLACE
    ]
    census.add("slides", sum(not _is_hidden(data, places[each]) for each in slides if each in places))
    return census


def _places(data: bytes, edit: int) -> tuple[dict[int, int], int]:
    """Return where the newest version of each object is, by its number, and the number of the document."""
    places: dict[int, int] = {}
    document = 0
    for _ in range(_MOST_EDITS):
        begin, _ = _inside(data, edit)
        before, directory, number = struct.unpack_from("<III", data, begin + 8)
        document = document or number
        at, end = _inside(data, directory)
        while at < end:
            (packed,) = struct.unpack_from("<I", data, at)
            first, size = packed & 0xFFFFF, packed >> 20
            for offset, place in enumerate(struct.unpack_from(f"<{size}I", data, at + 4)):
                places.setdefault(first + offset, place)
            at += 4 + 4 * size
        if not before:
            break
        edit = before
    return places, document


def _is_hidden(data: bytes, place: int) -> bool:
    return any(
        kind == _SHOWING and bool(struct.unpack_from("<H", data, begin + 10)[0] & _HIDDEN)
        for kind, _, begin, _ in _records(data, *_inside(data, place))
    )


def _inside(data: bytes, at: int) -> tuple[int, int]:
    _, _, size = _HEAD.unpack_from(data, at)
    return at + _HEAD.size, min(len(data), at + _HEAD.size + size)


def _records(data: bytes, at: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the type, the instance, the start and the end of each record."""
    while at + _HEAD.size <= end:
        head, kind, size = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        yield kind, head >> 4, at, min(end, at + size)
        at += size
