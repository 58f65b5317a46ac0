"""Bind several HTML pages, each with its own paper, headers and footers, into one PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import plutoprint

from engine.families.html_pdf.css import ignored, pages
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.paper import LARGEST, Margins
from engine.families.html_pdf.parts import Notes, Part
from engine.families.html_pdf.plutoprint import (
    batches,
    breaks,
    clusters,
    columns,
    finishing,
    footnotes,
    link_targets,
    long_texts,
    note_pages,
    whole_words,
)
from engine.families.html_pdf.plutoprint.laid_part import LaidPart, draw
from engine.families.html_pdf.plutoprint.layout import (
    PRODUCER,
    PX,
    SMALLEST_SCALE,
    UNSEEN,
    bound_effects,
    clear,
    laid_out,
    prepared,
    style_sheet,
    warn_fitted,
)
from engine.families.html_pdf.source import cleaning, limits
from engine.toolkit.warnings import Kind, Warn

_AT_END = Kind("VALUE_CONVERTED", "Footnotes were moved to the end of the text: {count}{places}.")


def bind(
    parts: Sequence[Part],
    target: Path,
    options: PageOptions,
    warn: Warn,
    *,
    title: str | None,
    elsewhere: frozenset[str],
) -> None:
    """Write the parts as one PDF, as in `html_pdf.render.bound`."""
    shaped = clusters.Clusters()
    outline: list[finishing.Heading] = []
    laid: list[LaidPart] = []
    named, language = options.title or title or "", None
    metadata: dict[str, str] = {}
    total = 0
    for part in parts:
        part, page, paper, sheets, feet, headings = _body(
            part, options, warn, shaped, elsewhere, named, number=len(laid)
        )
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
        laid.append(LaidPart(part, paper, sheets, list(range(begins, begins + count)), blank, feet))
    stream = BytesIO()
    first = laid[0].paper
    canvas = plutoprint.PDFCanvas.create_for_stream(stream, plutoprint.PageSize(first.width, first.height))
    for each in laid:
        draw(canvas, each, total, warn, shaped, elsewhere)
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
        written=shaped.written,
        mend=lambda pdf: _mend(pdf, laid) if elsewhere else None,
    )


def page_indexes(path: Path) -> dict[str, int]:
    """The index of the page of each named place of a finished file."""
    with pikepdf.open(path) as pdf:
        indexes = {page.obj.objgen: at for at, page in enumerate(pdf.pages)}
        return {name: indexes[place[0].objgen] for name, place in finishing.destinations(pdf).items()}


def height(html: str, width: float, warn: Warn) -> float:
    """The height of a page, as in `html_pdf.render.height`."""
    paper = pages.Paper(width, LARGEST, Margins(0.0, 0.0, 0.0, 0.0))
    page, _ = prepared(html, warn, media="print", backgrounds=True)
    style_sheet(page.root, pages.sheet(None, paper, PageOptions(), "", scale=1.0))
    return laid_out(page.root, paper, PageOptions(), warn, last=True).get_document_height() / PX


def _body(
    part: Part,
    options: PageOptions,
    warn: Warn,
    shaped: clusters.Clusters,
    elsewhere: frozenset[str],
    title: str,
    *,
    number: int,
) -> tuple[Part, cleaning.Page, pages.Paper, columns.Sheets, footnotes.Feet, list[finishing.Heading]]:
    """Lay out one part: content wider than its paper extends into the margin, and is scaled down only beyond that."""
    page, sheets = prepared(part.html, warn, media=options.media_type, backgrounds=options.background)
    paper = pages.chosen(pages.declared(sheets.lowered), options, warn)
    width = (paper.width * PX) / options.scale
    ignored.report(
        page.root, sheets.ignored, sheets.read, warn, media=options.media_type, width=width, part=str(number)
    )
    long_texts.split(page)
    whole_words.keep(page, sheets.lowered, media=options.media_type)
    breaks.move(page, sheets.lowered, media=options.media_type)
    batches.batch(page, sheets.lowered, media=options.media_type)
    bound_effects(page, sheets, paper, options)
    headings = link_targets.name(page, elsewhere)
    style_sheet(page.root, UNSEEN + shaped.replace(page), first=True)
    if not options.background:
        style_sheet(page.root, pages.without_backgrounds())
    scale = options.scale
    injected = style_sheet(page.root, pages.sheet(None, paper, options, title, scale=scale))
    left = {} if part.notes is None else note_pages.heights(part.notes, paper, warn, shaped)
    marks = {name: each for each in page.root.iter() if (name := each.get("id")) in left}
    _leave(marks, left, part.notes, scale)
    book = laid_out(page.root, paper, options, warn, scale=scale)
    wide = book.get_document_width() / PX * options.scale
    if options.fit_to_width and wide > paper.room[0] + paper.margins.right + 2:
        warn_fitted(book.get_document_width(), (paper.room[0] + paper.margins.right) * PX, options, warn)
        scale = max((paper.room[0] + paper.margins.right) / wide, SMALLEST_SCALE) * options.scale
        injected.text = pages.sheet(None, paper, options, title, scale=scale)
        _leave(marks, left, part.notes, scale)
        book = laid_out(page.root, paper, options, warn, scale=scale)
    feet = footnotes.Feet()
    if part.notes is not None and left:
        drawn = footnotes.find_marks(book, frozenset(left))
        together = footnotes.on_one_line(drawn, left, part.notes.below)
        if together != left:
            _leave(marks, together, part.notes, scale)
            book = laid_out(page.root, paper, options, warn, scale=scale)
            drawn = footnotes.find_marks(book, frozenset(left))
        feet = footnotes.feet(drawn, {each: together[each] / scale for each in left}, part.notes.below, scale)
        most = footnotes.LARGEST * paper.room[1]
        away = {each for each in left if together[each] > most or each not in drawn.places}
        if away := away | footnotes.cut(drawn, feet):
            return _body(_without(part, part.notes, away, warn), options, warn, shaped, elsewhere, title, number=number)
    made = columns.plain(book)
    if len(made) > 1 and columns.present(page.root):
        if part.notes is not None and feet.notes:
            return _body(
                _without(part, part.notes, set(left), warn), options, warn, shaped, elsewhere, title, number=number
            )

        def lay(on: pages.Paper) -> plutoprint.Book:
            injected.text = pages.sheet(None, on, options, title, scale=scale)
            return laid_out(page.root, on, options, warn, scale=scale)

        made = columns.arranged(page.root, paper, part.beside, scale, lay, warn)
    clear(page.root)
    return part, page, paper, made, feet, headings


def _leave(marks: dict[str, Any], left: dict[str, float], notes: Notes | None, scale: float) -> None:
    for name, each in marks.items():
        if notes is not None:
            each.set("style", footnotes.style(left[name] / scale, notes.below[name]))


def _without(part: Part, notes: Notes, away: set[str], warn: Warn) -> Part:
    """The part with the notes that did not fit moved to its end; all notes if that was done before."""
    if not away < notes.texts.keys():
        away = set(notes.texts)
    warn.tally(_AT_END, len(away), part=str(id(part.running)))
    kept = {name: text for name, text in notes.texts.items() if name not in away}
    html = notes.at_end([each for each in notes.texts if each in away])
    return replace(part, html=html, notes=replace(notes, texts=kept) if kept else None)


def _mend(pdf: pikepdf.Pdf, laid: list[LaidPart]) -> None:
    """Connect links between parts, and remove or move duplicate page content."""
    link_targets.join(pdf)
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
