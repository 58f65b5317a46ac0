"""The records of a PowerPoint presentation of 97 to 2003 ([MS-PPT], 2.1 and 2.3): its objects and their texts."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.families.documents.old_office.compound import PROTECTED, Compound
from engine.families.documents.old_office.pictures import STORE, Picture, Record, all_records, records, store
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say

_LOCKED = 0xF3D1C4DF
_USER_EDIT, _LOCKED_EDIT = 0x0FF5, 32
_MOST_EDITS, _MOST_OBJECTS = 1_000, 200_000
_MOST_SLIDES = 5_000
_LIST, _PLACE, DOCUMENT_ATOM, _STRING = 0x0FF0, 0x03F3, 0x03E9, 0x0FBA
_TEXT_HEAD, _TEXT, _BYTES, _LOOKS = 0x0F9F, 0x0FA0, 0x0FA8, 0x0FA1
NUMBER, _FIELDS = 0x0FD8, frozenset({0x0FD8, 0x0FF7, 0x0FF8, 0x0FF9, 0x0FFA, 0x1015})
"""Records that say what a star in a text stands for: the number of the slide, dates, headers and footers."""
_ACTION, _ACTION_ATOM, _ACTION_PLACE = 0x0FF2, 0x0FF3, 0x0FDF
_LINK, _LINK_ATOM, _OBJECTS, _FONT = 0x0FD7, 0x0FD3, 0x0409, 0x0FB7
_DATES = frozenset({0x0FF7, 0x0FF8, 0x1015})
SLIDES, MASTERS, NOTES = 0, 1, 2
_CUT = say("The file is damaged: a part of it is missing.")


@dataclass
class Text:
    """A text of the outline or of a shape, its type ([MS-PPT], 2.13.33), and the records that format it."""

    kind: int
    text: str = ""
    looks: bytes = b""
    fields: dict[int, int] = field(default_factory=dict)
    links: list[tuple[int, int, str]] = field(default_factory=list)
    """The first and last position of each link, and its address."""


@dataclass
class Entry:
    """A slide, master or notes page in a list: its object's place, its own number, and its texts in the outline."""

    place: int
    number: int
    texts: list[Text]


class SlidesFile:
    """One presentation; raises Unreadable for one that is protected or cut off."""

    def __init__(self, file: Compound) -> None:
        user = file.stream("Current User")
        self.data = file.stream("PowerPoint Document")
        if len(user) < 20:
            raise Unreadable(_CUT, reason="damaged")
        token, last = struct.unpack_from("<II", user, 12)
        if token == _LOCKED:
            raise Unreadable(PROTECTED, reason="password")
        self._places, number = self._directory(last)
        if number not in self._places:
            raise Unreadable(_CUT, reason="damaged")
        self.document = self.at(self._places[number])
        self.pictures = self._pictures(file.stream("Pictures"))
        self.addresses = dict(self._addresses())
        self.fonts = [_name(self.data[each.begin : each.begin + 64]) for each in self.all(self.document, _FONT)]
        lists = {each.instance: each for each in self.inside(self.document) if each.kind == _LIST}
        self.lists = {
            kind: list(self._entries(lists[kind])) if kind in lists else [] for kind in (SLIDES, MASTERS, NOTES)
        }

    def at(self, place: int) -> Record:
        """The record at a place of the stream."""
        found = next(records(self.data, place, len(self.data)), None)
        if found is None:
            raise Unreadable(_CUT, reason="damaged")
        return found

    def inside(self, record: Record) -> Iterator[Record]:
        """The records that a record contains."""
        return records(self.data, record.begin, record.end)

    def first(self, record: Record, kind: int) -> Record | None:
        """The first record of a type that a record contains itself."""
        return next((each for each in self.inside(record) if each.kind == kind), None)

    def all(self, record: Record, kind: int) -> Iterator[Record]:
        """The records of a type that a record contains at any depth."""
        return (each for each in all_records(self.data, record.begin, record.end) if each.kind == kind)

    def number(self, record: Record, offset: int, size: int = 4) -> int:
        """A number in a record, 0 beyond its end."""
        return int.from_bytes(
            self.data[record.begin + offset : min(record.begin + offset + size, record.end)], "little"
        )

    def texts(self, begin: int, end: int) -> list[Text]:
        """The texts that records beside each other hold."""
        found: list[Text] = []
        address = ""
        for each in records(self.data, begin, end):
            if each.kind == _TEXT_HEAD:
                found.append(Text(self.number(each, 0)))
            elif not found:
                continue
            elif each.kind == _TEXT:
                found[-1].text = self.data[each.begin : each.end - (each.end - each.begin) % 2].decode(
                    "utf-16-le", "replace"
                )
            elif each.kind == _BYTES:
                found[-1].text = self.data[each.begin : each.end].decode("latin-1")
            elif each.kind == _LOOKS:
                found[-1].looks = self.data[each.begin : each.end]
            elif each.kind in _FIELDS:
                found[-1].fields[self.number(each, 0)] = each.kind
            elif each.kind == _ACTION:
                atom = self.first(each, _ACTION_ATOM)
                address = "" if atom is None else self.addresses.get(self.number(atom, 4), "")
            elif each.kind == _ACTION_PLACE and address:
                found[-1].links.append((self.number(each, 0), self.number(each, 4), address))
        return found

    @staticmethod
    def is_number(kind: int) -> bool:
        """Whether a star stands for the number of the slide."""
        return kind == NUMBER

    @staticmethod
    def is_date(kind: int) -> bool:
        """Whether a star stands for the date or time."""
        return kind in _DATES

    def string(self, record: Record, instance: int) -> str:
        """A string that a record contains, by its instance."""
        for each in self.inside(record):
            if each.kind == _STRING and each.instance == instance:
                return self.data[each.begin : each.end - (each.end - each.begin) % 2].decode("utf-16-le", "replace")
        return ""

    def _directory(self, edit: int) -> tuple[dict[int, int], int]:
        """Where the newest version of each object is, and the number of the document."""
        places: dict[int, int] = {}
        document, seen = 0, set[int]()
        while edit not in seen and len(seen) < _MOST_EDITS:
            seen.add(edit)
            record = self.at(edit)
            if record.kind != _USER_EDIT:
                raise Unreadable(_CUT, reason="damaged")
            if record.end - record.begin >= _LOCKED_EDIT and self.number(record, 28):
                raise Unreadable(PROTECTED, reason="password")
            document = document or self.number(record, 16)
            directory = self.at(self.number(record, 12))
            at = directory.begin
            while at + 4 <= directory.end:
                (packed,) = struct.unpack_from("<I", self.data, at)
                first, size = packed & 0xFFFFF, packed >> 20
                for offset in range(min(size, (directory.end - at - 4) // 4)):
                    (place,) = struct.unpack_from("<I", self.data, at + 4 + 4 * offset)
                    places.setdefault(first + offset, place)
                at += 4 + 4 * size
            if len(places) > _MOST_OBJECTS:
                raise OverLimit(
                    "limit", say("The presentation has more than {max_slides} slides.", max_slides=_MOST_SLIDES)
                )
            edit = self.number(record, 8)
            if not edit:
                break
        return places, document

    def _entries(self, held: Record) -> Iterator[Entry]:
        found = [each for each in self.inside(held) if each.kind == _PLACE]
        if len(found) > _MOST_SLIDES:
            raise OverLimit(
                "limit", say("The presentation has more than {max_slides} slides.", max_slides=_MOST_SLIDES)
            )
        for each, end in zip(found, [*(each.begin - 8 for each in found[1:]), held.end], strict=True):
            place = self._places.get(self.number(each, 0))
            if place is not None:
                yield Entry(place, self.number(each, 12), self.texts(each.end, end))

    def _addresses(self) -> Iterator[tuple[int, str]]:
        held = self.first(self.document, _OBJECTS)
        for each in self.inside(held) if held is not None else ():
            atom = self.first(each, _LINK_ATOM) if each.kind == _LINK else None
            if atom is not None:
                yield self.number(atom, 0), self.string(each, 1)

    def _pictures(self, stream: bytes) -> list[Picture | None]:
        for each in self.all(self.document, STORE):
            return store(self.data, each, stream)
        return []


def _name(data: bytes) -> str:
    text = data.decode("utf-16-le", "replace").split("\0")[0]
    return text if text.isprintable() else ""
