"""Lay out the text of one part of a bound document, with space for its footnotes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import plutoprint

from engine.families.html_pdf.css import ignored, pages
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.parts import Notes, Part
from engine.families.html_pdf.plutoprint import (
    batches,
    breaks,
    clusters,
    column_arrangement,
    columns,
    finishing,
    footnotes,
    link_targets,
    long_texts,
    note_pages,
    vertical_pages,
    whole_words,
)
from engine.families.html_pdf.plutoprint.layout import (
    PX,
    SMALLEST_SCALE,
    UNSEEN,
    bound_effects,
    clear,
    laid_out,
    prepared,
    style_sheet,
    vertical_texts,
    warn_fitted,
)
from engine.families.html_pdf.plutoprint.page_notes import AT_END
from engine.families.html_pdf.source import cleaning
from engine.families.html_pdf.tagged.document import Tagged
from engine.toolkit.warnings import Warn


def laid_body(
    part: Part,
    options: PageOptions,
    warn: Warn,
    shaped: clusters.Clusters,
    elsewhere: frozenset[str],
    title: str,
    tags: Tagged | None,
    *,
    number: int,
) -> tuple[Part, cleaning.Page, pages.Paper, columns.Sheets, footnotes.Feet, list[finishing.Heading]]:
    """Lay out one part: content wider than its paper extends into the margin, and is scaled down only beyond that."""
    page, sheets = prepared(part.html, warn, media=options.media_type, backgrounds=options.background)
    paper = pages.chosen(pages.declared(sheets.lowered), options, warn)
    real = paper
    if part.direction:
        paper = vertical_pages.turned(paper, part.direction)
    width = (paper.width * PX) / options.scale
    ignored.report(
        page.root,
        sheets.ignored,
        sheets.read,
        warn,
        media=options.media_type,
        width=width,
        part=str(number),
        vertical=True,
    )
    shaped.written |= vertical_texts(page, sheets, paper, options, warn, vertical=part.direction)
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
    if tags is not None:
        tags.coloured(page.root, links=False)
    book = laid_out(page.root, paper, options, warn, scale=scale)
    fits = book.get_page_count() == 1 and book.get_document_width() / PX * scale <= paper.room[0] + 1
    apart = bool(columns.wrappers(page.root)) and not (left and fits)
    if apart:
        # PlutoPrint would put columns for which a page has no room beside it.
        with columns.narrow(page.root, paper, part.beside, scale):
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
        drawn = footnotes.find_marks(book, frozenset(left), floats=_has_boxes(part.html))
        together = footnotes.on_one_line(drawn, left, part.notes.below)
        if together != left:
            _leave(marks, together, part.notes, scale)
            book = laid_out(page.root, paper, options, warn, scale=scale)
            drawn = footnotes.find_marks(book, frozenset(left), floats=_has_boxes(part.html))
        feet = footnotes.feet(drawn, {each: together[each] / scale for each in left}, part.notes.below, scale)
        most = footnotes.LARGEST * paper.room[1]
        away = {each for each in left if together[each] > most or each not in drawn.places}
        if away := away | footnotes.cut(drawn, feet):
            return laid_body(
                _without(part, part.notes, away, warn), options, warn, shaped, elsewhere, title, tags, number=number
            )
    made = columns.plain(book)
    if apart:
        if part.notes is not None and feet.notes:
            return laid_body(
                _without(part, part.notes, set(left), warn),
                options,
                warn,
                shaped,
                elsewhere,
                title,
                tags,
                number=number,
            )

        def lay(on: pages.Paper) -> plutoprint.Book:
            injected.text = pages.sheet(None, on, options, title, scale=scale)
            return laid_out(page.root, on, options, warn, scale=scale)

        made = column_arrangement.arranged(page.root, paper, part.beside, scale, lay, warn)
    if tags is None:
        clear(page.root)
    return part, page, real, made, feet, headings


def _has_boxes(html: str) -> bool:
    """Whether text may be beside other text."""
    return "float:" in html or 'class="at' in html


def _leave(marks: dict[str, Any], left: dict[str, float], notes: Notes | None, scale: float) -> None:
    for name, each in marks.items():
        if notes is not None:
            each.set("style", footnotes.style(left[name] / scale, notes.below[name]))


def _without(part: Part, notes: Notes, away: set[str], warn: Warn) -> Part:
    """The part with the notes that did not fit moved to its end; all notes if that was done before."""
    if not away < notes.texts.keys():
        away = set(notes.texts)
    warn.tally(AT_END, len(away), part=str(id(part.running)))
    kept = {name: text for name, text in notes.texts.items() if name not in away}
    html = notes.at_end([each for each in notes.texts if each in away])
    return replace(part, html=html, notes=replace(notes, texts=kept) if kept else None)
