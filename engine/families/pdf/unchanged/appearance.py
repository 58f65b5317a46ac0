"""Compare the appearance of two pages at low resolution.

Both are rendered at 36 pixels per inch and compared by the mean colour of squares of 8 points. A missing letter of 6
points changes a tenth of a square; JPEG compression from quality 60 on hardly changes any.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import pypdfium2
import pypdfium2.raw as raw
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from engine.families.pdf.unchanged.intended import Area, box

DPI = 36
_SQUARE = 4
"""Side of a square in pixels."""

_POINTS = 72
_MOST_PIXELS = 1_000_000
"""Pixels of a rendered page; larger pages, of over 2 m², are rendered at a smaller scale."""

_EXACT = 10
"""Levels of 255 by which a square may differ.

Of 570 PDFs of the test suites of pdf.js, qpdf and veraPDF, none differed by more than 3 after its fonts were subset or
its colours got a profile. The rest of a line after erased letters, whose widths PDFium rounds, differs by 8. The
faintest real fault, missing thin letters of 8 points, differed by 20.
"""

_LOSSY, _ROUGH = 48, 112
"""Levels by which a square may differ on lossy pictures: from quality `_FAIR` on, and below.

The same PDFs differed by 32 at most at quality 60, where few large pixels fill a page or are blended.
"""

_FAIR = 50
_MOST_PICTURES = 2_000
_EDGE = 5
"""Size in pixels of the filter that enlarges an area: letters may be larger than the box that PDFium reports."""


def alike(
    one: pypdfium2.PdfPage,
    other: pypdfium2.PdfPage,
    *,
    turned: int = 0,
    areas: Sequence[Area] = (),
    quality: int | None = None,
    everywhere: bool = False,
) -> bool:
    """Return whether `other` looks like `one` rotated clockwise by `turned` degrees, except for `areas` of `other`.

    Pictures may have the loss of JPEG of this `quality`: where they are painted, or `everywhere`.
    """
    its = _drawn(other)
    mine = _drawn(one, turned=turned)
    if max(abs(a - b) for a, b in zip(mine.size, its.size, strict=True)) > 1:
        return False
    if mine.size != its.size:
        mine = mine.resize(its.size)
    off = ImageChops.difference(mine.reduce(_SQUARE), its.reduce(_SQUARE))
    red, green, blue = off.split()
    levels = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    if areas and _most(levels) > _EXACT:
        levels = ImageChops.subtract(levels, _squares(other, its.size, areas))
    if _most(levels) <= _EXACT:
        return True
    if quality is None or _most(levels) > (_LOSSY if quality >= _FAIR else _ROUGH):
        return False
    return everywhere or _most(ImageChops.subtract(levels, _squares(other, its.size, _pictures(other)))) <= _EXACT


def _drawn(page: pypdfium2.PdfPage, *, turned: int = 0) -> Image.Image:
    points = max(1.0, page.get_width() * page.get_height())
    scale = min(DPI / _POINTS, (_MOST_PIXELS / points) ** 0.5)
    image: Image.Image = page.render(scale=scale, rotation=turned % 360).to_pil()
    return image.convert("RGB")


def _most(levels: Image.Image) -> float:
    return float(levels.getextrema()[1])  # type: ignore[arg-type]  # of one channel


def _squares(page: pypdfium2.PdfPage, size: tuple[int, int], areas: Sequence[Area]) -> Image.Image:
    """Return a mask with the squares that an area overlaps in white."""
    mask = Image.new("L", size)
    for area in areas:
        corners = [_pixel(page, size, corner) for corner in area]
        ImageDraw.Draw(mask).polygon(corners, fill=255, outline=255)
    return mask.filter(ImageFilter.MaxFilter(_EDGE)).reduce(_SQUARE).point([0] + [255] * 255)


def _pixel(page: pypdfium2.PdfPage, size: tuple[int, int], at: tuple[float, float]) -> tuple[int, int]:
    x, y = ctypes.c_int(), ctypes.c_int()
    raw.FPDF_PageToDevice(page.raw, 0, 0, *size, 0, *at, x, y)
    return x.value, y.value


def _pictures(page: pypdfium2.PdfPage) -> list[Area]:
    """Return the areas of pictures, and of forms that contain pictures."""
    found: list[Area] = []
    for each in page.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM), max_depth=1):
        if each.type == raw.FPDF_PAGEOBJ_IMAGE or any(
            True for _ in page.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE,), form=each.raw, level=1)
        ):
            found.append(box(*each.get_bounds()))
        if len(found) >= _MOST_PICTURES:
            break
    return found
