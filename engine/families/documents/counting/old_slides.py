"""Count the slides and words of a PowerPoint 97-2003 presentation ([MS-PPT]) from its records."""

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
_TEXT_HEAD, _TEXT_BOX, _OUTLINE = 0x0F9F, 0xF00D, 0x0F9E
_LETTERS = {0x0FA0: "utf-16-le", 0x0FA8: "latin-1"}
"""The records of texts, TextCharsAtom and TextBytesAtom ([MS-PPT], 2.9.42 and 2.9.43), by their encoding."""
_CONTAINERS = frozenset((_TEXT_BOX, 0x040C, 0xF002, 0xF003, 0xF004))
"""Text boxes, and what they are in: drawings, groups and shapes."""
_MOST_EDITS = 1_000
_MOST_RECORDS = 2_000_000
_HEAD = struct.Struct("<HHI")


def count(path: Path) -> Census:
    """Return the number and the words of the visible slides, as of the last time that the file was saved."""
    census = Census()
    with olefile.OleFileIO(str(path)) as file:
        user = file.openstream("Current User").read()
        data = file.openstream("PowerPoint Document").read()
    (last,) = struct.unpack_from("<I", user, 16)
    places, document = _places(data, last)
    slides = _slides(data, places[document])
    for number, texts in slides.items():
        if number not in places or _is_hidden(data, places[number]):
            continue
        census.add("slides")
        census.texts += _texts(data, *_inside(data, places[number]), texts)
    return census


def _slides(data: bytes, document: int) -> dict[int, list[str]]:
    """Return the slides by the number of their objects, with the texts that the document keeps for their outlines."""
    found: dict[int, list[str]] = {}
    for kind, instance, begin, end in _records(data, *_inside(data, document)):
        if kind != _SLIDE_LIST or instance != _OF_SLIDES:
            continue
        texts: list[str] = []
        for inner, _, at, last in _records(data, begin, end):
            if inner == _SLIDE_PLACE:
                texts = found.setdefault(struct.unpack_from("<I", data, at)[0], [])
            elif inner == _TEXT_HEAD:
                texts.append("")
            elif inner in _LETTERS and texts:
                texts[-1] = data[at:last].decode(_LETTERS[inner], "replace")
    return found


def _texts(data: bytes, begin: int, end: int, outline: list[str]) -> Iterator[str]:
    """Yield the paragraphs of a slide: those of its text boxes, and those of the outline that they refer to."""
    ahead = [(begin, end, False)]
    left = _MOST_RECORDS
    while ahead:
        begin, end, boxed = ahead.pop()
        inside = []
        for kind, _, at, last in _records(data, begin, end):
            left -= 1
            if left < 0:
                raise ValueError("too many records")
            text = ""
            if kind in _CONTAINERS:
                inside.append((at, last, boxed or kind == _TEXT_BOX))
            elif boxed and kind in _LETTERS:
                text = data[at:last].decode(_LETTERS[kind], "replace")
            elif boxed and kind == _OUTLINE and last - at >= 4:
                (index,) = struct.unpack_from("<I", data, at)
                text = outline[index] if index < len(outline) else ""
            yield from filter(None, (each.strip() for each in text.replace("\v", " ").split("\r")))
        ahead += reversed(inside)


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
