"""Read the pages of a document one by one into blocks in reading order."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf import read
from engine.families.pdf.page import grounds, struck, unmapped
from engine.families.pdf.page.annotations import drawn_page, report_comments, report_unseen_fields
from engine.families.pdf.page.blocks import Block, blocks_of, typography_of, with_lists, without_spaces
from engine.families.pdf.page.left_out import report_left_out
from engine.families.pdf.page.lines import Line
from engine.families.pdf.page.links_and_fields import Field, fields_of
from engine.families.pdf.page.notes import take_notes
from engine.families.pdf.page.pictures import PictureFiles
from engine.families.pdf.page.reading import Page, TablesBy, read_page
from engine.families.pdf.page.running import take_running
from engine.families.pdf.page.unmapped import page_numbers
from engine.families.pdf.pdfium import PageOptions, opened
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_MAX_OUTLINE = 20_000
_FULL = 0.75
"""The share of the page height above which a page's text ends early, so that the next page was started on purpose."""


class ReadOptions(PageOptions, Protocol):
    """The options needed for reading the blocks of a PDF."""

    @property
    def tables(self) -> TablesBy: ...


_FILLED = Kind("VALUE_CONVERTED", "Form fields became text with their values: {count}{places}.")


@dataclass(slots=True)
class Document:
    """A PDF as blocks: `body` is the most common text size, `sizes` the page sizes by number, in points.

    `heads` and `feet` are the running headers and footers by page, `fields` the form fields by page; `pictures` are the
    files that picture blocks name. `pages` are the pages that the blocks come from, and `fresh` the numbers of those
    started on purpose. `notes` are the footnotes that spans of the blocks refer to.
    """

    blocks: list[Block]
    numbers: list[int]
    sizes: dict[int, tuple[float, float]]
    body: float = 0.0
    title: str = ""
    heads: dict[int, list[Line]] = field(default_factory=dict)
    feet: dict[int, list[Line]] = field(default_factory=dict)
    fields: dict[int, list[Field]] = field(default_factory=dict)
    pictures: list[Path] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    fresh: set[int] = field(default_factory=set)
    notes: list[Block] = field(default_factory=list)


def document_of(
    source: Path,
    options: ReadOptions,
    warn: Warn,
    *,
    folder: Path | None,
    text_only: bool = False,
    text_in_drawings: bool = True,
    drawn_fields: bool = False,
    painted: bool = False,
) -> Document:
    """All blocks of the chosen pages; pictures become files in `folder`.

    Without a `folder` they are left out with a warning. Vector drawings become pictures too, including their text if
    `text_in_drawings`. Comments are not named if the output is `text_only`. The values of form fields are drawn into
    their page if `drawn_fields`. The panels of pages are found if `painted`.
    """
    pages: list[Page] = []
    fields: dict[int, list[Field]] = {}
    comments: list[str] = []
    with opened(source, options, warn) as (pdf, numbers):
        files = PictureFiles(pdf, folder, with_text=text_in_drawings) if folder is not None else None
        outline = _outline(pdf)
        title = _title(pdf)
        with_forms = raw.FPDF_GetFormType(pdf) != raw.FORMTYPE_NONE
        for done, number in enumerate(numbers):
            warn.progress(done, len(numbers), "pages")
            with drawn_page(pdf, number, fields=drawn_fields or not with_forms) as (page, marks):
                comments += marks.comments
                save = files.on(page).save if files else lambda item, box, view: None
                draw = files.draw if files else None
                pages.append(
                    read_page(
                        page, number, by=options.tables, links=marks.links, save=save, draw=draw, painted=not text_only
                    )
                )
    if with_forms:
        with read.opened(source, options.password) as forms:
            fields = {number: found for number in numbers if (found := fields_of(forms, number))}
    if drawn_fields:
        report_unseen_fields((each for found in fields.values() for each in found), warn)
        fields = {}
    buttons = [field.name for found in fields.values() for field in found if field.is_button]
    fields = {
        number: kept for number, found in fields.items() if (kept := [each for each in found if not each.is_button])
    }
    if buttons:
        captions = ", ".join(f"“{name[:40]}”" for name in list(dict.fromkeys(buttons))[:5])
        warn(
            "CONTENT_DROPPED",
            say("Form buttons were left out: {count} ({named}).", count=len(buttons), named=captions),
        )
    if not text_only:
        report_comments(comments, warn)
        warn.tally(_FILLED, sum(map(len, fields.values())))
    if not text_only and not painted:
        struck.report([word for page in pages for word in page.struck], warn)
        grounds.report([word for page in pages for word in page.grounds], warn)
    _report_losses(pages, fields, files, numbers, warn, text_only=text_only)
    running = take_running(pages)
    typography = typography_of(
        (each for page in pages for column in page.columns for each in column if isinstance(each, Line)), outline
    )
    blocks = [
        block for page in pages for column in page.columns for block in blocks_of(column, page.number, typography)
    ]
    blocks, notes = take_notes(blocks, typography.body, warn)
    return Document(
        with_lists(blocks),
        numbers,
        {page.number: (page.width, page.height) for page in pages},
        typography.body,
        title,
        {number: heads for number, (heads, _) in running.items() if heads},
        {number: feet for number, (_, feet) in running.items() if feet},
        fields,
        files.files if files else [],
        pages,
        _fresh(pages),
        notes,
    )


def _fresh(pages: list[Page]) -> set[int]:
    found = set()
    for before, page in pairwise(pages):
        ends = [(each.base if isinstance(each, Line) else each.box[3]) for column in before.columns for each in column]
        if not ends or max(ends) < _FULL * before.height:
            found.add(page.number)
    return found


def _outline(pdf: pypdfium2.PdfDocument) -> dict[tuple[int, str], int]:
    """The level of each outline entry, by page and text without its number."""
    found: dict[tuple[int, str], int] = {}
    for count, mark in enumerate(pdf.get_toc(max_depth=6)):
        if count >= _MAX_OUTLINE:
            break
        place = mark.get_dest()
        number = place.get_index() if place else None
        if number is not None and (text := without_spaces(mark.get_title())):
            found[number, text] = mark.level + 1
    return found


def _title(pdf: pypdfium2.PdfDocument) -> str:
    title = " ".join(pdf.get_metadata_value("Title").replace("\0", "").split())
    return "" if title.lower() in ("(anonymous)", "untitled", "(untitled)") else title[:300]


def _report_losses(
    pages: list[Page],
    fields: dict[int, list[Field]],
    files: PictureFiles | None,
    numbers: list[int],
    warn: Warn,
    *,
    text_only: bool,
) -> None:
    blank = [page.number for page in pages if not page.characters and page.number not in fields]
    if blank:
        which = (
            say("No page has text")
            if len(blank) == len(numbers)
            else say("There is no text on page {blank}", blank=page_numbers(blank))
        )
        warn("NO_TEXT", say("{which}: blank, or scans whose text was not recognised.", which=which))
    garbage = [
        page.number for page in pages if unmapped.is_unreadable(garbled=page.garbled, characters=page.characters)
    ]
    unmapped.report(
        warn,
        garbage=garbage,
        unread=[page.number for page in pages if page.unread],
        some=any(page.unknown and page.number not in garbage for page in pages),
    )
    if files is None:
        shown = [page.figures if text_only else page.shapes for page in pages]
        report_left_out(
            sum(page.pictures for page in pages),
            [page.number for page, number in zip(pages, shown, strict=True) if number],
            warn,
        )
        return
    report_left_out(0, [page.number for page in pages if page.shapes], warn)
    if files.lost:
        warn(
            "CONTENT_DROPPED",
            say("Pictures that can't be extracted were left out: {lost}.", lost=files.lost),
        )
    if behind := [page.number for page in pages if page.background]:
        warn(
            "CONTENT_DROPPED",
            say("A picture behind the text was left out on page {behind}.", behind=page_numbers(behind)),
        )
