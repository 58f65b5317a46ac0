"""Draw a laid-out part: each page with its headers, footers and notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import plutoprint

from engine.families.html_pdf.css import pages
from engine.families.html_pdf.paper import Margins
from engine.families.html_pdf.parts import Part
from engine.families.html_pdf.plutoprint import (
    clusters,
    columns,
    footnotes,
    link_targets,
    note_pages,
    vertical_pages,
)
from engine.families.html_pdf.plutoprint.layout import (
    PX,
    prepared,
)
from engine.families.html_pdf.tagged.document import Tagged
from engine.toolkit.warnings import Warn


@dataclass
class LaidPart:
    """A laid-out part, and its page numbers."""

    part: Part
    paper: pages.Paper
    sheets: columns.Sheets
    numbers: list[int]
    blank: bool = False
    """Whether a blank page precedes it, so that it begins on the requested side (left or right)."""
    feet: footnotes.Feet = field(default_factory=footnotes.Feet)
    last: dict[int, int] = field(default_factory=dict)
    """The number of links in the notes of each page."""
    own: set[str] = field(default_factory=set)
    """The names of link targets in the notes."""


def draw(
    canvas: Any,
    laid: LaidPart,
    total: int,
    warn: Warn,
    shaped: clusters.Clusters,
    elsewhere: frozenset[str],
    tags: Tagged | None = None,
) -> None:
    """Draw the pages of a part on a canvas, and release their layout; `total` is the page count of all parts.

    With `tags`, they are those of its twin.
    """
    paper = laid.paper
    size = plutoprint.PageSize(paper.width, paper.height)
    if laid.blank:
        canvas.set_size(size)
        canvas.show_page()
    behind = _behind(laid, total, warn, shaped)
    notes = None
    if laid.part.notes is not None and laid.feet.notes:
        notes = note_pages.drawn(laid.part.notes, laid.feet.notes, paper, warn, shaped, elsewhere, tags)
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
                if laid.part.direction and each in laid.sheets[at]:
                    vertical_pages.turn(canvas, laid.part.direction, paper)
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


def _behind(laid: LaidPart, total: int, warn: Warn, shaped: clusters.Clusters) -> plutoprint.Book | None:
    paper = laid.paper
    html = laid.part.running(paper.width, paper.height, laid.numbers, total)
    if html is None:
        return None
    return beside(html, pages.Paper(paper.width, paper.height, Margins(0.0, 0.0, 0.0, 0.0)), warn, shaped)


def beside(
    html: str | bytes, paper: pages.Paper, warn: Warn, shaped: clusters.Clusters, tags: Tagged | None = None
) -> plutoprint.Book:
    """Lay out what is on the pages beside the document, on a paper of its own; with `tags`, its twin."""
    page, _ = prepared(html, warn, media="print", backgrounds=True)
    link_targets.name(page)
    written = shaped.replace(page)
    if tags is not None:
        tags.coloured(page.root, first=True)
    return note_pages.laid(page.root, paper, warn, written, last=tags is None)
