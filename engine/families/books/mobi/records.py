"""Records of a Palm OS database that holds a book: headers and metadata (EXTH)."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field

from engine.toolkit.failures import OverLimit, Unreadable

MAX_TEXT = 60_000_000
"""The maximum bytes of text of one book, decompressed: that many take 7 s and 520 MB as HTML; a Bible has 5 million."""
MAX_METADATA = 10_000
"""The maximum characters of one metadata field."""
PALM = b"TEXtREAd"
"""The type of a Palm OS text database, without a MOBI header."""
_NONE = 0xFFFFFFFF
_BOUNDARY, _TITLE = 121, 503
_METADATA = {100: "authors", 101: "publisher", 103: "description", 105: "subjects", 106: "date", 104: "isbn"}
_LANGUAGE, _COVER = 524, 201
_LANGUAGES = {
    0x01: "ar", 0x02: "bg", 0x03: "ca", 0x04: "zh", 0x05: "cs", 0x06: "da", 0x07: "de", 0x08: "el", 0x09: "en",
    0x0A: "es", 0x0B: "fi", 0x0C: "fr", 0x0D: "he", 0x0E: "hu", 0x0F: "is", 0x10: "it", 0x11: "ja", 0x12: "ko",
    0x13: "nl", 0x14: "no", 0x15: "pl", 0x16: "pt", 0x18: "ro", 0x19: "ru", 0x1A: "hr", 0x1B: "sk", 0x1D: "sv",
    0x1E: "th", 0x1F: "tr", 0x21: "id", 0x22: "uk", 0x24: "sl", 0x25: "et", 0x26: "lv", 0x27: "lt", 0x2A: "vi",
}  # fmt: skip
"""Primary language ids of Windows (MS-LCID)."""


def damaged() -> Unreadable:
    """The error for a damaged book."""
    return Unreadable("The book is damaged or incomplete. Download or export it again.", reason="damaged")


@dataclass(frozen=True)
class Database:
    """The records of a file."""

    name: bytes
    kind: bytes
    records: list[bytes]

    def record(self, number: int) -> bytes:
        """A record by its number; raises Unreadable if there is none."""
        if not 0 <= number < len(self.records):
            raise damaged()
        return self.records[number]


@dataclass
class Header:
    """The header of a book, or of the second one in the same file, which starts with the record `first`."""

    first: int
    compression: int
    text_length: int
    text_records: int
    encoding: str
    version: int
    title: str
    extra: int
    data: bytes
    language: str = ""
    metadata: dict[str, list[str]] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)

    def number(self, offset: int) -> int | None:
        """A 32-bit number of the header, or None if it is too short."""
        if offset + 4 > len(self.data):
            return None
        found = int.from_bytes(self.data[offset : offset + 4], "big")
        return None if found == _NONE else found

    def text(self, name: str) -> str:
        return next(iter(self.metadata.get(name, ())), "")


def read(data: bytes) -> Database:
    """The records of a database; raises Unreadable if they are not in order."""
    count = int.from_bytes(data[76:78], "big")
    if not count or len(data) < 78 + 8 * count:
        raise damaged()
    offsets = [struct.unpack_from(">I", data, 78 + 8 * each)[0] for each in range(count)]
    if offsets != sorted(offsets) or offsets[-1] > len(data):
        raise damaged()
    ends = [*offsets[1:], len(data)]
    records = [data[start:end] for start, end in zip(offsets, ends, strict=True)]
    return Database(data[:32].partition(b"\0")[0], data[60:68], records)


def header(book: Database, first: int = 0) -> Header:
    """The header in the record `first`. Raises Unreadable for a book with DRM, or a damaged one."""
    data = book.record(first)
    if len(data) < 16:
        raise damaged()
    compression, length, count, locked = struct.unpack_from(">H2xIH2xH", data)
    if locked:
        raise Unreadable(
            "The book is copy protected (DRM): only its seller's programs can open it.", reason="unsupported_feature"
        )
    if length > MAX_TEXT:
        raise OverLimit("memory", "The book's text is too long.")
    if data[16:20] != b"MOBI":
        if book.kind != PALM:
            raise damaged()
        shown = _text(book.name, "cp1252")
        return Header(first, compression, length, count, "", 0, shown, 0, data)
    found = Header(first, compression, length, count, "", 0, "", 0, data)
    found.encoding = "utf-8" if found.number(28) == 65001 else "cp1252"
    found.version = found.number(36) or 0
    size = found.number(20) or 0
    if size >= 0xE4 and len(data) >= 0xF4:
        found.extra = int.from_bytes(data[0xF2:0xF4], "big")
    start, length = found.number(84) or 0, found.number(88) or 0
    found.title = _text(data[start : start + length], found.encoding)
    found.language = _LANGUAGES.get((found.number(92) or 0) & 0x3FF, "")
    if (found.number(128) or 0) & 0x40:
        _extend(found, 16 + size)
    return found


def _text(data: bytes, encoding: str) -> str:
    """A text on one line, without control characters."""
    shown = "".join(
        each if each.isprintable() else " " for each in data[: 4 * MAX_METADATA].decode(encoding, "replace")
    )
    return " ".join(shown.split())[:MAX_METADATA]


def _extend(found: Header, at: int) -> None:
    data = found.data
    if data[at : at + 4] != b"EXTH":
        return
    count = int.from_bytes(data[at + 8 : at + 12], "big")
    at += 12
    for _ in range(min(count, 10_000)):
        if at + 8 > len(data):
            return
        kind, size = struct.unpack_from(">II", data, at)
        value = data[at + 8 : at + size]
        if size < 8:
            return
        at += size
        if kind in _METADATA:
            found.metadata.setdefault(_METADATA[kind], []).append(_text(value, found.encoding))
        elif kind == _TITLE:
            found.title = _text(value, found.encoding) or found.title
        elif kind == _LANGUAGE and re.fullmatch(rb"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}", value):
            found.language = value.decode()
        elif len(value) == 4:
            found.numbers[kind] = int.from_bytes(value, "big")


def second(book: Database, found: Header) -> Header | None:
    """The header of the newer format that follows the older one in the same file, if there is one."""
    at = found.numbers.get(_BOUNDARY)
    if found.version == 8 or at is None or not 0 < at < len(book.records):
        return None
    if book.record(at - 1)[:8] != b"BOUNDARY" or book.record(at)[16:20] != b"MOBI":
        return None
    return header(book, at)


def cover(found: Header) -> int | None:
    """The number of the cover picture, counted from 1."""
    at = found.numbers.get(_COVER)
    return None if at is None or at == _NONE else at
