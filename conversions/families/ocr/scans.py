"""Scans: which pages of a PDF have no text that can be used, and pictures of them to be read."""

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

from conversions.families.ocr.page import Box, Page
from conversions.families.ocr.reader import ALL_PIXELS, FEW_PIXELS, MOST_PIXELS, Reader, check_cost, cost_of
from conversions.families.ocr.unread import has_more, outlined
from conversions.families.pdf.pdfium import letters_of, page_of
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

_POINTS = 72
_USUAL = 200
_DPI = (150, 300)
"""Between these a page is drawn as sharp as its pictures are."""

_WHOLE = 0.95
"""The part of a page from which on a picture is all of it: there are no lines of letters to be drawn sharper."""

_FEW_LETTERS = 100
"""A page with fewer, on a picture that covers half of it, is a scan with a stamp or a page number."""

_COVERED = 0.5
_GARBAGE = 0.3
"""The part of the letters that may be none before the text is taken for garbage."""

_NO_LETTER = re.compile("[\x00-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]")
"""What is no letter of any script: controls, those for private use, and the one that stands for none."""

_DEEPEST = 3
_MOST_TEXTS = 5_000
_MOST_THINGS = 50_000


@dataclass(frozen=True)
class Plan:
    """Pages to be read, counted from 0, each with the dots an inch that it is drawn with, and those left out."""

    dots: dict[int, int]
    left_out: tuple[int, ...] = ()


class Text(Enum):
    """What the text of a page is: `NONE` also where a picture of the page has a stamp or a number on it."""

    NONE = "none"
    GARBAGE = "garbage"
    GOOD = "good"


def text_of(document: pypdfium2.PdfDocument, number: int) -> Text:
    """What the text of the page `number`, counted from 0, is; raises Unreadable where it is damaged."""
    with page_of(document, number) as page:
        letters = "".join(letters_of(page).split())
        if not letters:
            return Text.NONE
        if len(_NO_LETTER.findall(letters)) > _GARBAGE * len(letters):
            return Text.GARBAGE
        return Text.NONE if len(letters) < _FEW_LETTERS and _covered(page) >= _COVERED else Text.GOOD


def plan(document: pypdfium2.PdfDocument, numbers: Sequence[int], *, all_or_none: bool) -> Plan:
    """How the pages `numbers` are drawn so that there is time to read them.

    Where they are too many, the last ones are left out, or OverLimit is raised if it is to be `all_or_none`.
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
    """The pages of the plan as they are read, in pixels of what was drawn, and whether there is more on them."""
    for number, dots in wanted.dots.items():
        picture = _drawn(document, number, dots)
        outline = outlined(picture)
        found = reader.read(picture, f"page {number + 1}", dots if dots >= _DPI[0] else None)
        yield number, found, has_more(outline, found)


def _drawn(document: pypdfium2.PdfDocument, number: int, dots: int) -> Image.Image:
    with page_of(document, number) as page:
        try:
            bitmap = page.render(scale=dots / _POINTS, grayscale=True, fill_color=(255, 255, 255, 255))
        except pypdfium2.PdfiumError as error:
            raise Unreadable(f"Page {number + 1} of the PDF can't be drawn.") from error
        picture: Image.Image = bitmap.to_pil()  # which keeps the pixels, and lets go of the bitmap
        return picture


def visible_texts(document: pypdfium2.PdfDocument, number: int) -> list[Box]:
    """Where there is text to be seen on a page: left, bottom, right, top in its own space."""
    with page_of(document, number) as page:
        texts = page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=_DEEPEST)
        return [
            each.get_bounds()
            for each in itertools.islice(texts, _MOST_TEXTS)
            if raw.FPDFTextObj_GetTextRenderMode(each) != raw.FPDF_TEXTRENDERMODE_INVISIBLE
        ]


def name_left_out(numbers: Sequence[int], warn: Warn) -> None:
    """Warn of pages that there was no time to read."""
    if numbers:
        warn(
            "NO_TEXT",
            f"{len(numbers)} pages without text, from page {numbers[0] + 1} on, were not read, as that takes longer "
            "than a conversion may. Choose them with pages.",
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
    # A picture that says nothing of its size lies on a large page.
    least = min(_DPI[0], math.sqrt(FEW_PIXELS / max(1.0, width * height)) * _POINTS) if whole else _DPI[0]
    dots = round(max(least, min(_DPI[1], sharpest))) if sharpest else _USUAL
    most = math.sqrt(MOST_PIXELS / max(1.0, width * height)) * _POINTS
    return max(1, min(dots, math.floor(most)))


def _covered(page: pypdfium2.PdfPage) -> float:
    """The part of the page that pictures lie on; where they overlap, more than that."""
    width, height = page.get_size()
    area = sum(map(_area, _pictures(page)))
    return float(area / max(1.0, width * height))


def _pictures(page: pypdfium2.PdfPage) -> Iterator[pypdfium2.PdfObject]:
    """Those among the first things on a page: a scan is one, and a page of millions of lines is none."""
    things = itertools.islice(page.get_objects(max_depth=_DEEPEST), _MOST_THINGS)
    return (each for each in things if each.type == raw.FPDF_PAGEOBJ_IMAGE)


def _area(picture: pypdfium2.PdfObject) -> float:
    try:
        left, bottom, right, top = picture.get_bounds()
    except pypdfium2.PdfiumError:
        return 0.0  # one that can't be seen
    return float((right - left) * (top - bottom))
