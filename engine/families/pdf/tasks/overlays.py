"""Overlays on PDF pages: page numbers, text in any script, pictures."""

from __future__ import annotations

import base64
import binascii
import io
import itertools
from dataclasses import dataclass

import pikepdf
from pikepdf import Name
from PIL import Image, ImageColor
from reportlab.pdfbase.pdfmetrics import stringWidth

from engine.families.pdf.drawn_text import drawn
from engine.families.pdf.options import PdfOptions
from engine.families.pdf.tasks.encodings import as_flate
from engine.families.pdf.tasks.samples import Colours
from engine.families.pdf.unchanged.intended import Area, box
from engine.toolkit.failures import InvalidOption
from engine.toolkit.page_ranges import chosen
from engine.toolkit.picture_limits import check_pixels
from engine.toolkit.warnings import Warn

_FONT = "Helvetica"
_ASCENT, _DESCENT = 0.78, 0.22
_MARGIN = 28.0
"""Points between the edge of a page and an overlay: about a centimetre."""

_PICTURE_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")


@dataclass(frozen=True)
class Overlay:
    """A form to draw over pages, with its size in points."""

    form: pikepdf.Object
    width: float
    height: float


def number_pages(pdf: pikepdf.Pdf, options: PdfOptions, warn: Warn) -> dict[int, list[Area]]:
    """Write a number on each of the chosen pages, starting with `startAt`; return the areas by page."""
    numbers = chosen(options.pages, len(pdf.pages))
    pattern, first = options.text or "{page}", 1 if options.start_at is None else options.start_at
    if "{page}" not in pattern:
        raise InvalidOption("text", "Put {page} where the number should be, such as Page {page} of {pages}.")
    areas = {}
    for at, number in enumerate(numbers):
        text = pattern.replace("{pages}", str(first + len(numbers) - 1)).replace("{page}", str(first + at))
        overlay = _line(pdf, text, options, warn)
        size = overlay.width, overlay.height
        areas[number] = [_lay(pdf.pages[number], overlay, options.position or "bottomCenter", size)]
    return areas


def stamp(pdf: pikepdf.Pdf, options: PdfOptions, warn: Warn) -> dict[int, list[Area]]:
    """Lay a line of text or a picture over each of the chosen pages; return the areas by page."""
    if (options.text is None) == (options.picture is None):
        raise InvalidOption("text", "Choose either text or a picture to stamp.")
    numbers = chosen(options.pages, len(pdf.pages))
    overlay = _line(pdf, options.text, options, warn) if options.text is not None else _picture(pdf, options)
    areas = {}
    for number in numbers:
        size = overlay.width, overlay.height
        if options.picture is not None:
            seen = _seen(pdf.pages[number])
            scale = seen[0] * (options.picture_width or 25) / 100 / overlay.width
            size = overlay.width * scale, overlay.height * scale
        areas[number] = [_lay(pdf.pages[number], overlay, options.position or "topRight", size)]
    return areas


def _line(pdf: pikepdf.Pdf, text: str, options: PdfOptions, warn: Warn) -> Overlay:
    text = " ".join(text.split())
    if not text:
        raise InvalidOption("text", "Enter some text.")
    size = float(options.text_size or 10)
    colour = ImageColor.getrgb(options.colour or "#000000")[:3]
    try:
        encoded = text.encode("cp1252")
    except UnicodeEncodeError:
        # Text outside Latin scripts must be shaped and ordered, so it is drawn as a mask.
        found = drawn(pdf, text, warn, colour)
        # On the same baseline as other texts, in a box of the same height unless a glyph exceeds it.
        bottom = min(-_DESCENT, found.bottom)
        width, height = size * found.width, size * (max(_ASCENT, found.bottom + found.height) - bottom)
        content = f"{width:.3f} 0 0 {size * found.height:.3f} 0 {size * (found.bottom - bottom):.3f} cm /M Do"
        resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(M=found.picture))
        return _form(pdf, width, height, content, resources, options)
    width, height = stringWidth(text, _FONT, size), size * (_ASCENT + _DESCENT)
    font = pikepdf.Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/" + _FONT), Encoding=Name.WinAnsiEncoding
    )
    fill = " ".join(f"{each / 255:.4f}" for each in colour)
    content = f"BT {fill} rg /F {size:.2f} Tf 0 {size * _DESCENT:.3f} Td <{encoded.hex()}> Tj ET"
    return _form(pdf, width, height, content, pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font)), options)


def _picture(pdf: pikepdf.Pdf, options: PdfOptions) -> Overlay:
    assert options.picture is not None
    try:
        data = base64.b64decode(options.picture.rpartition(",")[2], validate=True)
        with Image.open(io.BytesIO(data), formats=_PICTURE_FORMATS) as image:
            check_pixels(*image.size)
            full = image.convert("RGBA")
    except (binascii.Error, OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError) as error:
        raise InvalidOption("picture", "This is not a PNG, JPEG, WebP, GIF or BMP picture in base64.") from error
    stream = pdf.make_stream(b"", Type=Name.XObject, Subtype=Name.Image)
    as_flate(full.convert("RGB"), Colours(3, Name.DeviceRGB), 9).into(stream)
    alpha = full.getchannel("A")
    if alpha.getextrema() != (255, 255):
        mask = pdf.make_stream(b"", Type=Name.XObject, Subtype=Name.Image)
        as_flate(alpha, Colours(1, Name.DeviceGray), 9).into(mask)
        stream[Name.SMask] = mask
    content = f"{full.width} 0 0 {full.height} 0 0 cm /M Do"
    resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(M=stream))
    return _form(pdf, full.width, full.height, content, resources, options)


def _form(
    pdf: pikepdf.Pdf, width: float, height: float, content: str, resources: pikepdf.Dictionary, options: PdfOptions
) -> Overlay:
    opacity = 1.0 if options.opacity is None else options.opacity
    resources[Name.ExtGState] = pikepdf.Dictionary(Gs=pikepdf.Dictionary(Type=Name.ExtGState, ca=opacity))
    form = pdf.make_stream(f"q /Gs gs {content} Q".encode("ascii"), Type=Name.XObject, Subtype=Name.Form)
    form[Name.BBox] = pikepdf.Array([0, 0, round(width, 3), round(height, 3)])
    form[Name.Resources] = resources
    return Overlay(form, width, height)


def _seen(page: pikepdf.Page) -> tuple[float, float]:
    """The displayed width and height of a page."""
    box = pikepdf.Rectangle(page.cropbox)
    width, height = float(box.width), float(box.height)
    return (height, width) if page.rotation % 180 else (width, height)


def upright(page: pikepdf.Page) -> tuple[float, float, float, float, float, float]:
    """Maps the displayed page, from its lower left corner, to its user space."""
    box = pikepdf.Rectangle(page.cropbox)
    left, bottom, right, top = float(box.llx), float(box.lly), float(box.urx), float(box.ury)
    return {
        0: (1, 0, 0, 1, left, bottom),
        90: (0, 1, -1, 0, right, bottom),
        180: (-1, 0, 0, -1, right, top),
        270: (0, -1, 1, 0, left, top),
    }[page.rotation % 360 // 90 * 90]  # fmt: skip


def _lay(page: pikepdf.Page, overlay: Overlay, position: str, size: tuple[float, float]) -> Area:
    """Draw the overlay over the page, and return its area in the page's coordinates."""
    width, height = _seen(page)
    across = min(_MARGIN, max(0.0, (width - size[0]) / 2))
    down = min(_MARGIN, max(0.0, (height - size[1]) / 2))
    x, y = (width - size[0]) / 2, (height - size[1]) / 2
    if position.endswith("Left"):
        x = across
    elif position.endswith("Right"):
        x = width - across - size[0]
    if position.startswith("top"):
        y = height - down - size[1]
    elif position.startswith("bottom"):
        y = down
    place = " ".join(f"{each:.3f}" for each in upright(page)) + " cm"
    scale = size[0] / overlay.width
    inner = f"{scale:.5f} 0 0 {size[1] / overlay.height:.5f} {x:.3f} {y:.3f} cm"
    taken = set(page.resources.get(Name.XObject, pikepdf.Dictionary()).keys())
    name = next(name for number in itertools.count(1) if (name := f"/Overlay{number}") not in taken)
    page.add_resource(overlay.form, Name.XObject, Name(name))
    # The graphics state at the end of the page must not affect the overlay.
    page.contents_add(b"q\n", prepend=True)
    page.contents_add(f"Q\nq {place} {inner} {name} Do Q".encode("ascii"))
    a, b, c, d, e, f = upright(page)
    corners = box(x, y, x + size[0], y + size[1])
    return [(a * across + c * up + e, b * across + d * up + f) for across, up in corners]
