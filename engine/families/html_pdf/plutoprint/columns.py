"""Lay out multi-page columns as narrow pages, several of which share a sheet.

PlutoPrint fills the first column on all pages before it begins the second, which breaks the reading order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import plutoprint

from engine.families.html_pdf.css import pages
from engine.families.html_pdf.paper import LARGEST
from engine.families.html_pdf.plutoprint import footnotes, link_targets
from engine.families.html_pdf.plutoprint.layout import PX
from engine.toolkit.warnings import Warn

CLASS = "columns"
_COLUMNS = re.compile(r"column-count:(\d+);column-gap:([\d.]+)pt")
_KEPT = ("style", "fc-run")
"""Elements of a page's body that contain no text."""
_MOST = 0.85
"""The share of a page that content above the columns may take."""
_MARKED = 400
"""The number of blocks that are searched for the first one beyond the first sheet."""
_NAMES, _FRESH = "fc-column", "data-fresh"
_TO_COLUMN, _TO_PAGE = "break-before:column", "break-before:page"


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


def present(root: Any) -> bool:
    """Whether a page has columns that may continue over several sheets."""
    return any(each.get("class") == CLASS for each in root.iter("div"))


def arranged(root: Any, paper: pages.Paper, beside: float, scale: float, lay: Lay, warn: Warn) -> Sheets:
    """The sheets of a page whose columns continue over several of them.

    `beside` are the indents of the text within the margins, in points.
    """
    body = root.find("body")
    texts = [each for each in body if isinstance(each.tag, str) and each.tag not in _KEPT]
    wrappers = [each for each in body.iter("div") if each.get("class") == CLASS]
    match = _COLUMNS.match(wrappers[0].get("style") or "")
    if len(wrappers) > 1 or wrappers[0].getparent() is not body or match is None:
        for each in wrappers:
            each.set("style", "")
        warn("VALUE_CONVERTED", "Multi-column sections that cross pages became one column.")
        return plain(lay(paper))
    if "column-rule" in wrappers[0].get("style"):
        warn("STYLE_DROPPED", "Lines between columns that cross pages were left out.")
    number, gap = int(match[1]), float(match[2])
    room = paper.room[0] / scale - beside
    width = (room - gap * (number - 1)) / number
    at = texts.index(wrappers[0])
    wrappers[0].set("style", f"width:{width:.2f}pt")
    step = (width + gap) * scale
    with _linked(root):
        made = _columns(body, texts[:at], wrappers[0], paper, number, step, scale, lay)
        if any(each.text_content().strip() for each in texts[at + 1 :]):
            with _only(body, texts[at + 1 :]):
                made += plain(lay(paper))
    return made


def _columns(
    body: Any, above: list[Any], wrapper: Any, paper: pages.Paper, number: int, step: float, scale: float, lay: Lay
) -> Sheets:
    made: Sheets = []
    blocks = list(wrapper)
    first = 0
    if any(each.text_content().strip() or each.find(".//img") is not None for each in above):
        endless = replace(paper, height=LARGEST, margins=replace(paper.margins, top=0.0, bottom=0.0))
        with _only(body, above):
            high = lay(endless).get_document_height() / PX * scale
            made = plain(lay(paper))
        if len(made) == 1 and high < _MOST * paper.room[1]:
            short = replace(paper, margins=replace(paper.margins, top=paper.margins.top + high))
            with _only(body, [wrapper]):
                first = _first_beyond(blocks, lay(short), number, short)
                with _only(wrapper, blocks[:first], blocks):
                    book = lay(short)
            rows = _rows(book, wrapper, number, step) if first else []
            made[0] += rows[0] if rows else []
            made += rows[1:]
    if first < len(blocks):
        with _only(body, [wrapper]), _only(wrapper, blocks[first:], blocks):
            book = lay(paper)
        made += _rows(book, wrapper, number, step)
    return made


def _rows(book: plutoprint.Book, wrapper: Any, number: int, step: float) -> Sheets:
    """The narrow pages of a book side by side; a forced page break starts a new sheet."""
    fresh = frozenset(each.get("id") for each in wrapper.iter() if each.get(_FRESH) is not None)
    begins = {page for page, _ in footnotes.find_marks(book, fresh).places.values()} if fresh else set()
    rows: Sheets = []
    for each in range(book.get_page_count()):
        if not rows or len(rows[-1]) == number or each in begins:
            rows.append([])
        rows[-1].append(Placed(book, each, len(rows[-1]) * step))
    return rows


def _first_beyond(blocks: list[Any], book: plutoprint.Book, number: int, paper: pages.Paper) -> int:
    """The first block that is not completely within that number of first pages of a book."""
    names = {each.get("id"): at for at, each in enumerate(blocks[:_MARKED])}
    found = footnotes.find_marks(book, frozenset(names)).places
    for name, at in names.items():
        page, down = found.get(name, (0, 0.0))
        if page >= number:
            return at - (1 if at and down > paper.margins.top + 3 else 0)
    return len(blocks) if book.get_page_count() <= number else max(min(len(blocks), _MARKED) - 1, 0)


@contextmanager
def _only(parent: Any, kept: list[Any], blocks: list[Any] | None = None) -> Iterator[None]:
    """An element with only some of its children for a while; non-text ones stay."""
    children = list(parent)
    for each in children:
        if each not in kept and (blocks is not None or each.tag not in _KEPT):
            parent.remove(each)
    here = {each.get("id") for each in parent.iter() if each.get("id")}
    away = [each for each in parent.iter("a") if (each.get("href") or "").startswith("#")
            and each.get("href")[1:] not in here and each.getparent().tag not in _KEPT]  # fmt: skip
    for each in away:
        each.set("href", link_targets.ELSEWHERE + each.get("href")[1:])
    try:
        yield
    finally:
        for each in away:
            each.set("href", "#" + each.get("href").removeprefix(link_targets.ELSEWHERE))
        parent[:] = children


@contextmanager
def _linked(root: Any) -> Iterator[None]:
    """The page with an id for each block of its columns, and hidden links to all link targets."""
    body = root.find("body")
    names = count(1)
    wanted = {each.get("href")[1:] for each in root.iter("a") if (each.get("href") or "").startswith("#")}
    wrapper = next(each for each in body if each.get("class") == CLASS)
    for each in wrapper.iter():
        style = each.get("style") or ""
        if _TO_PAGE in style:
            each.set(_FRESH, "")
        elif _TO_COLUMN in style:
            each.set("style", style.replace(_TO_COLUMN, _TO_PAGE))
    for each in (*wrapper[:_MARKED], *wrapper.iterfind(f".//*[@{_FRESH}]")):
        if each.get("id") is None:
            each.set("id", f"{_NAMES}-{next(names)}")
        wanted.add(each.get("id"))
    hidden = body.makeelement("fc-run", hidden="")
    for name in sorted(wanted):
        hidden.append(body.makeelement("a", href=f"#{name}"))
    body.append(hidden)
    yield
