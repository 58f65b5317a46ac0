"""Draw PDF pages as pictures."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Protocol

import pypdfium2
from PIL import Image, ImageColor

from engine.families.images import raster
from engine.families.pdf.pdfium import PageOptions, opened, page_of
from engine.toolkit.bundle import Bundle
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import ZIP, Format
from engine.toolkit.messages import say
from engine.toolkit.picture_limits import check_pages, check_pixels
from engine.toolkit.warnings import Warn

_POINTS = 72


class Drawing(Protocol):
    """The options needed for drawing a page."""

    @property
    def dpi(self) -> int: ...
    @property
    def background(self) -> str: ...


class PictureOptions(PageOptions, Drawing, Protocol):
    """The options needed for drawing pages."""

    @property
    def several(self) -> str: ...


def to_pictures(source: Path, target: Path, options: PictureOptions, warn: Warn) -> Format | None:
    """Draw the chosen pages in the format named by the extension of `target`.

    Several of them become a ZIP, or one long picture. Raises OverLimit for more pixels than a picture may have.
    """
    with opened(source, options, warn) as (document, numbers):
        check_pages(len(numbers))
        document.init_forms()
        if len(numbers) == 1:
            _draw(document, numbers[0], target, options, warn)
            return None
        if options.several == "long":
            _draw_long(document, numbers, target, options, warn)
            return None
        count = len(document)
        with Bundle(target) as bundle:
            for done, number in enumerate(numbers):
                with bundle.page(number, count) as path:
                    _draw(document, number, path, options, warn)
                warn.progress(done + 1, len(numbers), "pages")
    return ZIP


def _draw(document: pypdfium2.PdfDocument, number: int, target: Path, options: PictureOptions, warn: Warn) -> None:
    raster.drawn(drawn(document, number, options), target, options, warn, dpi=options.dpi)


def _draw_long(
    document: pypdfium2.PdfDocument, numbers: list[int], target: Path, options: PictureOptions, warn: Warn
) -> None:
    """All pages stacked, left-aligned, on paper as wide as the widest."""
    sizes = [_pixels(document, number, options.dpi) for number in numbers]
    width, height = max(width for width, _ in sizes), sum(height for _, height in sizes)
    check_pixels(width, height)
    whole = Image.new("RGB", (width, height), options.background)
    top = 0
    for done, number in enumerate(numbers):
        page = drawn(document, number, options)
        warn.progress(done + 1, len(numbers), "pages")
        whole.paste(page, (0, top))
        top += page.height
    raster.drawn(whole.crop((0, 0, width, top)) if top < height else whole, target, options, warn, dpi=options.dpi)


def _pixels(document: pypdfium2.PdfDocument, number: int, dpi: int) -> tuple[int, int]:
    width, height = document.get_page_size(number)
    return max(1, math.ceil(width * dpi / _POINTS)), max(1, math.ceil(height * dpi / _POINTS))


def drawn(document: pypdfium2.PdfDocument, number: int, options: Drawing) -> Image.Image:
    """The page `number`, counted from 0, as a picture; raises OverLimit for too many pixels, Unreadable."""
    with page_of(document, number) as page:
        scale = options.dpi / _POINTS
        width, height = page.get_size()
        check_pixels(max(1, math.ceil(width * scale)), max(1, math.ceil(height * scale)))
        paper = (*ImageColor.getrgb(options.background)[:3], 255)
        try:
            bitmap = page.render(scale=scale, fill_color=paper, rev_byteorder=True)
        except pypdfium2.PdfiumError as error:
            raise Unreadable(
                say("Page {number} of the PDF can't be shown.", number=number + 1), reason="damaged"
            ) from error
        picture: Image.Image = bitmap.to_pil().convert("RGB")
        bitmap.close()
        return picture
