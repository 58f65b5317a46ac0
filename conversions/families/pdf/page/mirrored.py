"""Mirrored pages: those whose letters are seen as in a mirror, as for a print that is ironed on, or a slide's back."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from itertools import islice

import pypdfium2
import pypdfium2.raw as raw

from conversions.families.pdf.page.drawing import objects_of, runs_to_left

_FIRST, _MOST = 5, 200
"""Texts of a page that are looked at, and letters, or what is drawn before the texts."""

_SHARE = 0.6
"""Part of them that are mirrored on a page that is."""


def may_run_back(page: pypdfium2.PdfPage) -> bool:
    """Whether one of the first texts of a page is mirrored or on its head, which is known before its text is read."""
    texts = (
        (item, matrix)
        for item, matrix in islice(objects_of(page.raw), _MOST)
        if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_TEXT
    )
    return any(runs_to_left(item, matrix) for item, matrix in islice(texts, _FIRST))


def is_mirrored(page: pypdfium2.PdfPage, letters: Sequence[int]) -> bool:
    """Whether most letters of a page are mirrored; they are given by their places in its text.

    What mirrors them is not enough: fonts of single drawings may have them the other way round themselves.
    """
    return _most(page, letters, _is_mirrored)


def runs_back(page: pypdfium2.PdfPage, letters: Sequence[int]) -> bool:
    """Whether most letters of a page are mirrored or on their heads, so that PDFium has the parts of lines reversed."""
    return _most(page, letters, lambda text, at: _matrix(text, at)[0] < 0)


def _most(page: pypdfium2.PdfPage, letters: Sequence[int], are: Callable[[pypdfium2.PdfTextPage, int], bool]) -> bool:
    step = max(len(letters) // _MOST, 1)
    text = page.get_textpage()
    try:
        looks = [are(text, at) for at in letters[::step]]
    finally:
        text.close()
    return sum(looks) > _SHARE * len(looks)


def _matrix(text: pypdfium2.PdfTextPage, at: int) -> tuple[float, float, float, float]:
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text.raw, at, matrix)
    return matrix.a, matrix.b, matrix.c, matrix.d


def _is_mirrored(text: pypdfium2.PdfTextPage, at: int) -> bool:
    """Whether a letter is: its matrix says so, and its shape stands where the matrix has above."""
    a, b, c, d = _matrix(text, at)
    if a * d - b * c >= 0:
        return False
    x, y, left, right, bottom, top = (ctypes.c_double() for _ in range(6))
    raw.FPDFText_GetCharOrigin(text.raw, at, x, y)
    raw.FPDFText_GetCharBox(text.raw, at, left, right, bottom, top)
    across, up = (left.value + right.value) / 2 - x.value, (bottom.value + top.value) / 2 - y.value
    stands = across * c + up * d
    return stands > 0 if raw.FPDFText_GetFontSize(text.raw, at) > 0 else stands < 0
