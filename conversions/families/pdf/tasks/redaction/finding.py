"""Where on the pages of a PDF a text stands, letter by letter, as PDFium reads it."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import pypdfium2.raw as raw

from conversions.families.pdf.pdfium import page_of
from conversions.toolkit.failures import InvalidOption, OverLimit, Unreadable

_MOST = 20_000
"""Letters to remove from one page."""

_LINE_END_HYPHENS = (0xFFFE, 0x02)


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


def pattern_of(phrases: str | None, pattern: str | None) -> re.Pattern[str]:
    """What matches any line of `phrases`, in any letter case and across lines of the page, or the regular expression.

    Raises InvalidOption where neither is given, and for an expression that is none or matches nothing at all.
    """
    parts = []
    for phrase in (phrases or "").splitlines():
        words = unicodedata.normalize("NFKC", phrase).split()
        if words:
            parts.append("(?i:" + r"\s*".join(re.escape(word) for word in words) + ")")
    if pattern:
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError) as error:
            raise InvalidOption("redactPattern", f"This is no regular expression: {error}.") from error
        parts.append(f"(?:{pattern})")
    if not parts:
        raise InvalidOption("redactText", "Give the text to remove in redactText, or a pattern in redactPattern.")
    try:
        compiled = re.compile("|".join(parts))
    except re.error as error:
        raise InvalidOption("redactPattern", f"This expression can't stand beside others: {error}.") from error
    if compiled.fullmatch(""):
        raise InvalidOption("redactPattern", "This expression matches everywhere.")
    return compiled


def find(source: Path, password: str | None, numbers: Iterable[int], pattern: re.Pattern[str]) -> dict[int, list[Box]]:
    """Page, counted from 0, to the boxes of the letters that match. Raises Unreadable, OverLimit."""
    found = {number: _on(page, pattern) for number, page in _pages(source, password, numbers)}
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


def _on(page: pypdfium2.PdfPage, pattern: re.Pattern[str]) -> list[Box]:
    text_page = page.get_textpage()
    try:
        text, places = _text(text_page)
        boxes: dict[int, Box] = {}
        for match in pattern.finditer(text):
            for at in range(match.start(), match.end()):
                for place in places[at]:
                    box = _box(text_page, place)
                    if box is not None:
                        boxes[place] = box
            if len(boxes) > _MOST:
                raise OverLimit("memory", "More letters are to be removed from a page than can be.")
        return list(boxes.values())
    finally:
        text_page.close()


def _text(text_page: pypdfium2.PdfTextPage) -> tuple[str, list[tuple[int, ...]]]:
    """The text with single spaces, and for each of its letters the numbers that PDFium gives it."""
    letters: list[str] = []
    places: list[tuple[int, ...]] = []
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
        if code in _LINE_END_HYPHENS:
            hyphen = True
            continue
        if code == 0:
            continue  # nothing is shown: some write each letter as two bytes, the first of which is none
        letter = chr(code)
        if letter.isspace():
            if not hyphen and letters and letters[-1] != " ":
                letters.append(" ")
                places.append(where)
            continue
        hyphen = False
        for each in unicodedata.normalize("NFKC", letter):
            letters.append(each)
            places.append(where)
    return "".join(letters), places


def _box(text_page: pypdfium2.PdfTextPage, at: int) -> Box | None:
    rectangle = raw.FS_RECTF()
    if not raw.FPDFText_GetLooseCharBox(text_page, at, ctypes.byref(rectangle)):
        return None
    left, right = sorted((rectangle.left, rectangle.right))
    bottom, top = sorted((rectangle.bottom, rectangle.top))
    if right - left < 1e-3 or top - bottom < 1e-3:
        return None
    return Box(left, bottom, right, top)
