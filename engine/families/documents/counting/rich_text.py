"""Count the contents of an RTF document (RTF 1.9.1) from its groups and control words."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from engine.families.documents.rtf import CHARSETS
from engine.toolkit import grids
from engine.toolkit.census import Census

TOKEN = re.compile(rb"\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)", re.IGNORECASE)
HIDDEN = frozenset({
    b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"object", b"listtable", b"listoverridetable",
    b"rsidtbl", b"header", b"headerl", b"headerr", b"headerf", b"footer", b"footerl", b"footerr", b"footerf",
    b"fldinst", b"annotation", b"atnid", b"atnauthor", b"generator", b"themedata", b"colorschememapping",
    b"latentstyles", b"datastore", b"xmlnstbl", b"bkmkstart", b"bkmkend", b"mmathPr", b"pgptbl", b"revtbl",
    b"filetbl", b"shpinst", b"nonshppict", b"listtext", b"pntext", b"ftnsep", b"ftnsepc", b"ftncn", b"aftnsep",
    b"aftnsepc", b"aftncn", b"template", b"operator", b"userprops", b"tc", b"xe", b"falt", b"panose",
    b"nonesttables",
})  # fmt: skip
"""Destinations whose text is not body text."""
_APART = frozenset({
    b"header", b"headerl", b"headerr", b"headerf", b"footer", b"footerl", b"footerr", b"footerf", b"annotation",
})  # fmt: skip
"""Those in which nothing is body text, whatever destinations they contain."""
MAY_HIDE = frozenset({b"v", b"deleted"})
SHOWN = frozenset({b"shptxt", b"footnote", b"fldrslt", b"shppict", b"shpinst"})
_LINK = re.compile(rb'[^}]{0,400}?HYPERLINK\s+(?!\s|\\\\[lL]|\\?"?#)')
"""The instruction of a field that links to another document, not to a bookmark (`\\l`)."""
_APART_FROM_ROWS = frozenset({b"par", b"sect", b"page"})
BREAKS = frozenset({b"par", b"cell", b"row", b"sect", b"page", b"line", b"nestcell"})
_NUMBERED = ([b"PAGE"], [b"NUMPAGES"], [b"SECTIONPAGES"], [b"PAGEREF"])
"""The fields whose results are recomputed."""
LETTERS = {
    b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”",
    b"bullet": "•",
    b"tab": " ", b"emspace": " ", b"enspace": " ",
}  # fmt: skip


class _Tables:
    """Rows that follow each other are a table, up to a paragraph that is in no row; cells in no row are text."""

    def __init__(self, census: Census) -> None:
        self._census = census
        self._from = self._of_row = 0
        self._rows: list[int] = []
        self._in_row = self._in_table = False

    def word(self, word: bytes) -> None:
        """Follow a control word of the body."""
        if word == b"trowd":
            self._in_row, self._from = True, len(self._census.texts)
        elif word == b"cell":
            self._of_row += any(map(grids.is_text, self._census.texts[self._from :]))
            self._from = len(self._census.texts)
        elif word == b"row":
            self._in_row, self._from = False, len(self._census.texts)
            self._rows.append(self._of_row)
            self._of_row = 0
        elif word == b"pard":
            self._in_table = False
        elif word == b"intbl":
            self._in_table = True
        elif word in _APART_FROM_ROWS and not self._in_row and not self._in_table:
            self.end()

    def end(self) -> None:
        """End the table, if there is one."""
        grids.add(self._census, self._rows)
        self._rows, self._of_row = [], 0


class _Group:
    """The state inside a pair of braces."""

    __slots__ = ("again", "apart", "hidden", "page", "skip", "start")

    def __init__(
        self, hidden: bool = False, skip: int = 1, page: str = "", apart: bool = False, again: bool = False
    ) -> None:
        self.hidden = hidden
        self.apart = apart
        self.again = again
        """Whether it repeats a shape for readers of RTF before 1.5."""
        self.skip = skip
        self.page = page
        """The code page of its font; empty for that of the document."""
        self.start = True


def count(path: Path) -> Census:
    """Return the census of a document: its body and notes, without headers, footers and comments."""
    return contents(path.read_bytes())


def contents(data: bytes) -> Census:
    """Return the census of a document in memory."""
    census, page = Census(), "cp1252"
    stack, text = [_Group()], bytearray()
    pieces: list[str] = []
    around: list[tuple[int, list[str]]] = []  # texts that notes interrupt, with each note's depth
    after = font = 0
    instruction = b""
    fonts: dict[int, str] = {}
    tables = _Tables(census)

    def flush() -> None:
        if text:
            pieces.append(bytes(text).decode(stack[-1].page or page, "replace"))
            text.clear()

    def paragraph() -> None:
        flush()
        whole = "".join(pieces).strip()
        pieces.clear()
        if whole:
            census.texts.append(whole)

    for match in TOKEN.finditer(data):
        word, number, byte, symbol, brace, plain = match.groups()
        group = stack[-1]
        if brace == b"{":
            stack.append(_Group(group.hidden, group.skip, group.page, group.apart, group.again))
        elif brace == b"}":
            if around and len(stack) == around[-1][0]:
                paragraph()
                pieces = around.pop()[1]
            if len(stack) > 1:
                if stack[-2].page != group.page:
                    flush()
                stack.pop()
                if len(stack) == 1:
                    break  # what follows the document is no text
        elif word is not None:
            if word == b"pict" and not group.hidden:
                census.add("pictures")
            elif word == b"fldinst" and not stack[-2:][0].hidden and _LINK.match(data, match.end()):
                census.add("links")
            elif word == b"footnote":
                census.add("notes")
                flush()
                around.append((len(stack), pieces))
                pieces = []
            if word == b"ansicpg" and number:
                page = code_page(int(number), page)
            elif word == b"uc" and number:
                group.skip = int(number)
            elif word == b"fcharset" and number:
                fonts[font] = CHARSETS.get(int(number), "")
            elif word == b"plain" or (word == b"f" and number):
                flush()
                font = int(number or font)
                group.page = fonts.get(font, "") if word == b"f" else ""
            elif word in HIDDEN or (word in MAY_HIDE and number != b"0"):
                group.hidden = True
                group.apart = group.apart or word in _APART
                instruction = b"" if word == b"fldinst" else instruction
            elif word == b"shprslt":
                group.again = True
            elif word == b"dptxbxtext":
                group.hidden = group.apart or group.again
            elif word in SHOWN:
                computed = word == b"fldrslt" and instruction.upper().split()[:1] in _NUMBERED
                group.hidden = group.apart or computed
            elif word in BREAKS and not group.hidden:
                paragraph()
            elif word == b"u" and number and not group.hidden:
                flush()
                pieces.append(chr(int(number) % 0x10000))
                after = group.skip
            elif word in LETTERS and not group.hidden:
                flush()
                pieces.append(LETTERS[word])
            if not group.hidden:
                tables.word(word)
        elif symbol is not None:
            if symbol == b"*" and group.start:
                group.hidden = True
            elif symbol in (b"~", b"_") and not group.hidden:
                text += b" " if symbol == b"~" else b"-"
            elif symbol in b"\\{}" and not group.hidden:
                text += symbol
            elif symbol in (b"\r", b"\n") and not group.hidden:
                paragraph()
        elif group.hidden:
            instruction += plain or b""
        else:
            found = bytes([int(byte, 16)]) if byte is not None else plain
            skipped = min(after, len(found))
            after -= skipped
            text += found[skipped:]
        if brace is None:
            group.start = False
    paragraph()
    tables.end()
    return census


def code_page(number: int, otherwise: str) -> str:
    """Return the codec of a Windows code page, or `otherwise` if there is none."""
    try:
        return codecs.lookup(f"cp{number}").name
    except LookupError:
        return otherwise
