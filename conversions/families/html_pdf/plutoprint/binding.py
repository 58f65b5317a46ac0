"""Several pages of HTML bound as one PDF: each on paper of its own, with what runs along its heads and feet behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import plutoprint

from conversions.families.html_pdf.css import pages
from conversions.families.html_pdf.options import PageOptions
from conversions.families.html_pdf.paper import LARGEST, Margins
from conversions.families.html_pdf.plutoprint import (
    batches,
    breaks,
    clusters,
    columns,
    finishing,
    footnotes,
    note_pages,
    places,
)
from conversions.families.html_pdf.plutoprint.engine import (
    PRODUCER,
    PX,
    UNSEEN,
    laid_out,
    prepared,
    say_fitted,
    style_sheet,
)
from conversions.families.html_pdf.render import Notes, Part
from conversions.families.html_pdf.source import cleaning, limits
from conversions.toolkit.warnings import Kind, Warn

_SMALLEST_SCALE = 0.1
_AT_END = Kind("VALUE_CONVERTED", "Footnotes stand at the end of the text")


@dataclass
class _Laid:
    """A part that is laid out, and the numbers of its pages."""

    part: Part
    paper: pages.Paper
    sheets: columns.Sheets
    numbers: list[int]
    blank: bool = False
    """Whether an empty page comes before it, for it begins on the other side of the sheet."""
    feet: footnotes.Feet = field(default_factory=footnotes.Feet)
    last: dict[int, int] = field(default_factory=dict)
    """How many links the notes of each page have."""
    own: set[str] = field(default_factory=set)
    """The names of places in the notes."""


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
        part, page, paper, sheets, feet, headings = _body(part, options, warn, letters, elsewhere, named)
        outline += headings
        named, language, metadata = named or page.title or "", language or page.language, metadata or page.metadata
        begins = part.number if part.number is not None else (laid[-1].numbers[-1] + 1 if laid else 1)
        wrong_side = begins % 2 != {"oddPage": 1, "evenPage": 0}.get(part.start, begins % 2)
        if wrong_side and part.number is None:
            begins += 1
        count = len(sheets)
        blank = wrong_side and bool(laid)
        total += count + blank
        limits.check_pages(total)
        laid.append(_Laid(part, paper, sheets, list(range(begins, begins + count)), blank, feet))
    stream = BytesIO()
    first = laid[0].paper
    canvas = plutoprint.PDFCanvas.create_for_stream(stream, plutoprint.PageSize(first.width, first.height))
    for each in laid:
        _draw(canvas, each, total, warn, letters, elsewhere)
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
        mend=lambda pdf: _mend(pdf, laid) if elsewhere else None,
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
    elsewhere: frozenset[str],
    title: str,
) -> tuple[Part, cleaning.Page, pages.Paper, columns.Sheets, footnotes.Feet, list[finishing.Heading]]:
    """One part laid out: what is wider than its paper reaches into the margin, and is made smaller only beyond that."""
    page, sheets = prepared(part.html, warn, media=options.media_type, backgrounds=options.background)
    paper = pages.chosen(pages.declared(sheets.lowered), options, warn)
    cleaning.split_texts(page)
    breaks.move(page, sheets.lowered, media=options.media_type)
    batches.batch(page, sheets.lowered, media=options.media_type)
    headings = places.name(page, elsewhere)
    style_sheet(page.root, UNSEEN + letters.replace(page), first=True)
    if not options.background:
        style_sheet(page.root, pages.without_backgrounds())
    scale = options.scale
    injected = style_sheet(page.root, pages.sheet(None, paper, options, title, scale=scale))
    left = {} if part.notes is None else note_pages.heights(part.notes, paper, warn, letters)
    marks = {name: each for each in page.root.iter() if (name := each.get("id")) in left}
    _leave(marks, left, part.notes, scale)
    book = laid_out(page.root, paper, options, warn, scale=scale)
    wide = book.get_document_width() / PX * options.scale
    if options.fit_to_width and wide > paper.room[0] + paper.margins.right + 2:
        say_fitted(book.get_document_width(), (paper.room[0] + paper.margins.right) * PX, options, warn)
        scale = max((paper.room[0] + paper.margins.right) / wide, _SMALLEST_SCALE) * options.scale
        injected.text = pages.sheet(None, paper, options, title, scale=scale)
        _leave(marks, left, part.notes, scale)
        book = laid_out(page.root, paper, options, warn, scale=scale)
    feet = footnotes.Feet()
    if part.notes is not None and left:
        drawn = footnotes.look(book, frozenset(left))
        together = footnotes.on_one_line(drawn, left, part.notes.below)
        if together != left:
            _leave(marks, together, part.notes, scale)
            book = laid_out(page.root, paper, options, warn, scale=scale)
            drawn = footnotes.look(book, frozenset(left))
        feet = footnotes.feet(drawn, {each: together[each] / scale for each in left}, part.notes.below, scale)
        most = footnotes.LARGEST * paper.room[1]
        away = {each for each in left if together[each] > most or each not in drawn.places}
        if away := away | footnotes.cut(drawn, feet):
            return _body(_without(part, part.notes, away, warn), options, warn, letters, elsewhere, title)
    made = columns.plain(book)
    if len(made) > 1 and columns.present(page.root):
        if part.notes is not None and feet.notes:
            return _body(_without(part, part.notes, set(left), warn), options, warn, letters, elsewhere, title)

        def lay(on: pages.Paper) -> plutoprint.Book:
            injected.text = pages.sheet(None, on, options, title, scale=scale)
            return laid_out(page.root, on, options, warn, scale=scale)

        made = columns.arranged(page.root, paper, part.beside, scale, lay, warn)
    page.root.clear()
    return part, page, paper, made, feet, headings


def _leave(marks: dict[str, Any], left: dict[str, float], notes: Notes | None, scale: float) -> None:
    for name, each in marks.items():
        if notes is not None:
            each.set("style", footnotes.style(left[name] / scale, notes.below[name]))


def _without(part: Part, notes: Notes, away: set[str], warn: Warn) -> Part:
    """The part with the notes for which there is no room at its end; all of them where that was done before."""
    if not away < notes.texts.keys():
        away = set(notes.texts)
    warn.tally(_AT_END, len(away), part=str(id(part.running)))
    kept = {name: text for name, text in notes.texts.items() if name not in away}
    html = notes.at_end([each for each in notes.texts if each in away])
    return replace(part, html=html, notes=replace(notes, texts=kept) if kept else None)


def _mend(pdf: pikepdf.Pdf, laid: list[_Laid]) -> None:
    """Join what leads from one part to another, and take out and move what was written of a page more than once."""
    places.join(pdf)
    bands: dict[tuple[int, int], tuple[list[footnotes.Band], float]] = {}
    own: set[str] = set()
    at = 0
    for each in laid:
        at += each.blank
        for number, found in each.feet.bands.items():
            page, height = pdf.pages[at + number], each.paper.height
            links, last = each.feet.links[number], each.last.get(number, 0)
            footnotes.mend(page, found, links=links, last=last, height=height)
            bands[page.obj.objgen] = found, height
        at += len(each.numbers)
        own.update(each.own)
    for name, place in finishing.destinations(pdf).items():
        if name not in own and place[0].objgen in bands:
            footnotes.move(place, *bands[place[0].objgen])


def _draw(
    canvas: Any, laid: _Laid, total: int, warn: Warn, letters: clusters.Clusters, elsewhere: frozenset[str]
) -> None:
    paper = laid.paper
    size = plutoprint.PageSize(paper.width, paper.height)
    if laid.blank:
        canvas.set_size(size)
        canvas.show_page()
    behind = _behind(laid, total, warn, letters)
    notes = None
    if laid.part.notes is not None and laid.feet.notes:
        notes = note_pages.drawn(laid.part.notes, laid.feet.notes, paper, warn, letters, elsewhere)
        laid.last.update(notes.last)
        laid.own.update(notes.own)
    for at in range(len(laid.numbers)):
        warn.progress(laid.numbers[at], max(total, laid.numbers[at]), "pages")
        canvas.set_size(size)
        beneath = [] if behind is None else [columns.Placed(behind, at)]
        above = [] if notes is None or at not in notes.sheets else [columns.Placed(notes.book, notes.sheets[at])]
        for each in (*beneath, *laid.sheets[at], *above):
            if each.number >= each.book.get_page_count():
                continue
            bands = laid.feet.bands.get(at, []) if each in laid.sheets[at] else []
            for top, bottom, moved in footnotes.strips(bands, paper.height):
                canvas.save_state()
                canvas.scale(1 / PX, 1 / PX)
                if each.right:
                    canvas.translate(each.right * PX, 0)
                if bands:
                    canvas.translate(0, -moved * PX)
                    canvas.clip_rect(0, top * PX, paper.width * PX, (bottom - top) * PX)
                each.book.render_page(canvas, each.number)
                canvas.restore_state()
        canvas.show_page()
    for book in {id(each.book): each.book for sheet in laid.sheets for each in sheet}.values():
        book.clear_content()


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
