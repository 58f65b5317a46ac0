"""Open the text of a page, once its texts are counted that PDFium would go through again and again."""

from __future__ import annotations

import bisect
import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf.page.drawing import Matrix, objects_of, placed
from engine.families.pdf.page.glyphs import by_address
from engine.families.pdf.page.view import view_of
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MAX_STEPS = 80_000_000
"""The maximum texts that PDFium goes through to sort those of each line, 25 ns each: it inserts every text from the end
of its line.

8,000 texts of one line, each to the left of the one before, take 32 million and 0.8 s, 44,000 a billion and 25 s. Texts
in reading order take none, and 1,000 in the opposite order half a million.
"""
_FEW = 5_000
"""The objects of a page that may be in any order: 13 million steps."""
_DEEPEST = 100
"""Forms in one another: more than PDFium reads."""
_SAME_LINE = 0.5
"""Times the text size: the distance up or down that begins another line."""

_object_at = by_address(raw.FPDFPage_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_kind_of = by_address(raw.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)


@contextmanager
def text_page_of(page: pypdfium2.PdfPage) -> Iterator[pypdfium2.PdfTextPage]:
    """The text of a page, which takes as long to open as the page has texts. Raises OverLimit."""
    _check(page)
    text_page = page.get_textpage()
    try:
        yield text_page
    finally:
        text_page.close()


def _check(page: pypdfium2.PdfPage) -> None:
    """Raise OverLimit for a page whose texts take more than MAX_STEPS to sort."""
    if not _has_many(page):
        return
    view = view_of(page)
    steps = 0
    line: list[float] = []
    heights: list[float] = []
    for item, around in objects_of(page.raw, deepest=_DEEPEST):
        if raw.FPDFPageObj_GetType(item) != raw.FPDF_PAGEOBJ_TEXT:
            continue
        matrix = placed(item, around)
        across, down = view.point(matrix[4], matrix[5])
        if line and abs(down - heights[-1]) > _SAME_LINE * _size(item, matrix):
            line, heights = [], []
        at = bisect.bisect_right(line, across)
        steps += len(line) - at
        line.insert(at, across)
        heights.insert(at, down)
        if steps > MAX_STEPS:
            raise OverLimit(
                "limit",
                say("A page in the PDF has too much text out of order on one line: {count}.", count=len(line)),
            )


def _has_many(page: pypdfium2.PdfPage) -> bool:
    count = raw.FPDFPage_CountObjects(page.raw)
    if count > _FEW:
        return True
    address = ctypes.cast(page.raw, ctypes.c_void_p).value
    kinds = {_kind_of(_object_at(address, at)) for at in range(count)}
    return (
        raw.FPDF_PAGEOBJ_FORM in kinds
        and next(islice(objects_of(page.raw, deepest=_DEEPEST), _FEW, None), None) is not None
    )


def _size(text: Any, matrix: Matrix) -> float:
    size = ctypes.c_float()
    raw.FPDFTextObj_GetFontSize(text, size)
    return abs(size.value) * max(abs(matrix[0]), abs(matrix[1]))
