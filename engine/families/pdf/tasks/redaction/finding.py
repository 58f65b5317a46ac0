"""Find a text on the pages of a PDF, glyph by glyph, with PDFium."""

from __future__ import annotations

import ctypes
import itertools
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf.page.glyphs import by_address
from engine.families.pdf.page.text_pages import text_page_of
from engine.families.pdf.pdfium import document_of, page_of
from engine.families.pdf.right_to_left import is_turned_ligature
from engine.families.pdf.tasks.redaction import invisible
from engine.families.pdf.tasks.redaction.allowance import Allowance
from engine.families.pdf.tasks.redaction.terms import Wanted
from engine.toolkit.failures import OverLimit

_MOST = 20_000
"""The maximum characters to remove from one page: 16,600 of 20,800 take 0.8 s."""

_MARGIN = 0.2
"""Times the widest letter: how far the letters of a picture may stand beside those that were recognised in it."""

_unicode_of = by_address(raw.FPDFText_GetUnicode, ctypes.c_uint, ctypes.c_void_p, ctypes.c_int)
_is_unmapped = by_address(raw.FPDFText_HasUnicodeMapError, ctypes.c_int, ctypes.c_void_p, ctypes.c_int)

_LINE_END_HYPHENS = (0xFFFE, 0x02, 0xAD)


Places = list[tuple[int, ...]]
"""For each character of a text, PDFium's indexes of its parts."""

_ACCENTS = {
    "\u00b4": "\u0301", "\u02c6": "\u0302", "\u02dc": "\u0303", "\u00af": "\u0304",
    "\u02d8": "\u0306", "\u02d9": "\u0307", "\u00a8": "\u0308", "\u02da": "\u030a", "\u02dd": "\u030b",
    "\u02c7": "\u030c", "\u00b8": "\u0327", "\u02db": "\u0328",
}  # fmt: skip
"""Spacing accents that TeX prints before their letter, with the combining mark for each."""


@dataclass(frozen=True)
class Box:
    """The box of one glyph, in user space."""

    left: float
    bottom: float
    right: float
    top: float

    def wider(self, margin: float) -> Box:
        """The box with a margin at each side."""
        return Box(self.left - margin, self.bottom - margin, self.right + margin, self.top + margin)

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )


def find(
    source: Path, password: str | None, numbers: Iterable[int], wanted: Wanted, allowance: Allowance
) -> dict[int, list[Box]]:
    """Page, counted from 0, to the boxes of the matching glyphs. Raises Unreadable, OverLimit."""
    found = {number: _on(page, wanted, allowance) for number, page in pages(source, password, numbers)}
    return {number: boxes for number, boxes in found.items() if boxes}


def unreadable(source: Path, password: str | None, numbers: Iterable[int]) -> dict[int, int]:
    """Page, counted from 0, to its number of unmapped characters."""
    found = {number: _unmapped(page) for number, page in pages(source, password, numbers)}
    return {number: count for number, count in found.items() if count}


def pages(source: Path, password: str | None, numbers: Iterable[int]) -> Iterator[tuple[int, pypdfium2.PdfPage]]:
    """Each page with its number, counted from 0, open until the next. Raises Unreadable."""
    wanted = list(numbers)
    with document_of(source, password, last=max(wanted)) as document:
        for number in wanted:
            with page_of(document, number) as page:
                yield number, page


def _unmapped(page: pypdfium2.PdfPage) -> int:
    with text_page_of(page) as text_page:
        address = ctypes.cast(text_page.raw, ctypes.c_void_p).value
        return sum(_is_unmapped(address, at) == 1 for at in range(max(0, text_page.count_chars())))


def _on(page: pypdfium2.PdfPage, wanted: Wanted, allowance: Allowance) -> list[Box]:
    with text_page_of(page) as text_page:
        allowance.take(max(0, text_page.count_chars()))
        read = _text(text_page)
        boxes: dict[int, Box] = {}
        for text, places in (read, _with_marks_joined(*read)):
            for start, end in wanted.spans(text):
                for place in itertools.chain(*places[start:end]):
                    if place not in boxes and (word := invisible.word(text_page, place)):
                        boxes |= _around(word, [_box(text_page, each) for each in word])
                        continue
                    box = boxes.get(place) or _box(text_page, place)
                    if box is not None:
                        boxes[place] = box
                if len(boxes) > _MOST:
                    raise OverLimit("memory", "There is too much text to remove on one page.")
        return list(boxes.values())


def _around(word: range, found: Sequence[Box | None]) -> dict[int, Box]:
    """The boxes of an invisible word's letters by their index, with a margin at all its sides."""
    boxes = {at: each for at, each in zip(word, found, strict=True) if each is not None}
    margin = _MARGIN * max((min(each.right - each.left, each.top - each.bottom) for each in boxes.values()), default=0)
    return {at: each.wider(margin) for at, each in boxes.items()}


def _text(text_page: pypdfium2.PdfTextPage) -> tuple[str, Places]:
    """The text with single spaces, and the positions of its characters."""
    characters: list[str] = []
    places: Places = []
    hyphen = False
    high: tuple[int, int] | None = None
    address = ctypes.cast(text_page.raw, ctypes.c_void_p).value
    for at in range(max(0, text_page.count_chars())):
        code = _unicode_of(address, at)
        where: tuple[int, ...] = (at,)
        if 0xD800 <= code < 0xDC00:
            high = (code, at)
            continue
        if 0xDC00 <= code < 0xE000 and high is not None:
            code, where = 0x10000 + ((high[0] - 0xD800) << 10) + (code - 0xDC00), (high[1], at)
        high = None
        if code in _LINE_END_HYPHENS or unicodedata.category(chr(code)) == "Cf":
            hyphen = hyphen or code in _LINE_END_HYPHENS
            continue  # a zero-width character
        if code == 0:
            continue  # not shown: some programs write each character as two bytes, the first of which is NUL
        letter = chr(code)
        if letter.isspace():
            if not hyphen and characters and characters[-1] != " ":
                characters.append(" ")
                places.append(where)
            continue
        hyphen = False
        for each in letter if letter in _ACCENTS else unicodedata.normalize("NFKC", letter):
            characters.append(each)
            places.append(where)
    for at, (one, other) in enumerate(itertools.pairwise(characters)):
        first, second = places[at][0], places[at + 1][0]
        if is_turned_ligature(one, other) and text_page.get_charbox(first) == text_page.get_charbox(second):
            characters[at], characters[at + 1] = other, one
    return "".join(characters), places


def _with_marks_joined(text: str, places: Places) -> tuple[str, Places]:
    """The same with letters and separate accents composed."""
    characters: list[str] = []
    joined: Places = []
    for letter, where in zip(text, places, strict=True):
        one = ""
        if characters and unicodedata.combining(letter):
            one = unicodedata.normalize("NFC", characters[-1] + letter)
        elif characters and characters[-1] in _ACCENTS:
            one = unicodedata.normalize("NFC", letter + _ACCENTS[characters[-1]])
        if len(one) == 1:
            characters[-1], joined[-1] = one, (*joined[-1], *where)
        else:
            characters.append(letter)
            joined.append(where)
    return "".join(characters), joined


def _box(text_page: pypdfium2.PdfTextPage, at: int) -> Box | None:
    rectangle = raw.FS_RECTF()
    if not raw.FPDFText_GetLooseCharBox(text_page, at, ctypes.byref(rectangle)):
        return None
    left, right = sorted((rectangle.left, rectangle.right))
    bottom, top = sorted((rectangle.bottom, rectangle.top))
    if right - left < 1e-3 or top - bottom < 1e-3:
        return None
    return Box(left, bottom, right, top)
