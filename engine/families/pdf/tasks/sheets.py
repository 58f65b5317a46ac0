"""Crop PDF pages, and put several on a sheet."""

from __future__ import annotations

import math

import pikepdf
from pikepdf import Name

from engine.families.pdf.options import PdfOptions
from engine.families.pdf.tasks import copied_layers, left_out_pages
from engine.families.pdf.tasks.overlays import upright
from engine.families.pdf.tasks.pages_apart import Apart
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.page_ranges import chosen
from engine.toolkit.warnings import Warn

_MM = 72 / 25.4
_PAPER = {"A4": (595.276, 841.89), "A3": (841.89, 1190.551), "Letter": (612.0, 792.0)}
_GRIDS = {"2": (1, 2), "4": (2, 2), "6": (2, 3), "8": (2, 4), "9": (3, 3), "16": (4, 4)}
"""The pages on a sheet, with the columns and rows of a portrait one."""

_GAP = 12.0
_SMALLEST = 10.0


def crop(pdf: pikepdf.Pdf, options: PdfOptions, warn: Warn) -> None:
    """Crop the margins of the chosen pages, as displayed. Content outside stays in the file, which is reported."""
    if options.margins is None:
        raise InvalidOption(
            "margins", "Enter the millimetres to cut off: top, right, bottom and left, such as 10,10,10,10."
        )
    top, right, bottom, left = (float(each) * _MM for each in options.margins.split(","))
    for number in chosen(options.pages, len(pdf.pages)):
        page = pdf.pages[number]
        box = pikepdf.Rectangle(page.cropbox)
        # As displayed, clockwise from the top; a rotated page has them shifted by one side.
        sides = [top, right, bottom, left]
        quarter = page.rotation % 360 // 90
        own_top, own_right, own_bottom, own_left = sides[quarter:] + sides[:quarter]
        new = [
            float(box.llx) + own_left,
            float(box.lly) + own_bottom,
            float(box.urx) - own_right,
            float(box.ury) - own_top,
        ]
        if new[2] - new[0] < _SMALLEST or new[3] - new[1] < _SMALLEST:
            raise InvalidOption("margins", say("Nothing would be left of page {number}. Crop less.", number=number + 1))
        page.obj[Name.CropBox] = pikepdf.Array([round(each, 3) for each in new])
        for name in (Name.TrimBox, Name.BleedBox, Name.ArtBox):
            if name in page.obj:
                del page.obj[name]
    warn("CONTENT_CLIPPED", "Cropped content is hidden, not removed. Use redact to remove confidential content.")


def several_on_one(pdf: pikepdf.Pdf, options: PdfOptions, warn: Warn) -> pikepdf.Pdf:
    """A new PDF with `perSheet` of the chosen pages on each sheet, from left to right and top to bottom."""
    numbers = chosen(options.pages, len(pdf.pages))
    count = int(options.per_sheet or "2")
    columns, rows = _GRIDS[options.per_sheet or "2"]
    width, height = _PAPER[options.paper or "A4"]
    first = _seen(pdf.pages[numbers[0]])
    # The orientation that shows the first page larger.
    if _fit(first, height / rows, width / columns) > _fit(first, width / columns, height / rows):
        columns, rows, width, height = rows, columns, height, width
    new = pikepdf.new()
    lost = any(Name.Annots in pdf.pages[number].obj for number in numbers)
    pdf.flatten_annotations("all")
    for at in range(0, len(numbers), count):
        new.add_blank_page(page_size=(width, height))
        sheet = new.pages[-1]
        content, forms = [], pikepdf.Dictionary()
        for place, number in enumerate(numbers[at : at + count]):
            page = pdf.pages[number]
            seen = _seen(page)
            room = (width - _GAP * (columns + 1)) / columns, (height - _GAP * (rows + 1)) / rows
            scale = _fit(seen, *room)
            column, row = place % columns, place // columns
            x = _GAP + column * (room[0] + _GAP) + (room[0] - seen[0] * scale) / 2
            y = height - (row + 1) * (room[1] + _GAP) + (room[1] - seen[1] * scale) / 2
            form = new.copy_foreign(page.as_form_xobject(handle_transformations=False))
            box = pikepdf.Rectangle(page.cropbox)
            form[Name.BBox] = pikepdf.Array([box.llx, box.lly, box.urx, box.ury])
            forms[f"/P{place}"] = form
            back = " ".join(f"{each:.5f}" for each in _inverse(upright(page)))
            content.append(f"q {scale:.5f} 0 0 {scale:.5f} {x:.3f} {y:.3f} cm {back} cm /P{place} Do Q")
        sheet.obj[Name.Resources] = pikepdf.Dictionary(XObject=forms)
        sheet.obj[Name.Contents] = new.make_stream("\n".join(content).encode("ascii"))
    pages = list(pdf.pages)
    with Apart(pdf, pages).only(numbers):
        copied_layers.add(new, pdf, pages, numbers)
    left_out_pages.cut(new, pages, numbers, warn)
    if lost or Name.Outlines in pdf.Root:
        warn(
            "CONTENT_DROPPED",
            "Sheets with several pages show links, bookmarks and form fields, but these no longer work.",
        )
    return new


def _seen(page: pikepdf.Page) -> tuple[float, float]:
    box = pikepdf.Rectangle(page.cropbox)
    width, height = max(1.0, float(box.width)), max(1.0, float(box.height))
    return (height, width) if page.rotation % 180 else (width, height)


def _fit(size: tuple[float, float], width: float, height: float) -> float:
    return min(width / size[0], height / size[1])


def _inverse(matrix: tuple[float, ...]) -> tuple[float, ...]:
    a, b, c, d, e, f = matrix
    size = a * d - b * c
    assert not math.isclose(size, 0.0)
    return (d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size)
