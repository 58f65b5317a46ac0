"""Read the looks of the letters and the paragraphs of an RTF document (RTF 1.9.1, Font (Character) Formatting)."""

from __future__ import annotations

import re
from pathlib import Path

from engine.families.documents.counting import rich_blocks
from engine.families.documents.counting.lettering import Look, Paragraph
from engine.families.documents.counting.rich_text import (
    BREAKS,
    HIDDEN,
    LETTERS,
    MAY_HIDE,
    SHOWN,
    TOKEN,
    code_page,
)
from engine.families.documents.rtf import CHARSETS
from engine.toolkit.census import Census

_TURNED = {b"b": "bold", b"i": "italics", b"strike": "strikes", b"striked": "strikes"}
_UNDERLINED = re.compile(rb"ul(?:d|db|dash|dashd|dashdd|hwave|ldash|th|thd|thdash|thdashd|thdashdd|thldash|w|wave)?")
_PLACES = {b"super": True, b"sub": True, b"nosupersub": False, b"up": True, b"dn": True}
_FILLS = frozenset({b"highlight", b"chcbpat", b"cb"})
_COLOURS = re.compile(rb"\{\\colortbl\b([^{}]*)\}")
_COLOUR = re.compile(rb"\\red(\d{1,3})\s*\\green(\d{1,3})\s*\\blue(\d{1,3})\b")
_WITHIN = frozenset({b"line", b"page"})
"""Breaks inside of a paragraph."""
_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)


class _Group:
    """The state inside a pair of braces."""

    __slots__ = ("block", "hidden", "look", "noted", "page", "skip")

    def __init__(self, look: Look, block: dict[str, bool], *, hidden: bool, noted: bool, skip: int, page: str) -> None:
        self.look = look
        self.block = block
        self.noted = noted
        """Whether it is in a note."""
        self.hidden = hidden
        self.skip = skip
        self.page = page
        """The code page of its font; empty for that of the document."""

    def inner(self) -> _Group:
        """A group inside of this one, which begins with its state."""
        return _Group(self.look, self.block, hidden=self.hidden, noted=self.noted, skip=self.skip, page=self.page)


class _Text:
    """The text of the paragraph at hand; bytes of one look are decoded together, as a letter may take two."""

    def __init__(self, census: Census) -> None:
        self.page = "cp1252"
        self._paragraph = Paragraph(census)
        self._blocks = rich_blocks.Blocks(census)
        self._noted = False
        self._bytes = bytearray()
        self._look: Look = {}
        self._page = ""

    def add(self, found: bytes | str, group: _Group) -> None:
        """Add bytes, or letters, with the look of the group."""
        state = group.look, group.page, group.noted
        if isinstance(found, str) or state != (self._look, self._page, self._noted):
            self._flush()
            self._look, self._page, self._noted = state
        if isinstance(found, str):
            self._put(found)
        else:
            self._bytes += found

    def end(self, group: _Group, *, whole: bool = True) -> None:
        """End the paragraph, or only a line of it."""
        self._flush()
        self._paragraph.end()
        if whole and not group.noted:
            self._blocks.end(group.block)

    def _flush(self) -> None:
        if self._bytes:
            self._put(bytes(self._bytes).decode(self._page or self.page, "replace"))
            self._bytes.clear()

    def _put(self, text: str) -> None:
        self._paragraph.text(text, self._look)
        if not self._noted:
            self._blocks.text(text)


def count(path: Path) -> Census:
    """Return the census of the words of the body and its notes by the look of their letters, and of the paragraphs of
    the body by theirs."""
    data = path.read_bytes()
    colours = _colours(data)
    census = Census()
    text = _Text(census)
    fonts: dict[int, str] = {}
    stack = [_Group({}, {}, hidden=False, noted=False, skip=1, page="")]
    after = font = 0
    is_first = False
    for match in TOKEN.finditer(data):
        word, number, byte, symbol, brace, plain = match.groups()
        group = stack[-1]
        if brace == b"{":
            stack.append(group.inner())
            is_first = True
            continue
        if brace == b"}":
            if len(stack) > 1:
                stack.pop()
        elif word is not None:
            if word in HIDDEN or (word in MAY_HIDE and number != b"0"):
                group.hidden = True
            elif word in SHOWN:
                if word in (b"footnote", b"shptxt"):  # whose text does not have the look of what is around
                    group.noted, group.look = True, {}
                group.hidden = len(stack) > 1 and stack[-2].hidden and word not in (b"fldrslt", b"shptxt")
            elif word == b"ansicpg" and number:
                text.page = code_page(int(number), text.page)
            elif word == b"f" and number:
                font = int(number)
                group.page = fonts.get(font, "")
            elif word == b"fcharset" and number:
                fonts[font] = CHARSETS.get(int(number), "")
            elif word == b"uc" and number:
                group.skip = int(number)
            elif group.hidden:
                pass
            elif word in BREAKS:
                text.end(group, whole=word not in _WITHIN)
            elif word == b"u" and number:
                text.add(chr(int(number) % 0x10000), group)
                after = group.skip
            elif word in LETTERS:
                text.add(LETTERS[word], group)
            else:
                group.look = _turned(group.look, word, number, colours)
                group.block = rich_blocks.turned(group.block, word, number, colours)
                group.page = "" if word == b"plain" else group.page
        elif symbol is not None:
            if symbol == b"*" and is_first:
                group.hidden = True
            elif symbol in (b"\r", b"\n") and not group.hidden:
                text.end(group)
            elif symbol == b"~" and not group.hidden:
                text.add(b" ", group)
        elif not group.hidden:
            found = bytes([int(byte, 16)]) if byte is not None else plain
            skipped = min(after, len(found))
            after -= skipped
            text.add(found[skipped:], group)
        is_first = False
    text.end(stack[-1])
    return census


def _colours(data: bytes) -> list[tuple[int, int, int] | None]:
    """The colours by number; the first, and any other without values, is the usual one."""
    table = _COLOURS.search(data)
    entries = [] if table is None else table[1].split(b";")
    found = (_COLOUR.search(each) for each in entries)
    return [None if each is None else (int(each[1]), int(each[2]), int(each[3])) for each in found]


def _turned(look: Look, word: bytes, number: bytes | None, colours: list[tuple[int, int, int] | None]) -> Look:
    """The look after a control word."""
    on = number != b"0"
    if word == b"plain":
        return {}
    if word in _TURNED:
        return {**look, _TURNED[word]: on}
    if word in (b"ul", b"ulnone") or _UNDERLINED.fullmatch(word):
        return {**look, "underlines": on and word != b"ulnone"}
    if word in _PLACES:
        return {**look, "scripts": on and _PLACES[word]}
    colour = colours[int(number)] if number and 0 <= int(number) < len(colours) else None
    if word == b"cf":
        return {**look, "inks": colour not in (None, _BLACK)}
    if word in _FILLS:
        return {**look, "highlights": colour not in (None, _WHITE)}
    return look
