"""PDF by PDFium: a document that is no bomb, its pages, and their text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pypdfium2
import pypdfium2.raw as raw

from conversions.families.pdf import letters, read, substitutes
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.page_ranges import chosen

substitutes.install()


class PageOptions(Protocol):
    """What the converters of PDF pages need of their options."""

    @property
    def pages(self) -> str | None: ...
    @property
    def password(self) -> str | None: ...


@contextmanager
def opened(source: Path, options: PageOptions) -> Iterator[tuple[pypdfium2.PdfDocument, list[int]]]:
    """The document and the pages to convert, counted from 0, none of which is a bomb.

    Raises InvalidOption for a wrong password or a page that is not there, Unreadable for a damaged document, OverLimit.
    """
    with read.opened(source, options.password) as pdf:
        numbers = chosen(options.pages, len(pdf.pages))
        read.check_instructions(pdf, numbers)
    with document_of(source, options.password, last=numbers[-1]) as document:
        yield document, numbers


@contextmanager
def document_of(source: Path, password: str | None, *, last: int) -> Iterator[pypdfium2.PdfDocument]:
    """The document, which has a page `last`, counted from 0; raises InvalidOption for a wrong password, Unreadable."""
    try:
        document = pypdfium2.PdfDocument(source, password=password)
    except pypdfium2.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            raise read.wrong_password(password) from error
        raise Unreadable("The PDF is damaged or incomplete.") from error
    try:
        if len(document) <= last:
            raise Unreadable("The PDF is damaged: pages are missing.")
        yield document
    finally:
        document.close()


@contextmanager
def page_of(document: pypdfium2.PdfDocument, number: int) -> Iterator[pypdfium2.PdfPage]:
    """The page `number`, counted from 0; raises Unreadable where it is damaged."""
    try:
        page = document[number]
    except pypdfium2.PdfiumError as error:
        raise Unreadable(f"Page {number + 1} of the PDF is damaged.") from error
    try:
        yield page
    finally:
        page.close()


def text_of(page: pypdfium2.PdfPage) -> str:
    """All text of a page in the order of its instructions, lines ending in LF; a hyphen at a line's end stays."""
    return letters_of(page).replace("\r\n", "\n").replace("\r", "\n").replace("\ufffe", "-\n")


def letters_of(page: pypdfium2.PdfPage) -> str:
    """The same as PDFium tells it: lines end in CR LF, and U+FFFE is a hyphen that is not a letter of the text."""
    text_page = page.get_textpage()
    try:
        return letters.letters_of(text_page)
    finally:
        text_page.close()
