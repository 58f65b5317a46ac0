"""The document: its pages read one after the other, put together as blocks in reading order."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import pypdfium2
import pypdfium2.raw as raw

from conversions.families.pdf import read
from conversions.families.pdf.page import unmapped
from conversions.families.pdf.page.annotations import drawn_page, tell_comments, tell_unseen
from conversions.families.pdf.page.blocks import Block, blocks_of, looks_of, squeezed, with_lists
from conversions.families.pdf.page.lines import Line
from conversions.families.pdf.page.marks import Field, fields_of
from conversions.families.pdf.page.notes import take_notes
from conversions.families.pdf.page.pictures import PictureFiles
from conversions.families.pdf.page.reading import Page, TablesBy, page_read
from conversions.families.pdf.page.running import take_running
from conversions.families.pdf.page.unmapped import named
from conversions.families.pdf.pdfium import PageOptions, opened
from conversions.toolkit.warnings import Warn

_MAX_OUTLINE = 20_000
_FULL = 0.75
"""Part of a page's height: where its text ends above, the next page was begun on purpose."""


class ReadOptions(PageOptions, Protocol):
    """What reading the blocks of a PDF needs of its options."""

    @property
    def tables(self) -> TablesBy: ...


@dataclass(slots=True)
class Document:
    """A PDF as blocks: `body` is the size of most letters, `sizes` are those of the pages by number, in points.

    `heads` and `feet` are the running lines by page, `fields` what is in forms, by page; `pictures` are the files that
    the blocks of pictures name. `pages` are what the blocks were made of, and `fresh` the numbers of those that begin
    although the page before had room. `notes` are the footnotes that spans of the blocks refer to.
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
    drawn_letters: bool = True,
    drawn_fields: bool = False,
) -> Document:
    """All blocks of the chosen pages; pictures become files in `folder`, None leaves them out with a
    warning, where the output is not `text_only` by its nature.

    Drawings are pictures too, with the letters on them where `drawn_letters` are wanted. What is in the fields of a
    form is text of its page where `drawn_fields` are wanted.
    """
    pages: list[Page] = []
    fields: dict[int, list[Field]] = {}
    comments: list[str] = []
    with opened(source, options) as (pdf, numbers):
        files = PictureFiles(pdf, folder, letters=drawn_letters) if folder is not None else None
        outline = _outline(pdf)
        title = _title(pdf)
        with_forms = raw.FPDF_GetFormType(pdf) != raw.FORMTYPE_NONE
        for done, number in enumerate(numbers):
            warn.progress(done, len(numbers), "pages")
            with drawn_page(pdf, number, fields=drawn_fields or not with_forms) as (page, marks):
                comments += marks.comments
                save = files.on(page).save if files else lambda item, box, view: None
                draw = files.draw if files else None
                pages.append(page_read(page, number, by=options.tables, links=marks.links, save=save, draw=draw))
    if with_forms:
        with read.opened(source, options.password) as forms:
            fields = {number: found for number in numbers if (found := fields_of(forms, number))}
    if drawn_fields:
        tell_unseen((each for found in fields.values() for each in found), warn)
        fields = {}
    buttons = [field.name for found in fields.values() for field in found if field.is_button]
    fields = {
        number: kept for number, found in fields.items() if (kept := [each for each in found if not each.is_button])
    }
    if buttons:
        named = ", ".join(f"“{name[:40]}”" for name in list(dict.fromkeys(buttons))[:5])
        warn("CONTENT_DROPPED", f"Buttons of forms were left out: {len(buttons):,} ({named}).")
    if not text_only:
        tell_comments(comments, warn)
    _tell(pages, fields, files, numbers, warn, text_only=text_only)
    running = take_running(pages)
    looks = looks_of(
        (each for page in pages for column in page.columns for each in column if isinstance(each, Line)), outline
    )
    blocks = [block for page in pages for column in page.columns for block in blocks_of(column, page.number, looks)]
    blocks, notes = take_notes(blocks, looks.body)
    return Document(
        with_lists(blocks),
        numbers,
        {page.number: (page.width, page.height) for page in pages},
        looks.body,
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
    """The level of each entry by its page and its text, without the number it may have."""
    found: dict[tuple[int, str], int] = {}
    for count, mark in enumerate(pdf.get_toc(max_depth=6)):
        if count >= _MAX_OUTLINE:
            break
        place = mark.get_dest()
        number = place.get_index() if place else None
        if number is not None and (text := squeezed(mark.get_title())):
            found[number, text] = mark.level + 1
    return found


def _title(pdf: pypdfium2.PdfDocument) -> str:
    title = " ".join(pdf.get_metadata_value("Title").replace("\0", "").split())
    return "" if title.lower() in ("(anonymous)", "untitled", "(untitled)") else title[:300]


def _tell(
    pages: list[Page],
    fields: dict[int, list[Field]],
    files: PictureFiles | None,
    numbers: list[int],
    warn: Warn,
    *,
    text_only: bool,
) -> None:
    blank = [page.number for page in pages if not page.letters and page.number not in fields]
    if blank:
        which = "No page has text" if len(blank) == len(numbers) else f"There is no text on page {named(blank)}"
        warn("NO_TEXT", f"{which}: blank, or scans in which none was read.")
    garbage = [page.number for page in pages if unmapped.is_garbage(garbled=page.garbled, letters=page.letters)]
    unmapped.tell(
        warn,
        garbage=garbage,
        unread=[page.number for page in pages if page.unread],
        some=any(page.unknown and page.number not in garbage for page in pages),
    )
    if text_only:
        return
    if shapes := [page.number for page in pages if page.shapes]:
        warn("CONTENT_DROPPED", f"Drawings of lines and shapes were left out on page {named(shapes)}.")
    if files is None:
        if pictures := sum(page.pictures for page in pages):
            warn("CONTENT_DROPPED", f"{pictures} {'picture was' if pictures == 1 else 'pictures were'} left out.")
        return
    if files.lost:
        warn("CONTENT_DROPPED", f"Pictures that can't be taken out of the PDF were left out: {files.lost}.")
    if behind := [page.number for page in pages if page.background]:
        warn("CONTENT_DROPPED", f"A picture behind the whole text was left out on page {named(behind)}.")
