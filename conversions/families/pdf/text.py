"""The text of a PDF as plain text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pypdfium2
import pypdfium2.raw as raw

from conversions.families.pdf import read
from conversions.families.pdf.letters import UNKNOWN
from conversions.families.pdf.page import unmapped
from conversions.families.pdf.page.annotations import drawn_page, tell_comments, tell_unseen
from conversions.families.pdf.page.columns_down import is_written_down
from conversions.families.pdf.page.drawing import is_unread
from conversions.families.pdf.page.lines import Line
from conversions.families.pdf.page.marks import Field, fields_of
from conversions.families.pdf.page.mirrored import may_run_back, runs_back
from conversions.families.pdf.page.reading import page_read
from conversions.families.pdf.page.unmapped import is_garbage, is_garbled
from conversions.families.pdf.pdfium import PageOptions, opened, text_of
from conversions.toolkit.warnings import Warn

_ENOUGH = 200
"""Characters of a page that has more than a stamp or a number on it."""

_DOUBTFUL = re.compile("[\ue000-\uf8ff\ufffd]")


class TextOptions(PageOptions, Protocol):
    """What plain text needs of its options."""

    @property
    def page_break(self) -> str: ...


@dataclass(frozen=True)
class Texts:
    """The texts of the chosen pages by their numbers, counted from 0; `fields` of forms and `comments` are on them.

    Most text of the `unread` is missing.
    """

    pages: dict[int, str]
    fields: list[Field]
    comments: list[str]
    unread: list[int] = field(default_factory=list)

    @property
    def beyond_doubt(self) -> bool:
        """Whether each page has a page's text, so that none can be a scan."""
        return all(len(each) >= _ENOUGH and not _DOUBTFUL.search(each) for each in self.pages.values())


def texts_of(source: Path, options: TextOptions) -> Texts:
    """The text of the chosen pages."""
    with opened(source, options) as (document, numbers):
        pages: dict[int, str] = {}
        comments: list[str] = []
        fields: list[Field] = []
        unread: list[int] = []
        for number in numbers:
            with drawn_page(document, number, fields=True) as (page, marks):
                text = text_of(page)
                back = may_run_back(page) and runs_back(page, range(len(text)))
                pages[number] = columns_of(page, number) if back or is_written_down(text) else text
                if len(text) < _ENOUGH and is_unread(page):
                    unread.append(number)
                comments += marks.comments
        has_form = raw.FPDF_GetFormType(document) != raw.FORMTYPE_NONE
    if has_form:
        with read.opened(source, options.password) as pdf:
            fields = [each for number in numbers for each in fields_of(pdf, number)]
    return Texts(pages, fields, comments, unread)


def columns_of(page: pypdfium2.PdfPage, number: int) -> str:
    """The text of a page by the places of its letters: of one that is written down, a line for each of its columns."""
    read_page = page_read(page, number, by="none", links=[], save=lambda *_: None, draw=None)
    parts = (
        "\n".join(each.text for each in column if isinstance(each, Line)) for column in read_page.columns if column
    )
    return "\n".join(filter(None, parts))


def write(found: Texts, target: Path, options: TextOptions, warn: Warn) -> None:
    """Write the texts of pages, one after the other."""
    tell_unseen(found.fields, warn)
    tell_comments(found.comments, warn)
    numbers = list(found.pages)
    texts = list(found.pages.values())
    _tell_unmapped(found, warn)
    _warn_of_blanks([number for number, text in zip(numbers, texts, strict=True) if not text.strip()], numbers, warn)
    between = "\f" if options.page_break == "formFeed" else "\n"
    target.write_text(between.join(f"{text.rstrip()}\n" for text in texts), encoding="utf-8", newline="\n")


def _tell_unmapped(found: Texts, warn: Warn) -> None:
    garbage, some = [], False
    for number, text in found.pages.items():
        if garbled := sum(map(is_garbled, _DOUBTFUL.findall(text))):
            if is_garbage(garbled=garbled, letters=len("".join(text.split()))):
                garbage.append(number)
            else:
                some = some or UNKNOWN in text
    unmapped.tell(warn, garbage=garbage, unread=found.unread, some=some)


def _warn_of_blanks(blank: list[int], numbers: list[int], warn: Warn) -> None:
    if blank:
        named = ", ".join(str(number + 1) for number in blank[:20]) + (", ..." if len(blank) > 20 else "")
        which = "No page has text" if len(blank) == len(numbers) else f"There is no text on page {named}"
        warn("NO_TEXT", f"{which}: blank, or scans in which none was read.")
