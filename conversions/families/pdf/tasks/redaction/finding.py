"""Where on the pages of a PDF a text stands, letter by letter, as PDFium reads it."""

from __future__ import annotations

import ctypes
import itertools
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import pypdfium2.raw as raw

from conversions.families.pdf.pdfium import page_of
from conversions.families.pdf.tasks.redaction.wanted import Wanted
from conversions.toolkit.failures import OverLimit, Unreadable

_MOST = 20_000
"""Letters to remove from one page."""

_LINE_END_HYPHENS = (0xFFFE, 0x02, 0xAD)


Places = list[tuple[int, ...]]
"""For each letter of a text the numbers that PDFium gives what it is made of."""

_ACCENTS = {
    "\u00b4": "\u0301", "\u02c6": "\u0302", "\u02dc": "\u0303", "\u00af": "\u0304",
    "\u02d8": "\u0306", "\u02d9": "\u0307", "\u00a8": "\u0308", "\u02da": "\u030a", "\u02dd": "\u030b",
    "\u02c7": "\u030c", "\u00b8": "\u0327", "\u02db": "\u0328",
}  # fmt: skip
"""Accents that TeX prints before their letter to the mark that follows it in a text."""


@dataclass(frozen=True)
class Box:
    """Around one letter, in the page's own coordinates."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )


def find(source: Path, password: str | None, numbers: Iterable[int], wanted: Wanted) -> dict[int, list[Box]]:
    """Page, counted from 0, to the boxes of the letters that match. Raises Unreadable, OverLimit."""
    found = {number: _on(page, wanted) for number, page in _pages(source, password, numbers)}
    return {number: boxes for number, boxes in found.items() if boxes}


def unreadable(source: Path, password: str | None, numbers: Iterable[int]) -> dict[int, int]:
    """Page, counted from 0, to the number of its letters whose font does not say which letters they are."""
    found = {number: _unmapped(page) for number, page in _pages(source, password, numbers)}
    return {number: count for number, count in found.items() if count}


def _pages(source: Path, password: str | None, numbers: Iterable[int]) -> Iterator[tuple[int, pypdfium2.PdfPage]]:
    try:
        document = pypdfium2.PdfDocument(source, password=password)
    except pypdfium2.PdfiumError as error:
        raise Unreadable("The PDF is damaged or incomplete.") from error
    try:
        for number in numbers:
            if number >= len(document):
                raise Unreadable("The PDF is damaged: pages are missing.")
            with page_of(document, number) as page:
                yield number, page
    finally:
        document.close()


def _unmapped(page: pypdfium2.PdfPage) -> int:
    text_page = page.get_textpage()
    try:
        letters = range(max(0, text_page.count_chars()))
        return sum(raw.FPDFText_HasUnicodeMapError(text_page, at) == 1 for at in letters)
    finally:
        text_page.close()


def _on(page: pypdfium2.PdfPage, wanted: Wanted) -> list[Box]:
    text_page = page.get_textpage()
    try:
        read = _text(text_page)
        boxes: dict[int, Box] = {}
        for text, places in (read, _with_marks_joined(*read)):
            for start, end in wanted.spans(text):
                for place in itertools.chain(*places[start:end]):
                    box = _box(text_page, place)
                    if box is not None:
                        boxes[place] = box
                if len(boxes) > _MOST:
                    raise OverLimit("memory", "More letters are to be removed from a page than can be.")
        return list(boxes.values())
    finally:
        text_page.close()


def _text(text_page: pypdfium2.PdfTextPage) -> tuple[str, Places]:
    """The text with single spaces, and where its letters are."""
    letters: list[str] = []
    places: Places = []
    hyphen = False
    high: tuple[int, int] | None = None
    for at in range(max(0, text_page.count_chars())):
        code = raw.FPDFText_GetUnicode(text_page, at)
        where: tuple[int, ...] = (at,)
        if 0xD800 <= code < 0xDC00:
            high = (code, at)
            continue
        if 0xDC00 <= code < 0xE000 and high is not None:
            code, where = 0x10000 + ((high[0] - 0xD800) << 10) + (code - 0xDC00), (high[1], at)
        high = None
        if code in _LINE_END_HYPHENS or unicodedata.category(chr(code)) == "Cf":
            hyphen = hyphen or code in _LINE_END_HYPHENS
            continue  # which has no width
        if code == 0:
            continue  # nothing is shown: some write each letter as two bytes, the first of which is none
        letter = chr(code)
        if letter.isspace():
            if not hyphen and letters and letters[-1] != " ":
                letters.append(" ")
                places.append(where)
            continue
        hyphen = False
        for each in letter if letter in _ACCENTS else unicodedata.normalize("NFKC", letter):
            letters.append(each)
            places.append(where)
    return "".join(letters), places


def _with_marks_joined(text: str, places: Places) -> tuple[str, Places]:
    """The same with letters and marks that stand apart as the one letter that is printed."""
    letters: list[str] = []
    joined: Places = []
    for letter, where in zip(text, places, strict=True):
        one = ""
        if letters and unicodedata.combining(letter):
            one = unicodedata.normalize("NFC", letters[-1] + letter)
        elif letters and letters[-1] in _ACCENTS:
            one = unicodedata.normalize("NFC", letter + _ACCENTS[letters[-1]])
        if len(one) == 1:
            letters[-1], joined[-1] = one, (*joined[-1], *where)
        else:
            letters.append(letter)
            joined.append(where)
    return "".join(letters), joined


def _box(text_page: pypdfium2.PdfTextPage, at: int) -> Box | None:
    rectangle = raw.FS_RECTF()
    if not raw.FPDFText_GetLooseCharBox(text_page, at, ctypes.byref(rectangle)):
        return None
    left, right = sorted((rectangle.left, rectangle.right))
    bottom, top = sorted((rectangle.bottom, rectangle.top))
    if right - left < 1e-3 or top - bottom < 1e-3:
        return None
    return Box(left, bottom, right, top)
