"""Find the pages whose lower part is empty, by what is drawn there."""

from __future__ import annotations

from dataclasses import dataclass

import plutoprint

from engine.families.html_pdf.css.pages import Paper

LEAST = 0.2
"""The part of the height between the margins from which an empty end is a gap."""
_PX = 4 / 3
_SCALE = 0.125
"""Pixels of the drawing in a CSS pixel."""
MOST_PAGES = 30
"""The pages of a document in which gaps are looked for; each is drawn, some 5 ms."""


@dataclass(frozen=True)
class Filled:
    """How far pages are filled: the gaps by the index of their page, and the height of what all pages have, in points.

    A gap is the empty end of a page that is not the last one.
    """

    gaps: dict[int, float]
    height: float


def found(book: plutoprint.Book, paper: Paper) -> Filled:
    """How far the pages of a layout are filled; a document of too many pages has no gaps.

    A background or border that goes on to the end of a page does not fill it.
    """
    count = book.get_page_count()
    if count > MOST_PAGES:
        return Filled({}, count * paper.room[1])
    ends = [_gap(book, at, paper) for at in range(count)]
    gaps = {at: end for at, end in enumerate(ends[:-1]) if end >= LEAST * paper.room[1]}
    return Filled(gaps, count * paper.room[1] - sum(ends))


def _gap(book: plutoprint.Book, at: int, paper: Paper) -> float:
    """The height of the rows of pixels above the lower margin that are all alike."""
    columns, height = (max(round(each * _PX * _SCALE), 1) for each in (paper.width, paper.height))
    canvas = plutoprint.ImageCanvas(columns, height)
    canvas.clear_surface(1, 1, 1, 1)
    canvas.scale(_SCALE, _SCALE)
    book.render_page(canvas, at)
    data, stride = bytes(canvas.get_data()), canvas.get_stride()
    top, bottom = (round(each * _PX * _SCALE) for each in (paper.margins.top, paper.height - paper.margins.bottom))
    last = max(bottom - 2, 0)  # the row of pixels at the margin is drawn in part
    first = last
    while first > top and _row(data, stride, first - 1) == _row(data, stride, last):
        first -= 1
    return (bottom - first) / _SCALE / _PX


def _row(data: bytes, stride: int, at: int) -> bytes:
    return data[at * stride : (at + 1) * stride]
