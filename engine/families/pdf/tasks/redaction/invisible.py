"""Find the whole words of invisible text, such as that recognised in a scan.

Only the words of such text stand where the picture has them: their letters are set in another font than the picture's.
"""

from __future__ import annotations

import unicodedata

import pypdfium2
import pypdfium2.raw as raw

_MODES = (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)
_MOST = 100
"""Letters of a word on either side of one of them."""


def word(text_page: pypdfium2.PdfTextPage, at: int) -> range:
    """PDFium's indexes of the word with the letter `at`, or none if the letter is visible or a space.

    Wide letters (UAX 11), between which there are no spaces, are words of their own.
    """
    if not _is_part(text_page, at):
        return range(0)
    if _is_wide(text_page, at):
        return range(at, at + 1)
    first = last = at
    while first > max(at - _MOST, 0) and _goes_on(text_page, first - 1):
        first -= 1
    while last < min(at + _MOST, text_page.count_chars() - 1) and _goes_on(text_page, last + 1):
        last += 1
    return range(first, last + 1)


def _goes_on(text_page: pypdfium2.PdfTextPage, at: int) -> bool:
    return _is_part(text_page, at) and not _is_wide(text_page, at)


def _is_part(text_page: pypdfium2.PdfTextPage, at: int) -> bool:
    """Whether a character is an invisible letter."""
    code = raw.FPDFText_GetUnicode(text_page, at)
    if not code or chr(code).isspace() or raw.FPDFText_IsGenerated(text_page, at) == 1:
        return False
    return raw.FPDFTextObj_GetTextRenderMode(raw.FPDFText_GetTextObject(text_page, at)) in _MODES


def _is_wide(text_page: pypdfium2.PdfTextPage, at: int) -> bool:
    return unicodedata.east_asian_width(chr(raw.FPDFText_GetUnicode(text_page, at))) in "WF"
