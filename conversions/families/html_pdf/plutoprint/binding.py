"""Several pages of HTML bound as one PDF: each on paper of its own, with what runs along its heads and feet behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import plutoprint

from conversions.families.html_pdf.css import pages
from conversions.families.html_pdf.options import PageOptions
from conversions.families.html_pdf.paper import LARGEST, Margins
from conversions.families.html_pdf.plutoprint import batches, breaks, clusters, finishing, places
from conversions.families.html_pdf.plutoprint.engine import (
    PRODUCER,
    PX,
    UNSEEN,
    laid_out,
    prepared,
    say_fitted,
    style_sheet,
)
from conversions.families.html_pdf.render import Part
from conversions.families.html_pdf.source import cleaning, limits
from conversions.toolkit.warnings import Warn

_SMALLEST_SCALE = 0.1


@dataclass
class _Laid:
    """A part that is laid out, and the numbers of its pages."""

    part: Part
    paper: pages.Paper
    book: plutoprint.Book
    numbers: list[int]
    blank: bool = False
    """Whether an empty page comes before it, for it begins on the other side of the sheet."""


def bind(
    parts: Sequence[Part],
    target: Path,
    options: PageOptions,
    warn: Warn,
    *,
    title: str | None,
    elsewhere: frozenset[str],
) -> None:
    """Write the parts as one PDF, as `html_pdf.render.bound` says."""
    letters = clusters.Clusters()
    outline: list[finishing.Heading] = []
    laid: list[_Laid] = []
    named, language = options.title or title or "", None
    metadata: dict[str, str] = {}
    total = 0
    for part in parts:
        page, paper, book = _body(part, options, warn, letters, outline, elsewhere, named)
        named, language, metadata = named or page.title or "", language or page.language, metadata or page.metadata
        begins = part.number if part.number is not None else (laid[-1].numbers[-1] + 1 if laid else 1)
        wrong_side = begins % 2 != {"oddPage": 1, "evenPage": 0}.get(part.start, begins % 2)
        if wrong_side and part.number is None:
            begins += 1
        count = book.get_page_count()
        blank = wrong_side and bool(laid)
        total += count + blank
        limits.check_pages(total)
        laid.append(_Laid(part, paper, book, list(range(begins, begins + count)), blank))
    stream = BytesIO()
    first = laid[0].paper
    canvas = plutoprint.PDFCanvas.create_for_stream(stream, plutoprint.PageSize(first.width, first.height))
    for each in laid:
        _draw(canvas, each, total, warn, letters)
    canvas.finish()
    finishing.finish(
        stream,
        target,
        title=named,
        language=language,
        metadata=metadata,
        headings=outline,
        ranges=options.page_ranges,
        producer=PRODUCER,
        written=letters.written,
    )


def height(html: str, width: float, warn: Warn) -> float:
    """How high a page is, as `html_pdf.render.height` says."""
    paper = pages.Paper(width, LARGEST, Margins(0.0, 0.0, 0.0, 0.0))
    page, _ = prepared(html, warn, media="print", backgrounds=True)
    style_sheet(page.root, pages.sheet(None, paper, PageOptions(), "", scale=1.0))
    return laid_out(page.root, paper, PageOptions(), warn, last=True).get_document_height() / PX


def _body(
    part: Part,
    options: PageOptions,
    warn: Warn,
    letters: clusters.Clusters,
    outline: list[finishing.Heading],
    elsewhere: frozenset[str],
    title: str,
) -> tuple[cleaning.Page, pages.Paper, plutoprint.Book]:
    """One part laid out: what is wider than its paper reaches into the margin, and is made smaller only beyond that."""
    page, sheets = prepared(part.html, warn, media=options.media_type, backgrounds=options.background)
    paper = pages.chosen(pages.declared(sheets.lowered), options, warn)
    cleaning.split_texts(page)
    breaks.move(page, sheets.lowered, media=options.media_type)
    batches.batch(page, sheets.lowered, media=options.media_type)
    outline += places.name(page, elsewhere)
    style_sheet(page.root, UNSEEN + letters.replace(page), first=True)
    if not options.background:
        style_sheet(page.root, pages.without_backgrounds())
    injected = style_sheet(page.root, pages.sheet(None, paper, options, title, scale=options.scale))
    book = laid_out(page.root, paper, options, warn, scale=options.scale)
    wide = book.get_document_width() / PX * options.scale
    if options.fit_to_width and wide > paper.room[0] + paper.margins.right + 2:
        say_fitted(book.get_document_width(), (paper.room[0] + paper.margins.right) * PX, options, warn)
        scale = max((paper.room[0] + paper.margins.right) / wide, _SMALLEST_SCALE) * options.scale
        injected.text = pages.sheet(None, paper, options, title, scale=scale)
        book = laid_out(page.root, paper, options, warn, scale=scale)
    page.root.clear()
    return page, paper, book


def _draw(canvas: Any, laid: _Laid, total: int, warn: Warn, letters: clusters.Clusters) -> None:
    paper = laid.paper
    size = plutoprint.PageSize(paper.width, paper.height)
    if laid.blank:
        canvas.set_size(size)
        canvas.show_page()
    behind = _behind(laid, total, warn, letters)
    for at in range(len(laid.numbers)):
        canvas.set_size(size)
        for book in (behind, laid.book):
            if book is not None and at < book.get_page_count():
                canvas.save_state()
                canvas.scale(1 / PX, 1 / PX)
                book.render_page(canvas, at)
                canvas.restore_state()
        canvas.show_page()
    laid.book.clear_content()


def _behind(laid: _Laid, total: int, warn: Warn, letters: clusters.Clusters) -> plutoprint.Book | None:
    paper = laid.paper
    html = laid.part.running(paper.width, paper.height, laid.numbers, total)
    if html is None:
        return None
    page, _ = prepared(html, warn, media="print", backgrounds=True)
    places.name(page)
    whole = pages.Paper(paper.width, paper.height, Margins(0.0, 0.0, 0.0, 0.0))
    style_sheet(page.root, UNSEEN + letters.replace(page), first=True)
    style_sheet(page.root, pages.sheet(None, whole, PageOptions(), "", scale=1.0))
    return laid_out(page.root, whole, PageOptions(), warn, last=True)
