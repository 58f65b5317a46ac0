"""Open PDFs with PDFium within limits, and read pages and text."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf import page_text, read, right_to_left, saving, substitutes
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.page_ranges import chosen
from engine.toolkit.warnings import Warn

substitutes.install()


class PageOptions(Protocol):
    """The options that converters of PDF pages read."""

    @property
    def pages(self) -> str | None: ...
    @property
    def password(self) -> str | None: ...


@contextmanager
def opened(source: Path, options: PageOptions, warn: Warn) -> Iterator[tuple[pypdfium2.PdfDocument, list[int]]]:
    """Open the document and choose the pages to convert, from 0, after checking them for bombs and missing contents.

    Raises InvalidOption for a wrong password or a page that does not exist, Unreadable for a damaged document,
    OverLimit.
    """
    with read.opened(source, options.password) as pdf:
        numbers = chosen(options.pages, len(pdf.pages))
        read.check_instructions(pdf, numbers)
        read.report_missing_contents(pdf, numbers, warn)
    with document_of(source, options.password, last=numbers[-1]) as document:
        yield document, numbers


@contextmanager
def document_of(source: Path, password: str | None, *, last: int) -> Iterator[pypdfium2.PdfDocument]:
    """Open the document, which must have a page `last`, from 0; if PDFium can't read it, qpdf repairs it first.

    Raises InvalidOption for a wrong password, Unreadable.
    """
    document = _read(source, password)
    if document is None or len(document) <= last:
        document = _read(_mended(source, password), None)
    if document is None:
        raise Unreadable("The PDF is damaged or incomplete.", reason="damaged")
    try:
        if len(document) <= last:
            raise Unreadable("The PDF is damaged: pages are missing.", reason="damaged")
        yield document
    finally:
        document.close()


def _read(source: Path | bytes, password: str | None) -> pypdfium2.PdfDocument | None:
    """The document, None if it is damaged."""
    try:
        return pypdfium2.PdfDocument(source, password=password)
    except pypdfium2.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            raise read.wrong_password(password) from error
        return None


def _mended(source: Path, password: str | None) -> bytes:
    """The document as qpdf writes it again, without its password."""
    file = io.BytesIO()
    with read.opened(source, password) as pdf, read.reading():
        saving.save(pdf, file, encryption=False, effort=saving.QUICK)
    return file.getvalue()


@contextmanager
def page_of(document: pypdfium2.PdfDocument, number: int) -> Iterator[pypdfium2.PdfPage]:
    """The page `number`, from 0; raises Unreadable if it is damaged."""
    try:
        page = document[number]
    except pypdfium2.PdfiumError as error:
        raise Unreadable(say("Page {number} of the PDF is damaged.", number=number + 1), reason="damaged") from error
    try:
        yield page
    finally:
        page.close()


def text_of(text_page: pypdfium2.PdfTextPage) -> str:
    """All text of a page in content order, with LF line ends; hyphens at line ends are kept."""
    return with_line_ends(characters_of(text_page))


def with_line_ends(text: str) -> str:
    """A text of PDFium with LF line ends, and with the hyphens at line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufffe", "-\n")


def characters_of(text_page: pypdfium2.PdfTextPage) -> str:
    """The same as PDFium gives it: lines end in CR LF, and U+FFFE is a hyphenation mark."""
    found = right_to_left.joined(text_page, page_text.characters_of(text_page))
    turned = right_to_left.righted(text_page, found)
    return page_text.without_taken_back(text_page, found) if turned == found else turned
