"""The text of a PDF as plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf import page_text, read
from engine.families.pdf.page import unmapped
from engine.families.pdf.page.annotations import drawn_page, report_comments, report_unseen_fields
from engine.families.pdf.page.left_out import pictures_and_drawings, report_left_out
from engine.families.pdf.page.lines import Line
from engine.families.pdf.page.links_and_fields import Field, fields_of
from engine.families.pdf.page.mirrored import is_reversed, may_be_reversed
from engine.families.pdf.page.overprints import once_drawn
from engine.families.pdf.page.reading import read_page
from engine.families.pdf.page.silent_fonts import is_unread
from engine.families.pdf.page.text_pages import text_page_of
from engine.families.pdf.page.unmapped import is_unmapped, is_unreadable
from engine.families.pdf.page.vertical_writing import is_vertical
from engine.families.pdf.page_text import UNKNOWN
from engine.families.pdf.pdfium import PageOptions, opened, text_of, with_line_ends
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_ENOUGH = 200
"""The number of characters of a page that has more than a stamp or a page number."""

_LETTERS = re.compile(r"(?<!\S)(?:[^\W\d_]\s{1,2}){4}")
"""Letters that may be those of a word, drawn apart."""

_DOUBTFUL = re.compile("[\ue000-\uf8ff\ufffd]")


class TextOptions(PageOptions, Protocol):
    """The options needed for plain text."""

    @property
    def page_break(self) -> str: ...


@dataclass(frozen=True)
class Texts:
    """The texts of the chosen pages by number, counted from 0; form `fields` and `comments` are those on them.

    Most text of the `unread` pages is missing. `pictures` is the number of those on the pages, `drawings` the numbers
    of the pages that have any.
    """

    pages: dict[int, str]
    fields: list[Field]
    comments: list[str]
    unread: list[int] = field(default_factory=list)
    pictures: int = 0
    drawings: Sequence[int] = ()

    @property
    def has_text_throughout(self) -> bool:
        """Whether every page has enough text, so that none can be a scan."""
        return all(len(each) >= _ENOUGH and not _DOUBTFUL.search(each) for each in self.pages.values())


def texts_of(source: Path, options: TextOptions, warn: Warn) -> Texts:
    """The text of the chosen pages."""
    with opened(source, options, warn) as (document, numbers):
        pages: dict[int, str] = {}
        comments: list[str] = []
        fields: list[Field] = []
        unread: list[int] = []
        pictures, drawings = 0, list[int]()
        for number in numbers:
            with drawn_page(document, number, fields=True) as (page, marks):
                with text_page_of(page) as text_page:
                    apart = _LETTERS.search(page_text.characters_of(text_page)) is not None
                    once = once_drawn(page, text_page, always=apart)
                    text = with_line_ends(once) if once else text_of(text_page)
                    back = may_be_reversed(page) and is_reversed(text_page, range(len(text)))
                    if len(text) < _ENOUGH and is_unread(page, text_page):
                        unread.append(number)
                    shown, drawn = pictures_and_drawings(page, text_page)
                pictures += shown
                drawings += [number] if drawn else []
                pages[number] = columns_of(page, number) if back or is_vertical(text) else text
                comments += marks.comments
        has_form = raw.FPDF_GetFormType(document) != raw.FORMTYPE_NONE
    if has_form:
        with read.opened(source, options.password) as pdf:
            fields = [each for number in numbers for each in fields_of(pdf, number)]
    return Texts(pages, fields, comments, unread, pictures, drawings)


def columns_of(page: pypdfium2.PdfPage, number: int) -> str:
    """The text of a page by glyph position: vertical writing with a line for each column."""
    found = read_page(page, number, by="none", links=[], save=lambda *_: None, draw=None)
    parts = ("\n".join(each.text for each in column if isinstance(each, Line)) for column in found.columns if column)
    return "\n".join(filter(None, parts))


def write(found: Texts, target: Path, options: TextOptions, warn: Warn) -> None:
    """Write the texts of pages in order."""
    report_unseen_fields(found.fields, warn)
    report_comments(found.comments, warn)
    numbers = list(found.pages)
    texts = list(found.pages.values())
    _report_unmapped(found, warn)
    report_left_out(found.pictures, found.drawings, warn)
    _warn_of_blanks([number for number, text in zip(numbers, texts, strict=True) if not text.strip()], numbers, warn)
    between = "\f" if options.page_break == "formFeed" else "\n"
    target.write_text(between.join(f"{text.rstrip()}\n" for text in texts), encoding="utf-8", newline="\n")


def _report_unmapped(found: Texts, warn: Warn) -> None:
    garbage, some = [], False
    for number, text in found.pages.items():
        if garbled := sum(map(is_unmapped, _DOUBTFUL.findall(text))):
            if is_unreadable(garbled=garbled, characters=len("".join(text.split()))):
                garbage.append(number)
            else:
                some = some or UNKNOWN in text
    unmapped.report(warn, garbage=garbage, unread=found.unread, some=some)


def _warn_of_blanks(blank: list[int], numbers: list[int], warn: Warn) -> None:
    if blank:
        named = ", ".join(str(number + 1) for number in blank[:20]) + (", ..." if len(blank) > 20 else "")
        which = (
            say("No page has text")
            if len(blank) == len(numbers)
            else say("There is no text on page {named}", named=named)
        )
        warn("NO_TEXT", say("{which}: blank, or scans whose text was not recognised.", which=which))
