"""Detect pages whose texts are in fonts with neither outlines nor a character mapping."""

from __future__ import annotations

import ctypes
from itertools import islice
from typing import Any

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf.page.drawing import objects_of

_MAX_TEXTS, _MAX_FIRST = 200, 50_000
"""Text objects of a page that are sampled, and the number of its first objects they are sampled from."""


def is_unread(page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage) -> bool:
    """Whether most of the sampled texts of a page are in a font with neither outlines nor a character mapping."""
    first = islice(objects_of(page.raw), _MAX_FIRST)
    texts = (item for item, _ in first if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_TEXT)
    silent = [_is_silent(item, text_page) for item in islice(texts, _MAX_TEXTS)]
    return sum(silent) > 0.5 * len(silent)


def _is_silent(text: Any, text_page: pypdfium2.PdfTextPage) -> bool:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    shaped = raw.FPDFPageObj_GetBounds(text, left, bottom, right, top) and right.value - left.value > 0.5
    # Two bytes are the terminating NUL.
    return not shaped and raw.FPDFTextObj_GetText(text, text_page.raw, None, 0) <= 2
