"""Lay out pages of vertical text on paper that lies on its side, and rotate what is drawn (CSS Writing Modes 4, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

import pikepdf
import plutoprint

from engine.families.html_pdf.css import margin_boxes, pages
from engine.families.html_pdf.css.pages import Paper
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.paper import Margins
from engine.families.html_pdf.plutoprint import output
from engine.families.html_pdf.plutoprint.finishing import destinations
from engine.families.html_pdf.plutoprint.layout import laid_out, style_sheet
from engine.families.html_pdf.plutoprint.writing_modes import Mode
from engine.toolkit.warnings import Warn


def turned(paper: Paper, mode: Mode) -> Paper:
    """The paper on which pages of a mode are laid out, to be rotated."""
    top, right, bottom, left = paper.margins.around
    sides = Margins(right, bottom, left, top)
    if mode in ("up", "lr"):
        sides = Margins(left, top, right, bottom) if mode == "up" else Margins(left, bottom, right, top)
    return replace(paper, width=paper.height, height=paper.width, margins=sides)


def without_boxes() -> str:
    """Rules that remove the margin boxes of a page, which are drawn apart as they are not rotated."""
    none = margin_boxes.without(margin_boxes.NAMES)
    return "".join(f"@page{each}{{{none}}}" for each in ("", " :first", " :left", " :right", " :blank"))


def rotate(pdf: pikepdf.Pdf, mode: Mode) -> None:
    """Rotate the pages with their links and the places that these lead to."""
    sizes = {page.obj.objgen: [float(each) for each in page.mediabox] for page in pdf.pages}
    for page in pdf.pages:
        _, _, wide, high = sizes[page.obj.objgen]
        matrix = _matrix(mode, wide, high)
        page.contents_add(pdf.make_stream(b"q %d %d %d %d %.4f %.4f cm\n" % matrix), prepend=True)
        page.contents_add(pdf.make_stream(b"\nQ"))
        for name in ("/MediaBox", "/CropBox", "/TrimBox", "/BleedBox", "/ArtBox"):
            if name in page.obj:
                page.obj[name] = pikepdf.Array([0, 0, high, wide])
        for link in page.obj.get("/Annots", ()):
            one = _moved(float(link.Rect[0]), float(link.Rect[1]), matrix)
            other = _moved(float(link.Rect[2]), float(link.Rect[3]), matrix)
            link.Rect = pikepdf.Array([min(one[0], other[0]), min(one[1], other[1]),
                                       max(one[0], other[0]), max(one[1], other[1])])  # fmt: skip
            if isinstance(link.get("/Dest"), pikepdf.Array):
                _move(link.Dest, matrix)
    for place in destinations(pdf).values():
        if place[0].objgen in sizes:
            _, _, wide, high = sizes[place[0].objgen]
            _move(place, _matrix(mode, wide, high))


def turn(canvas: Any, mode: Mode, paper: Paper) -> None:
    """Let what is drawn on a canvas of points be as on paper that lies on its side."""
    # From the upper left corner down.
    canvas.transform(
        *{"rl": (0, 1, -1, 0, paper.width, 0), "lr": (0, 1, 1, 0, 0, 0)}.get(mode, (0, -1, 1, 0, 0, paper.height))
    )


def _matrix(mode: Mode, wide: float, high: float) -> tuple[float, float, float, float, float, float]:
    """What puts a page so wide and high on paper of the other orientation (ISO 32000-1, 8.3.4)."""
    if mode == "lr":
        return 0, -1, -1, 0, high, wide
    return (0, 1, -1, 0, high, 0) if mode == "up" else (0, -1, 1, 0, 0, wide)


def _move(place: Any, matrix: Sequence[float]) -> None:
    if len(place) >= 4 and str(place[1]) == "/XYZ":
        place[2], place[3] = _moved(float(place[2]), float(place[3]), matrix)


def _moved(x: float, y: float, matrix: Sequence[float]) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _have_boxes(sheets: Sequence[str]) -> bool:
    return any(
        "content" in each and any(f"@{name}" in each for name in margin_boxes.NAMES)
        for sheet in sheets
        for _, each in pages.page_rules(sheet)
    )


def draw_boxes(
    pdf: pikepdf.Pdf,
    root: Any,
    paper: Paper,
    options: PageOptions,
    warn: Warn,
    sheets: Sequence[str],
    *,
    without: str,
) -> None:
    """Draw the margin boxes of `@page` rules, if there are any, on the rotated pages, but those that a rule removes."""
    if not _have_boxes(sheets):
        return
    empty = root.makeelement("html")
    head, body = (root.makeelement(each) for each in ("head", "body"))
    empty.extend((head, body))
    for sheet in sheets:
        style = root.makeelement("style")
        style.text = "".join(f"@page {selector}{{{text}}}" for selector, text in pages.page_rules(sheet))
        head.append(style)
    for at in range(len(pdf.pages)):
        each = root.makeelement("div", style="margin:0;height:1px" + ";break-before:page" * bool(at))
        body.append(each)
    style_sheet(empty, pages.sheet(None, paper, options, "", scale=1.0) + without)
    book: plutoprint.Book = laid_out(empty, paper, options, warn)
    stream = BytesIO()
    book.write_to_pdf_stream(stream)
    with output.opened(stream) as drawn:
        for target, source in zip(pdf.pages, drawn.pages, strict=False):
            target.add_overlay(source, pikepdf.Rectangle(*map(float, target.mediabox)))
