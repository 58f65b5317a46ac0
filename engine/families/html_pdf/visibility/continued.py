"""Find texts that a page cuts off at its edge and another page shows: a drawing may be divided between pages."""

from __future__ import annotations

import ctypes
import itertools
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import pypdfium2.raw as raw

from engine.families.html_pdf.visibility import objects

_MOST_PAGES = 24
"""Pages that are searched for the rest of a drawing."""
_ALIKE = 2
"""Texts of two pages that lie as far apart as each other, from which they belong to one drawing."""
_LEAST_OF_PAGE = 0.6
"""The least part of a page that its margins leave."""
_NEAR = (-1, 0, 1)
"""Points by which two distances may differ: places are rounded."""

_Texts = dict[str, list[tuple[int, int, bool]]]
"""The places of each text of a page, and whether it reaches over the edge of the page or its clip there."""


def without(target: Path, phrases: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the phrases, each with its page from 1, without words that another page shows as part of one drawing."""
    unseen: dict[int, list[str]] = {}
    for phrase, number in phrases:
        unseen.setdefault(number, []).append(phrase)
    with pypdfium2.PdfDocument(target) as pdf:
        numbers = range(1, min(len(pdf), _MOST_PAGES) + 1)
        size = pdf.get_page_size(0) if len(pdf) else (0.0, 0.0)
        texts = {number: _texts(pdf[number - 1]) for number in {*numbers, *unseen}} if len(pdf) > 1 else {}
    shared = {
        (number, other): _shared(texts[number], placed, size)
        for number in (unseen if texts else ())
        for other, placed in texts.items()
        if other != number
    }
    left: list[tuple[str, int]] = []
    for phrase, number in phrases:
        words = phrase.split()
        for (page, other), both in shared.items():
            if page == number and (whole := next((each for each in both if phrase in each), None)):
                hidden = {word for each in unseen.get(other, ()) if each in whole for word in each.split()}
                words = [word for word in words if word in hidden]
        left += [(" ".join(words), number)] if words else []
    return left


def _shared(own: _Texts, other: _Texts, size: tuple[float, float]) -> set[str]:
    """Return the texts that a page of a size cuts off and another one has, too: with a further text as far away from
    its own place, or beside it by the width or height of a page without margins."""
    times = Counter(
        (right - x, up - y)
        for text in own.keys() & other.keys()
        for x, y, _ in own[text]
        for right, up, _ in other[text]
    )
    found: set[str] = set()
    for text in own.keys() & other.keys():
        for (x, y, is_cut), (right, up, _) in itertools.product(own[text], other[text]):
            apart = (right - x, up - y)
            alike = sum(times[apart[0] + near, apart[1] + far] for near in _NEAR for far in _NEAR)
            if is_cut and (alike >= _ALIKE or _is_a_page(apart, size)):
                found.add(text)
    return found


def _is_a_page(apart: tuple[int, int], size: tuple[float, float]) -> bool:
    """Return whether a distance is that of a cell which begins on one page and ends on the next or a later one."""
    (along, whole), (across, _) = sorted(zip(map(abs, apart), size, strict=True), reverse=True)
    pages = max(math.ceil(along / whole), 1)
    return across in _NEAR and _LEAST_OF_PAGE * pages * whole <= along


def _texts(page: pypdfium2.PdfPage) -> _Texts:
    """Return the texts of a page, without further blanks."""
    found: _Texts = {}
    within = page.get_bbox()
    text_page = raw.FPDFText_LoadPage(page.raw)
    try:
        for each in objects.painted(page):
            if each.kind == objects.TEXT:
                size = raw.FPDFTextObj_GetText(each.handle, text_page, None, 0)
                letters = (ctypes.c_ushort * (size // 2 + 1))()
                raw.FPDFTextObj_GetText(each.handle, text_page, letters, size)
                text = bytes(letters)[: max(size - 2, 0)].decode("utf-16-le", "replace")
                seen = within if each.clip is None else objects.shared(each.clip, within)
                is_cut = objects.shared(each.box, seen) != each.box
                place = (round(each.box[0]), round(each.box[1]), is_cut)
                found.setdefault(" ".join(text.split()), []).append(place)
    finally:
        raw.FPDFText_ClosePage(text_page)
        page.close()
    return found
