"""Pages of several books on one sheet: how multi-page columns of bound documents are drawn.

PlutoPrint fills the first column on all pages before it begins the second, which breaks the reading order, and may add
one beyond the paper for a last line. So each column is a narrow page, and several of them share a sheet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import plutoprint

from engine.families.html_pdf.css import pages

CLASS = "columns"
_COLUMNS = re.compile(r"column-count:(\d+);column-gap:([\d.]+)pt")
FILLED = "column-fill:auto"
"""In the style of columns of which each is filled before the next one, rather than all to one height."""


@dataclass(frozen=True)
class Shape:
    """The number of columns, their width and the gap between them, in points of the page's own lengths."""

    number: int
    width: float
    gap: float


@dataclass(frozen=True)
class Placed:
    """A page of a book, drawn shifted to the right by this many points."""

    book: plutoprint.Book
    number: int
    right: float = 0.0


Sheets = list[list[Placed]]
Lay = Callable[[pages.Paper], plutoprint.Book]
"""Lays out the page in its current state, on a given paper."""


def plain(book: plutoprint.Book) -> Sheets:
    """Each page of a book on its own sheet."""
    return [[Placed(book, number)] for number in range(book.get_page_count())]


def wrappers(root: Any) -> list[Any]:
    """The elements of a page whose content stands in columns."""
    return [each for each in root.iter("div") if each.get("class") == CLASS]


def shape(wrapper: Any, paper: pages.Paper, beside: float, scale: float) -> Shape:
    """The columns of an element; `beside` are the indents of the text within the margins of its page, in points."""
    match = _COLUMNS.match(wrapper.get("style") or "")
    number, gap = (int(match[1]), float(match[2])) if match else (1, 0.0)
    return Shape(number, (paper.room[0] / scale - beside - gap * (number - 1)) / number, gap)


@contextmanager
def narrow(root: Any, paper: pages.Paper, beside: float, scale: float) -> Iterator[None]:
    """The page with one narrow column in place of each section's several."""
    held = [(each, each.get("style") or "") for each in wrappers(root)]
    for each, _ in held:
        each.set("style", f"width:{shape(each, paper, beside, scale).width:.2f}pt")
    try:
        yield
    finally:
        for each, style in held:
            each.set("style", style)
