"""Find the words of a page that are missing or new, by the letters that PDFium extracts."""

from __future__ import annotations

from collections import Counter

import pypdfium2

from engine.families.pdf import pdfium
from engine.families.pdf.page.text_pages import text_page_of
from engine.families.pdf.page_text import UNKNOWN


def text_of(page: pypdfium2.PdfPage) -> str:
    """Return the text of a page. Raises OverLimit."""
    with text_page_of(page) as text_page:
        return pdfium.characters_of(text_page).replace("\ufffe", "")


def surplus(one: str, other: str) -> list[str]:
    """Return the words of `one` with letters that `other` has fewer of.

    Letters are counted instead of words, because a different font may change where readers see spaces.
    """
    left = _letters(one) - _letters(other)
    if not left:
        return []
    rest = Counter(one.split()) - Counter(other.split())
    return [word for word in rest.elements() if any(letter in left for letter in word)] or ["".join(left)]


def _letters(text: str) -> Counter[str]:
    return Counter(letter for letter in text if letter > " " and letter != UNKNOWN and not letter.isspace())
