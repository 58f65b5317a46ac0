"""Recognise mirrored pages, as for iron-on prints or the back of a slide."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from itertools import islice

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf.page.drawing import objects_of, runs_to_left

_FIRST, _MOST = 5, 200
"""The maximum text objects of a page that are sampled, and glyphs, or objects before the first text."""

_SHARE = 0.6
"""The minimum share of mirrored ones on a mirrored page."""


def may_be_reversed(page: pypdfium2.PdfPage) -> bool:
    """Whether one of the first texts of a page is mirrored or upside down, which can be told before extracting the
    text."""
    texts = (
        (item, matrix)
        for item, matrix in islice(objects_of(page.raw), _MOST)
        if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_TEXT
    )
    return any(runs_to_left(item, matrix) for item, matrix in islice(texts, _FIRST))


def is_mirrored(text_page: pypdfium2.PdfTextPage, indexes: Sequence[int]) -> bool:
    """Whether most glyphs of a page, given by their text indexes, are mirrored.

    The matrix alone does not decide: symbol fonts may have mirrored outlines themselves.
    """
    return _most(text_page, indexes, _is_mirrored)


def is_reversed(text_page: pypdfium2.PdfTextPage, indexes: Sequence[int]) -> bool:
    """Whether most glyphs of a page are mirrored or upside down, so that PDFium reverses parts of lines."""
    return _most(text_page, indexes, lambda text, at: _matrix(text, at)[0] < 0)


def _most(
    text: pypdfium2.PdfTextPage, indexes: Sequence[int], are: Callable[[pypdfium2.PdfTextPage, int], bool]
) -> bool:
    step = max(len(indexes) // _MOST, 1)
    results = [are(text, at) for at in indexes[::step]]
    return sum(results) > _SHARE * len(results)


def _matrix(text: pypdfium2.PdfTextPage, at: int) -> tuple[float, float, float, float]:
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text.raw, at, matrix)
    return matrix.a, matrix.b, matrix.c, matrix.d


def _is_mirrored(text: pypdfium2.PdfTextPage, at: int) -> bool:
    """Whether a glyph is mirrored: its matrix flips it, and its outline is on the upper side of the matrix."""
    a, b, c, d = _matrix(text, at)
    if a * d - b * c >= 0:
        return False
    x, y, left, right, bottom, top = (ctypes.c_double() for _ in range(6))
    raw.FPDFText_GetCharOrigin(text.raw, at, x, y)
    raw.FPDFText_GetCharBox(text.raw, at, left, right, bottom, top)
    across, up = (left.value + right.value) / 2 - x.value, (bottom.value + top.value) / 2 - y.value
    stands = across * c + up * d
    return stands > 0 if raw.FPDFText_GetFontSize(text.raw, at) > 0 else stands < 0
