"""The text of a Word document of 97 to 2003 by character position, and the properties of its characters and paragraphs.

The parts are those of [MS-DOC], 2.4: the piece table leads from character positions to bytes of the main stream, and
two tables of pages lead from there to the properties of runs and paragraphs.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from engine.families.documents.old_office.compound import PROTECTED, Compound
from engine.families.documents.old_office.sprms import Modifiers, read
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say

_SIGNATURE, _FIRST_97 = 0xA5EC, 0x00C1
_ENCRYPTED, _SECOND_TABLE = 0x0100, 0x0200
_LENGTHS = ("text", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "header_boxes")
_LENGTHS_AT, _PLACES_AT = 0x4C, 0x9A
_PAGE = 512
_HUGE = (0x6645, 0x6646)
"""Modifiers of paragraphs that lead to properties in the stream Data ([MS-DOC], 2.6.2)."""
_CUT = say("The file is damaged: a part of it is missing.")
_SPECIAL = dict(
    zip(
        (0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97,
         0x98,
         0x99, 0x9A, 0x9B, 0x9C, 0x9F),
        "‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œŸ",
        strict=True,
    )
)  # fmt: skip
"""Bytes of compressed text that are not the characters of their number ([MS-DOC], 2.9.73)."""
_SHORT_MODIFIERS = {
    0x05: 0x2403, 0x07: 0x2405, 0x08: 0x2406, 0x09: 0x2407, 0x18: 0x2416, 0x19: 0x2417, 0x41: 0x0800, 0x42: 0x0801,
    0x55: 0x0835, 0x56: 0x0836, 0x57: 0x0837, 0x5A: 0x083A, 0x5B: 0x083B, 0x5C: 0x083C, 0x5E: 0x2A3E,
}  # fmt: skip
"""The modifiers that a piece names by a short number ([MS-DOC], 2.9.214)."""


@dataclass(frozen=True)
class Piece:
    """Consecutive characters that are together in the main stream, from the position `start` and the byte `place`."""

    start: int
    end: int
    place: int
    width: int
    modifiers: bytes


class Bins:
    """Properties by byte of the main stream, from the pages that a table lists ([MS-DOC], 2.9.33 and 2.9.175)."""

    def __init__(self, stream: bytes, table: bytes, entry: int) -> None:
        self.starts: list[int] = []
        self._ends: list[int] = []
        self._held: list[bytes] = []
        count = max((len(table) - 4) // 8, 0)
        seen: set[int] = set()
        runs: list[tuple[int, int, bytes]] = []
        for (number,) in struct.iter_unpack("<I", table[4 * (count + 1) : 4 * (count + 1) + 4 * count]):
            number &= 0x3FFFFF
            page = stream[number * _PAGE : (number + 1) * _PAGE]
            if number in seen or len(page) < _PAGE:
                continue
            seen.add(number)
            held = page[-1]
            if 4 * (held + 1) + entry * held > _PAGE:
                continue
            places = struct.unpack_from(f"<{held + 1}I", page)
            for each in range(held):
                at = 2 * page[4 * (held + 1) + entry * each]
                runs.append((places[each], places[each + 1], _properties(page, at, entry) if at else b""))
        for begin, end, found in sorted(runs):
            self.starts.append(begin)
            self._ends.append(end)
            self._held.append(found)

    def at(self, place: int) -> tuple[bytes, int]:
        """The properties at a byte, and the byte at which others may begin."""
        index = bisect_right(self.starts, place) - 1
        following = self.starts[index + 1] if index + 1 < len(self.starts) else 1 << 40
        if index < 0 or place >= self._ends[index]:
            return b"", following
        return self._held[index], min(following, self._ends[index])


def _properties(page: bytes, at: int, entry: int) -> bytes:
    size = page[at] if at < _PAGE else 0
    if entry == 1:
        return page[at + 1 : at + 1 + size]
    if size:
        return page[at + 1 : at + 2 * size]
    size = 2 * page[at + 1] if at + 1 < _PAGE else 0
    return page[at + 2 : at + 2 + size]


class WordFile:
    """The parts of one document; raises Unreadable for one that is protected, too old or cut off."""

    def __init__(self, file: Compound) -> None:
        self.stream = file.stream("WordDocument")
        if len(self.stream) < _PLACES_AT:
            raise Unreadable(_CUT, reason="damaged")
        signature, version = struct.unpack_from("<HH", self.stream)
        (flags,) = struct.unpack_from("<H", self.stream, 0x0A)
        if signature != _SIGNATURE or version < _FIRST_97:
            raise Unreadable(
                "The file was made with a version before Word 6. Save it as .docx and try again.",
                reason="unsupported_feature",
            )
        if flags & _ENCRYPTED:
            raise Unreadable(PROTECTED, reason="password")
        self._table = file.stream("1Table" if flags & _SECOND_TABLE else "0Table")
        self.data = file.stream("Data")
        self.lengths = dict(zip(_LENGTHS, struct.unpack_from("<8I", self.stream, _LENGTHS_AT), strict=True))
        self._prcs: list[bytes] = []
        self.pieces = self._pieces()
        self._piece_starts = [each.start for each in self.pieces]
        self.text = self._read()
        self._runs = Bins(self.stream, self.part(12), 1)
        self._paragraphs = Bins(self.stream, self.part(13), 13)

    def part(self, index: int) -> bytes:
        """A part of the table stream by its number in the header ([MS-DOC], 2.5.6); none if it is outside."""
        at = _PLACES_AT + 8 * index
        if at + 8 > len(self.stream):
            return b""
        place, size = struct.unpack_from("<II", self.stream, at)
        return self._table[place : place + size]

    def rest(self, index: int) -> bytes:
        """A part of the table stream with everything behind it: the length of lists leaves out their levels."""
        place, size = struct.unpack_from("<II", self.stream, _PLACES_AT + 8 * index)
        return self._table[place:] if size else b""

    def story(self, name: str) -> tuple[int, int]:
        """The first character position of a story, and the one behind its last."""
        begin = sum(self.lengths[each] for each in _LENGTHS[: _LENGTHS.index(name)])
        return min(begin, len(self.text)), min(begin + self.lengths[name], len(self.text))

    def positions(self, index: int, entry: int) -> tuple[list[int], list[bytes]]:
        """A table of positions and entries of `entry` bytes ([MS-DOC], 2.2.2): one more position than entries."""
        data = self.part(index)
        count = max((len(data) - 4) // (4 + entry), 0)
        if not count:
            return [], []
        places = list(struct.unpack_from(f"<{count + 1}I", data))
        begin = 4 * (count + 1)
        # Parts of the text that overlap would be read again and again.
        ordered = next((each for each in range(count) if places[each + 1] < places[each]), count)
        return places[: ordered + 1], [
            data[begin + entry * each : begin + entry * (each + 1)] for each in range(ordered)
        ]

    def runs(self, begin: int, end: int) -> Iterator[tuple[int, int, Modifiers]]:
        """The positions in a part of the text with the same properties."""
        at = begin
        while at < end:
            piece = self._piece(at)
            if piece is None:
                return
            place = piece.place + (at - piece.start) * piece.width
            held, following = self._runs.at(place)
            stop = min(end, piece.end, at + max((following - place + piece.width - 1) // piece.width, 1))
            yield at, stop, dict(read(held + piece.modifiers))
            at = stop

    def paragraph(self, mark: int) -> tuple[int, Modifiers]:
        """The number of the style and the properties of the paragraph that ends with the character at `mark`."""
        piece = self._piece(mark)
        if piece is None:
            return 0, {}
        held, _ = self._paragraphs.at(piece.place + (mark - piece.start) * piece.width)
        style = int.from_bytes(held[:2], "little")
        found = dict(read(held[2:]))
        for number in _HUGE:
            if number in found:
                at = int.from_bytes(found.pop(number), "little")
                size = int.from_bytes(self.data[at : at + 2], "little")
                found |= dict(read(self.data[at + 2 : at + 2 + size]))
        return style, found | dict(read(piece.modifiers))

    def _piece(self, position: int) -> Piece | None:
        index = bisect_right(self._piece_starts, position) - 1
        return self.pieces[index] if index >= 0 and position < self.pieces[index].end else None

    def _pieces(self) -> list[Piece]:
        data, at = self.part(33), 0
        while at < len(data) and data[at] == 1:
            size = int.from_bytes(data[at + 1 : at + 3], "little", signed=True)
            self._prcs.append(data[at + 3 : at + 3 + max(size, 0)])
            at += 3 + max(size, 0)
        if at + 5 > len(data) or data[at] != 2:
            raise Unreadable(_CUT, reason="damaged")
        (size,) = struct.unpack_from("<I", data, at + 1)
        data = data[at + 5 : at + 5 + size]
        count = max((len(data) - 4) // 12, 0)
        positions = struct.unpack_from(f"<{count + 1}I", data) if count else ()
        found: list[Piece] = []
        total = 0
        for each in range(count):
            begin, end = positions[each], positions[each + 1]
            _, place, modifier = struct.unpack_from("<HIH", data, 4 * (count + 1) + 8 * each)
            width = 1 if place & 0x40000000 else 2
            place &= 0x3FFFFFFF
            place = place // 2 if width == 1 else place
            total += (end - begin) * width
            expected = found[-1].end if found else 0
            if begin != expected or end < begin or place + (end - begin) * width > len(self.stream):
                raise Unreadable(_CUT, reason="damaged")
            if end > begin:
                found.append(Piece(begin, end, place, width, self._modifiers(modifier)))
        if total > 2 * len(self.stream):
            raise Unreadable(_CUT, reason="damaged")
        return found

    def _modifiers(self, modifier: int) -> bytes:
        if modifier & 1:
            index = modifier >> 1
            return self._prcs[index] if index < len(self._prcs) else b""
        number = _SHORT_MODIFIERS.get((modifier >> 1) & 0x7F)
        return b"" if number is None else number.to_bytes(2, "little") + bytes([modifier >> 8])

    def _read(self) -> str:
        texts = []
        for each in self.pieces:
            data = self.stream[each.place : each.place + (each.end - each.start) * each.width]
            if each.width == 1:
                texts.append(data.decode("latin-1").translate(_SPECIAL))
            else:
                # A character position is two bytes: halves of characters beyond the first 65,536 are joined later.
                texts.append("".join(map(chr, struct.unpack(f"<{len(data) // 2}H", data))))
        return "".join(texts)
