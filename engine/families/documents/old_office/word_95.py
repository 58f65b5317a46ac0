"""The text of a document of Word 6 and 95 as plain paragraphs of WordprocessingML.

The header is that of MS-DOC with other numbers: Word 6 and 95 keep one byte for each character, and the piece table in
the main stream itself.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from engine.families.documents.old_office.compound import PROTECTED, Compound
from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.ooxml.packing import Parts
from engine.toolkit import code_pages
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_SIGNATURE = 0xA5DC
_COMPLEX, _ENCRYPTED = 0x0004, 0x0100
_FLAGS_AT, _TEXT_AT, _LENGTHS_AT, _PIECES_AT, _HEAD = 0x0A, 0x18, 0x34, 0x160, 0x168
_KEPT = (0, 1, 5, 6)
"""The stories of the body, footnotes, endnotes and text boxes, by their order in the text."""
_HEADERS, _COMMENTS, _STORIES = 2, 4, 8
_PARAGRAPH = re.compile("[\r\x07\x0c\x0e]")
_SIGNS = str.maketrans({"\x1e": "\u2011", "\x1f": "\u00ad", "\xa0": "\u00a0"})
_NO_TEXT = re.compile("[\x00-\x08\x0c-\x1f]")
_MAIN = "word/document.xml"


def is_one(file: Compound) -> bool:
    """Whether a document is of Word 6 or 95."""
    return file.stream("WordDocument")[:2] == _SIGNATURE.to_bytes(2, "little")


def write(file: Compound, parts: Parts, warn: Warn) -> None:
    """Write the text of a document. Raises Unreadable for one that is protected or cut off."""
    stream = file.stream("WordDocument")
    if len(stream) < _HEAD:
        raise Unreadable("The file is damaged: a part of it is missing.", reason="damaged")
    if struct.unpack_from("<H", stream, _FLAGS_AT)[0] & _ENCRYPTED:
        raise Unreadable(PROTECTED, reason="password")
    data = b"".join(_pieces(stream))
    encoding = "cp1252" if data.isascii() else file.encoding()
    if encoding is None:
        encoding = code_pages.guess(data)
        warn("ENCODING_GUESSED", say("The text was read as {name}.", name=encoding))
    lengths = struct.unpack_from(f"<{_STORIES}I", stream, _LENGTHS_AT)
    body, at = element("body"), 0
    for story, length in enumerate(lengths):
        text = data[at : at + length].decode(encoding, "replace")
        at += length
        if story in _KEPT:
            _written(body, text)
    warn(
        "CONTENT_DROPPED",
        "Word 6 and 95 files give their text only: formatting, tables, pictures, headers and footers were left out.",
    )
    if lengths[_COMMENTS]:
        warn("COMMENTS_DROPPED", "Comments were left out.")
    main = element("document")
    main.append(body)
    parts.put(_MAIN, main, "wordprocessingml.document.main")
    parts.relate("", "officeDocument", _MAIN)


def _pieces(stream: bytes) -> Iterator[bytes]:
    """Yield the bytes of the text in order; raises Unreadable for a piece table that leads nowhere."""
    (flags,) = struct.unpack_from("<H", stream, _FLAGS_AT)
    begin, end = struct.unpack_from("<II", stream, _TEXT_AT)
    place, size = struct.unpack_from("<II", stream, _PIECES_AT)
    if not (flags & _COMPLEX and size):
        yield stream[begin:end]
        return
    table = stream[place : place + size]
    while table[:1] == b"\x01":  # properties of pieces
        table = table[3 + int.from_bytes(table[1:3], "little") :]
    if table[:1] != b"\x02":
        raise Unreadable("The file is damaged: a part of it is missing.", reason="damaged")
    count = (int.from_bytes(table[1:5], "little") - 4) // 12
    starts = struct.unpack_from(f"<{count + 1}I", table, 5)
    left = len(stream)
    for index in range(count):
        (place,) = struct.unpack_from("<I", table, 5 + 4 * (count + 1) + 8 * index + 2)
        length = starts[index + 1] - starts[index]
        left -= length
        if length < 0 or left < 0:
            raise Unreadable("The file is damaged: a part of it is missing.", reason="damaged")
        yield stream[place : place + length].ljust(length)


def _written(body: Element, text: str) -> None:
    for each in _PARAGRAPH.split(_shown(text)):
        lines = [_NO_TEXT.sub("", line.translate(_SIGNS)) for line in each.split("\v")]
        if not any(line.strip() for line in lines):
            continue
        run = add(add(body, "p"), "r")
        for number, line in enumerate(lines):
            if number:
                add(run, "br")
            for at, part in enumerate(line.split("\t")):
                if at:
                    add(run, "tab")
                if part:
                    made = add(run, "t")
                    made.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
                    made.text = part


def _shown(text: str) -> str:
    """A text with the results of its fields in place of their instructions."""
    shown: list[str] = []
    inside: list[bool] = []
    hidden = 0
    for piece in re.split("([\x13-\x15])", text):
        if piece == "\x13":
            inside.append(True)
            hidden += 1
        elif piece == "\x14" and inside:
            hidden -= inside[-1]
            inside[-1] = False
        elif piece == "\x15" and inside:
            hidden -= inside.pop()
        elif not hidden:
            shown.append(piece)
    return "".join(shown)
