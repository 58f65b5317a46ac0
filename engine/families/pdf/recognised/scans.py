"""Find pages without usable text, and picture them for recognition."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import pypdfium2
import pypdfium2.raw as raw
from PIL import Image

from engine.families.ocr.page import Box, Page
from engine.families.ocr.reader import ALL_PIXELS, FEW_PIXELS, MOST_PIXELS, Reader, check_cost, cost_of
from engine.families.pdf.page.text_pages import text_page_of
from engine.families.pdf.pdfium import characters_of, page_of
from engine.families.pdf.recognised.unread import downscaled, has_unrecognised
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_POINTS = 72
_USUAL = 200
_DPI = (150, 300)
"""The limits of the resolution of a rendered page, which otherwise is that of its pictures."""

_WHOLE = 0.95
"""The share of a page from which on a picture covers it, so that no vector text needs a higher resolution."""

_FEW_CHARACTERS = 100
"""A page with fewer characters, half covered by a picture, is a scan with a stamp or a page number."""

_COVERED = 0.5
_GARBAGE = 0.3
"""The share of invalid characters from which on text is garbage."""

_INVALID = re.compile("[\x00-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]")
"""Not a character of any script: controls, private use, and the replacement character."""

_DEEPEST = 3
_MOST_TEXTS = 5_000
_MOST_THINGS = 50_000


@dataclass(frozen=True)
class Plan:
    """The pages to recognise, counted from 0, each with its rendering resolution, and those left out."""

    dots: dict[int, int]
    left_out: tuple[int, ...] = ()


class Text(Enum):
    """The kind of text on a page: also `NONE` if a scan has only a stamp or a number."""

    NONE = "none"
    GARBAGE = "garbage"
    GOOD = "good"


def text_of(document: pypdfium2.PdfDocument, number: int) -> Text:
    """The kind of text on page `number`, counted from 0; raises Unreadable for a damaged page."""
    with page_of(document, number) as page:
        with text_page_of(page) as text_page:
            characters = "".join(characters_of(text_page).split())
        if not characters:
            return Text.NONE
        if len(_INVALID.findall(characters)) > _GARBAGE * len(characters):
            return Text.GARBAGE
        return Text.NONE if len(characters) < _FEW_CHARACTERS and _covered(page) >= _COVERED else Text.GOOD


def declared_text(document: pypdfium2.PdfDocument, number: int) -> str:
    """The text on page `number`, counted from 0, as the file has it, however garbled."""
    with page_of(document, number) as page, text_page_of(page) as text_page:
        return str(text_page.get_text_bounded())


def plan(document: pypdfium2.PdfDocument, numbers: Sequence[int], *, all_or_none: bool) -> Plan:
    """The resolutions for pages `numbers` such that there is time to recognise them.

    If there are too many, the last ones are left out, or OverLimit is raised if `all_or_none`.
    """
    sizes: dict[int, tuple[float, float]] = {}
    dots: dict[int, int] = {}
    for number in numbers:
        with page_of(document, number) as page:
            sizes[number] = page.get_size()
            dots[number] = _dots_of(page, *sizes[number])
    costs = {number: _cost(sizes[number], dots[number]) for number in numbers}
    if sum(costs.values()) > ALL_PIXELS:
        dots = {number: min(each, _USUAL) for number, each in dots.items()}
        costs = {number: _cost(sizes[number], dots[number]) for number in numbers}
    if all_or_none:
        check_cost(costs.values())
    total, kept = 0, 0
    for number in numbers:
        total += costs[number]
        if total > ALL_PIXELS:
            break
        kept += 1
    return Plan({number: dots[number] for number in numbers[:kept]}, tuple(numbers[kept:]))


def read(document: pypdfium2.PdfDocument, wanted: Plan, reader: Reader) -> Iterator[tuple[int, Page, bool]]:
    """Recognise the planned pages: yields each in rendered pixels, and whether it has more than text."""
    for number, dots in wanted.dots.items():
        picture = _drawn(document, number, dots)
        outline = downscaled(picture)
        found = reader.read(picture, say("page {number}", number=number + 1), dots if dots >= _DPI[0] else None)
        yield number, found, has_unrecognised(outline, found)


def _drawn(document: pypdfium2.PdfDocument, number: int, dots: int) -> Image.Image:
    with page_of(document, number) as page:
        try:
            bitmap = page.render(scale=dots / _POINTS, grayscale=True, fill_color=(255, 255, 255, 255))
        except pypdfium2.PdfiumError as error:
            raise Unreadable(
                say("Page {number} of the PDF can't be shown.", number=number + 1), reason="damaged"
            ) from error
        picture: Image.Image = bitmap.to_pil()  # which keeps the pixels and frees the bitmap
        return picture


def visible_texts(document: pypdfium2.PdfDocument, number: int) -> list[Box]:
    """The boxes of visible text on a page: left, bottom, right, top in user space."""
    with page_of(document, number) as page:
        texts = page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=_DEEPEST)
        return [
            each.get_bounds()
            for each in itertools.islice(texts, _MOST_TEXTS)
            if raw.FPDFTextObj_GetTextRenderMode(each) != raw.FPDF_TEXTRENDERMODE_INVISIBLE
        ]


def report_skipped(numbers: Sequence[int], warn: Warn) -> None:
    """Warn of pages skipped for lack of time."""
    if numbers:
        warn(
            "NO_TEXT",
            say(
                "{count} pages without text, from page {numbers} on, were not read, because that takes "
                "too long. Choose them with pages.",
                count=len(numbers),
                numbers=numbers[0] + 1,
            ),
        )


def _cost(size: tuple[float, float], dots: int) -> int:
    return cost_of(*_pixels(size, dots))


def _pixels(size: tuple[float, float], dots: int) -> tuple[int, int]:
    width, height = (max(1, math.ceil(side * dots / _POINTS)) for side in size)
    return width, height


def _dots_of(page: pypdfium2.PdfPage, width: float, height: float) -> int:
    sharpest, whole = 0.0, False
    for each in _pictures(page):
        area = _area(each)
        if area > 0.1 * width * height:
            across, down = each.get_px_size()
            sharpest = max(sharpest, math.sqrt(across * down / area) * _POINTS)
            whole = whole or area > _WHOLE * width * height
    # A picture without a resolution makes a large page.
    least = min(_DPI[0], math.sqrt(FEW_PIXELS / max(1.0, width * height)) * _POINTS) if whole else _DPI[0]
    dots = round(max(least, min(_DPI[1], sharpest))) if sharpest else _USUAL
    most = math.sqrt(MOST_PIXELS / max(1.0, width * height)) * _POINTS
    return max(1, min(dots, math.floor(most)))


def _covered(page: pypdfium2.PdfPage) -> float:
    """The area of the page that pictures cover; overlaps count twice."""
    width, height = page.get_size()
    area = sum(map(_area, _pictures(page)))
    return float(area / max(1.0, width * height))


def _pictures(page: pypdfium2.PdfPage) -> Iterator[pypdfium2.PdfObject]:
    """The pictures among the first objects of a page: a scan is one, and a page of millions of lines has none."""
    things = itertools.islice(page.get_objects(max_depth=_DEEPEST), _MOST_THINGS)
    return (each for each in things if each.type == raw.FPDF_PAGEOBJ_IMAGE)


def _area(picture: pypdfium2.PdfObject) -> float:
    try:
        left, bottom, right, top = picture.get_bounds()
    except pypdfium2.PdfiumError:
        return 0.0  # an invisible one
    return float((right - left) * (top - bottom))
