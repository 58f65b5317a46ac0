"""Count the contents of an RTF document (RTF 1.9.1) from its groups and control words."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from engine.toolkit.census import Census

_TOKEN = re.compile(rb"\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)", re.IGNORECASE)
_LINK = re.compile(rb'HYPERLINK\s+"(?!#)')
"""A link out of the document; one to a bookmark has the switch \\l before its name, or a # in it."""
_HIDDEN = frozenset({
    b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"object", b"listtable", b"listoverridetable",
    b"rsidtbl", b"header", b"headerl", b"headerr", b"headerf", b"footer", b"footerl", b"footerr", b"footerf",
    b"fldinst", b"annotation", b"atnid", b"atnauthor", b"generator", b"themedata", b"colorschememapping",
    b"latentstyles", b"datastore", b"xmlnstbl", b"bkmkstart", b"bkmkend", b"mmathPr", b"pgptbl", b"revtbl",
    b"filetbl", b"shpinst", b"nonshppict", b"listtext", b"pntext", b"ftnsep", b"ftnsepc", b"ftncn", b"aftnsep",
    b"aftnsepc", b"aftncn", b"template", b"operator", b"userprops", b"tc", b"xe", b"falt", b"panose",
})  # fmt: skip
"""Destinations whose text is not body text."""
_MAY_HIDE = frozenset({b"v", b"deleted"})
_SHOWN = frozenset({b"shptxt", b"footnote", b"shppict", b"shpinst"})
_BREAKS = frozenset({b"par", b"cell", b"row", b"sect", b"page", b"line", b"nestcell"})
_LETTERS = {
    b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”",
    b"bullet": "•",
    b"tab": " ", b"emspace": " ", b"enspace": " ",
}  # fmt: skip


class _Group:
    """The state inside a pair of braces."""

    __slots__ = ("field", "hidden", "skip", "start")

    def __init__(self, hidden: bool = False, skip: int = 1, *, field: bool = False) -> None:
        self.hidden = hidden
        self.skip = skip
        self.start = True
        self.field = field
        """Whether it is the instruction of a field of the body."""


def count(path: Path) -> Census:
    """Return the census of a document: its body and notes, without headers, footers and comments."""
    return contents(path.read_bytes())


def contents(data: bytes) -> Census:
    """Return the census of a document in memory."""
    census, page = Census(), "cp1252"
    stack, text = [_Group()], bytearray()
    pieces: list[str] = []
    around: list[tuple[int, list[str]]] = []  # texts that notes interrupt, with each note's depth
    after = 0

    def flush() -> None:
        if text:
            pieces.append(bytes(text).decode(page, "replace"))
            text.clear()

    def paragraph() -> None:
        flush()
        whole = "".join(pieces).strip()
        pieces.clear()
        if whole:
            census.texts.append(whole)

    for match in _TOKEN.finditer(data):
        word, number, byte, symbol, brace, plain = match.groups()
        group = stack[-1]
        if brace == b"{":
            stack.append(_Group(group.hidden, group.skip, field=group.field))
        elif brace == b"}":
            if around and len(stack) == around[-1][0]:
                paragraph()
                pieces = around.pop()[1]
            if len(stack) > 1:
                stack.pop()
        elif word is not None:
            if word == b"pict" and not group.hidden:
                census.add("pictures")
            elif word == b"footnote":
                census.add("notes")
                flush()
                around.append((len(stack), pieces))
                pieces = []
            elif word == b"fldinst" and len(stack) > 1:
                group.hidden, group.field = True, not stack[-2].hidden
            if word == b"ansicpg" and number:
                page = _code_page(int(number), page)
            elif word == b"uc" and number:
                group.skip = int(number)
            elif word in _HIDDEN or (word in _MAY_HIDE and number != b"0"):
                group.hidden = True
            elif word in _SHOWN:
                group.hidden = False
            elif word in _BREAKS and not group.hidden:
                paragraph()
            elif word == b"u" and number and not group.hidden:
                flush()
                pieces.append(chr(int(number) % 0x10000))
                after = group.skip
            elif word in _LETTERS and not group.hidden:
                flush()
                pieces.append(_LETTERS[word])
        elif symbol is not None:
            if symbol == b"*" and group.start:
                group.hidden = True
            elif symbol in (b"~", b"_") and not group.hidden:
                text += b" " if symbol == b"~" else b"-"
            elif symbol in b"\\{}" and not group.hidden:
                text += symbol
            elif symbol in (b"\r", b"\n") and not group.hidden:
                paragraph()
        elif group.field:
            if plain is not None and _LINK.search(plain):
                census.add("links")
        elif not group.hidden:
            found = bytes([int(byte, 16)]) if byte is not None else plain
            skipped = min(after, len(found))
            after -= skipped
            text += found[skipped:]
        if brace is None:
            group.start = False
    paragraph()
    return census


def _code_page(number: int, otherwise: str) -> str:
    try:
        return codecs.lookup(f"cp{number}").name
    except LookupError:
        return otherwise
