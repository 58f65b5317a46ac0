"""PDF pages drawn as pictures, and their text, by PDFium."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pypdfium2
import pypdfium2.raw as raw
from PIL import Image, ImageColor

from conversions.converters.base import Unreadable
from conversions.engines import pdf_reading, pillow
from conversions.engines.bundle import Bundle
from conversions.engines.page_ranges import chosen
from conversions.engines.picture_limits import check_pages, check_pixels
from conversions.formats import ZIP, Format
from conversions.warnings import Warn

_POINTS = 72


class PageOptions(Protocol):
    """What the converters of PDF pages need of their options."""

    @property
    def pages(self) -> str | None: ...
    @property
    def password(self) -> str | None: ...


class PictureOptions(PageOptions, Protocol):
    """What drawing pages needs beside it."""

    @property
    def dpi(self) -> int: ...
    @property
    def background(self) -> str: ...


@contextmanager
def opened(source: Path, options: PageOptions) -> Iterator[tuple[pypdfium2.PdfDocument, list[int]]]:
    """The document and the pages to convert, counted from 0, none of which is a bomb.

    Raises InvalidOption for a wrong password or a page that is not there, Unreadable for a damaged document, OverLimit.
    """
    with pdf_reading.opened(source, options.password) as pdf:
        numbers = chosen(options.pages, len(pdf.pages))
        pdf_reading.check_instructions(pdf, numbers)
    try:
        document = pypdfium2.PdfDocument(source, password=options.password)
    except pypdfium2.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            raise pdf_reading.wrong_password(options.password) from error
        raise Unreadable("The PDF is damaged or incomplete.") from error
    try:
        if len(document) <= numbers[-1]:
            raise Unreadable("The PDF is damaged: pages are missing.")
        yield document, numbers
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


def to_pictures(source: Path, target: Path, options: PictureOptions, warn: Warn) -> Format | None:
    """Draw the chosen pages in the format that the extension of `target` is the id of; several of them become a ZIP."""
    with opened(source, options) as (document, numbers):
        check_pages(len(numbers))
        document.init_forms()
        if len(numbers) == 1:
            _draw(document, numbers[0], target, options, warn)
            return None
        count = len(document)
        with Bundle(target) as bundle:
            for number in numbers:
                with bundle.page(number, count) as path:
                    _draw(document, number, path, options, warn)
    return ZIP


def _draw(document: pypdfium2.PdfDocument, number: int, target: Path, options: PictureOptions, warn: Warn) -> None:
    with page_of(document, number) as page:
        scale = options.dpi / _POINTS
        width, height = page.get_size()
        check_pixels(max(1, math.ceil(width * scale)), max(1, math.ceil(height * scale)))
        paper = (*ImageColor.getrgb(options.background)[:3], 255)
        try:
            bitmap = page.render(scale=scale, fill_color=paper, rev_byteorder=True)
        except pypdfium2.PdfiumError as error:
            raise Unreadable(f"Page {number + 1} of the PDF can't be drawn.") from error
        picture: Image.Image = bitmap.to_pil()
        pillow.drawn(picture.convert("RGB"), target, options, warn, dpi=options.dpi)
        bitmap.close()


def text_of(page: pypdfium2.PdfPage) -> str:
    """All text of a page in the order of its instructions, lines ending in LF; a hyphen at a line's end stays."""
    text_page = page.get_textpage()
    try:
        count = text_page.count_chars()
        if count <= 0:
            return ""
        # UTF-16: up to two units a character, and a NUL at the end.
        buffer = (ctypes.c_ushort * (2 * count + 1))()
        written = raw.FPDFText_GetText(text_page, 0, count, buffer)
        text = bytes(memoryview(buffer)[: max(0, written - 1)]).decode("utf-16-le", "replace")
    finally:
        text_page.close()
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufffe", "-\n")
