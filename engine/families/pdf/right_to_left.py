"""Put words of right-to-left scripts that a PDF shows letter by letter from the left into reading order."""

from __future__ import annotations

import ctypes
import itertools
import re
from collections.abc import Sequence

import pypdfium2
import pypdfium2.raw as raw

_LETTER = "[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
"""Letters and marks, but no digits, which run from the left."""
_WORD = re.compile(f"{_LETTER}{{2,}}")
_ANY = re.compile(_LETTER)
_ALEF_LAM = re.compile("[\u0622\u0623\u0625\u0627]\u0644")


def has_letters(text: str) -> bool:
    """Whether a text has letters of scripts that run from the right."""
    return _ANY.search(text) is not None


def joined(text_page: pypdfium2.PdfTextPage, found: str) -> str:
    """The characters of a page, all of which are in `found`, with lam before alef where both are one glyph.

    PDFium turns the characters of each line that runs from the right, those of a ligature too.
    """
    if len(found) != text_page.count_chars():
        return found

    def pair(match: re.Match[str]) -> str:
        at = match.start()
        return match[0][::-1] if text_page.get_charbox(at) == text_page.get_charbox(at + 1) else match[0]

    return _ALEF_LAM.sub(pair, found)


def is_turned_ligature(before: str, behind: str) -> bool:
    """Whether two characters of one glyph are those of the ligature of lam and alef, the wrong way round."""
    return _ALEF_LAM.fullmatch(before + behind) is not None


def righted(text_page: pypdfium2.PdfTextPage, found: str) -> str:
    """The characters of a page, all of which are in `found`, with such words reversed."""
    if len(found) != text_page.count_chars() or not has_letters(found):
        return found
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))

    def word(match: re.Match[str]) -> str:
        middles = []
        for at in range(*match.span()):
            raw.FPDFText_GetCharBox(text_page.raw, at, left, right, bottom, top)
            middles.append((left.value + right.value) / 2)
        return match[0][::-1] if from_left(middles) else match[0]

    return _WORD.sub(word, found)


def from_left(middles: Sequence[float]) -> bool:
    """Whether most letters of a word, of which these are the middles, are to the right of the one before."""
    steps = [behind - before for before, behind in itertools.pairwise(middles)]
    return bool(steps) and sum(step > 0 for step in steps) > sum(step < 0 for step in steps)
