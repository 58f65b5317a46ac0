"""Mirrored pages: those whose letters are seen as in a mirror, as for a print that is ironed on, or a slide's back."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import pypdfium2
import pypdfium2.raw as raw

from conversions.families.pdf.page.drawing import mirrors, objects_of

_FIRST, _MOST = 5, 200
"""Texts of a page that are looked at, and letters, or what is drawn before the texts."""

_SHARE = 0.6
"""Part of them that are mirrored on a page that is."""


def may_be_mirrored(page: pypdfium2.PdfPage) -> bool:
    """Whether the first texts of a page are mirrored, which is known before its text is read."""
    texts = (
        (item, matrix)
        for item, matrix in islice(objects_of(page.raw), _MOST)
        if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_TEXT
    )
    return any(mirrors(item, matrix) for item, matrix in islice(texts, _FIRST))


def is_mirrored(page: pypdfium2.PdfPage, letters: Sequence[int]) -> bool:
    """Whether most letters of a page are mirrored; they are given by their places in its text.

    What mirrors them is not enough: fonts of single drawings may have them the other way round themselves.
    """
    step = max(len(letters) // _MOST, 1)
    text = page.get_textpage()
    try:
        looks = [*_looks(text, letters[::step])]
    finally:
        text.close()
    return sum(looks) > _SHARE * len(looks)


def _looks(text: pypdfium2.PdfTextPage, places: Iterable[int]) -> Iterator[bool]:
    """Whether each letter is mirrored: its matrix says so, and its shape stands where the matrix has above."""
    matrix = raw.FS_MATRIX()
    x, y, left, right, bottom, top = (ctypes.c_double() for _ in range(6))
    for at in places:
        raw.FPDFText_GetMatrix(text.raw, at, matrix)
        if matrix.a * matrix.d - matrix.b * matrix.c >= 0:
            yield False
            continue
        raw.FPDFText_GetCharOrigin(text.raw, at, x, y)
        raw.FPDFText_GetCharBox(text.raw, at, left, right, bottom, top)
        across, up = (left.value + right.value) / 2 - x.value, (bottom.value + top.value) / 2 - y.value
        stands = across * matrix.c + up * matrix.d
        yield stands > 0 if raw.FPDFText_GetFontSize(text.raw, at) > 0 else stands < 0
