"""Bind several HTML pages, each with its own paper, headers and footers, into one PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path

import pikepdf
import plutoprint

from engine.families.html_pdf.css import pages
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.paper import LARGEST, Margins
from engine.families.html_pdf.parts import Part, Running
from engine.families.html_pdf.plutoprint import (
    clusters,
    finishing,
    footnotes,
    link_targets,
    standards,
)
from engine.families.html_pdf.plutoprint.laid_part import LaidPart, draw
from engine.families.html_pdf.plutoprint.layout import (
    PRODUCER,
    PX,
    laid_out,
    prepared,
    style_sheet,
)
from engine.families.html_pdf.plutoprint.part_bodies import laid_body
from engine.families.html_pdf.source import limits
from engine.families.html_pdf.tagged.document import Tagged
from engine.toolkit.warnings import Warn


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
    conforming = standards.asked(options, shaped.written, warn)
    tags = conforming.tagged if conforming is not None else None
    if tags is not None:
        parts = [replace(each, running=_remembered(each.running)) for each in parts]
    bound = _bound(parts, options, warn, shaped, title, elsewhere, None)
    twin = BytesIO() if tags is None else _bound(parts, options, Warn(), shaped, title, elsewhere, tags).stream

    def mended(pdf: pikepdf.Pdf) -> None:
        if tags is not None:
            tags.read(list(pdf.pages), twin, cut=True)
        if elsewhere:
            _mend(pdf, bound.laid)
        if tags is not None:
            tags.mark()

    finishing.finish(
        bound.stream,
        target,
        title=bound.title,
        language=bound.language,
        metadata=bound.metadata,
        headings=bound.outline,
        ranges=options.page_ranges,
        producer=PRODUCER,
        written=shaped.written,
        drawn=shaped.drawn,
        mend=mended,
        conform=conforming.conform if conforming is not None else None,
    )
    if conforming is not None:
        conforming.verify(target)


@dataclass
class _Bound:
    """The pages of all parts, as PlutoPrint wrote them, and what their pages say about the document."""

    title: str
    stream: BytesIO = field(default_factory=BytesIO)
    language: str | None = None
    metadata: dict[str, str] = field(default_factory=dict)
    outline: list[finishing.Heading] = field(default_factory=list)
    laid: list[LaidPart] = field(default_factory=list)


def _bound(
    parts: Sequence[Part],
    options: PageOptions,
    warn: Warn,
    shaped: clusters.Clusters,
    title: str | None,
    elsewhere: frozenset[str],
    tags: Tagged | None,
) -> _Bound:
    """Draw the parts; with `tags`, their twins."""
    made = _Bound(options.title or title or "")
    laid = made.laid
    total = 0
    for part in parts:
        part, page, paper, sheets, feet, headings = laid_body(
            part, options, warn, shaped, elsewhere, made.title, tags, number=len(laid)
        )
        made.outline += headings
        made.title, made.language = made.title or page.title or "", made.language or page.language
        made.metadata = made.metadata or page.metadata
        begins = part.number if part.number is not None else (laid[-1].numbers[-1] + 1 if laid else 1)
        wrong_side = begins % 2 != {"oddPage": 1, "evenPage": 0}.get(part.start, begins % 2)
        if wrong_side and part.number is None:
            begins += 1
        count = len(sheets)
        blank = wrong_side and bool(laid)
        total += count + blank
        limits.check_pages(total)
        laid.append(LaidPart(part, paper, sheets, list(range(begins, begins + count)), blank, feet))
    first = laid[0].paper
    canvas = plutoprint.PDFCanvas.create_for_stream(made.stream, plutoprint.PageSize(first.width, first.height))
    for each in laid:
        draw(canvas, each, total, warn, shaped, elsewhere, tags)
    canvas.finish()
    return made


def _remembered(running: Running) -> Running:
    """A function of headers and footers that is called once for the same pages."""
    made: dict[tuple[float, float, tuple[int, ...], int], str | None] = {}

    def remembered(width: float, height: float, numbers: Sequence[int], total: int) -> str | None:
        key = width, height, tuple(numbers), total
        if key not in made:
            made[key] = running(width, height, numbers, total)
        return made[key]

    return remembered


def page_places(path: Path) -> dict[str, tuple[int, float]]:
    """The index of the page of each named place of a finished file, and the points from the upper edge of its paper."""
    with pikepdf.open(path) as pdf:
        pages_ = {page.obj.objgen: (at, float(page.mediabox[3])) for at, page in enumerate(pdf.pages)}
        found = {}
        for name, place in finishing.destinations(pdf).items():
            index, height = pages_[place[0].objgen]
            found[name] = index, height - float(place[3])
        return found


def height(html: str, width: float, warn: Warn) -> float:
    """The height of a page, as in `html_pdf.render.height`."""
    paper = pages.Paper(width, LARGEST, Margins(0.0, 0.0, 0.0, 0.0))
    page, _ = prepared(html, warn, media="print", backgrounds=True)
    style_sheet(page.root, pages.sheet(None, paper, PageOptions(), "", scale=1.0))
    return laid_out(page.root, paper, PageOptions(), warn, last=True).get_document_height() / PX


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
