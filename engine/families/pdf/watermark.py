"""Text watermarks in any script."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import pikepdf
from pikepdf import Name
from reportlab.pdfbase.pdfmetrics import stringWidth

from engine.families.pdf.drawn_text import Drawn, drawn
from engine.toolkit.warnings import Warn

_FONT = "Helvetica-Bold"
_CAP_HEIGHT = 0.72
"""The cap height of _FONT, in times its size."""

_COVER = 0.75
"""The share of the page's diagonal that the text covers."""

_LARGEST = 144.0
_GREY = 0.4


def stamp(pdf: pikepdf.Pdf, numbers: Iterable[int], text: str, opacity: float, warn: Warn) -> None:
    """Write `text` over the pages `numbers`, counted from 0, along the displayed diagonal.

    Characters that no font here has are reported. Each page size gets one form, shared by its pages.
    """
    text = " ".join(text.split())
    forms: dict[tuple[int, int], pikepdf.Object] = {}
    try:
        encoded: bytes | None = text.encode("cp1252")
    except UnicodeEncodeError:
        encoded = None
    # Beyond Latin the text must be shaped and ordered: it is drawn once, as a mask.
    picture = None if encoded is not None else drawn(pdf, text, warn, (round(_GREY * 255),))
    for number in numbers:
        page = pdf.pages[number]
        box = pikepdf.Rectangle(page.trimbox)
        width, height = float(box.width), float(box.height)
        if int(page.obj.get(Name.Rotate, 0)) % 180:
            width, height = height, width
        size = (max(1, round(width)), max(1, round(height)))
        if size not in forms:
            forms[size] = (
                _encoded_form(pdf, size, text, encoded, opacity)
                if encoded is not None
                else _drawn(pdf, size, picture, opacity)
            )
        _lay_over(page, forms[size], box)


def _lay_over(page: pikepdf.Page, form: pikepdf.Object, box: pikepdf.Rectangle) -> None:
    # As Page.add_overlay does, but with a deterministic name.
    taken = set(page.resources.get(Name.XObject, pikepdf.Dictionary()).keys())
    name = next(name for number in itertools.count(1) if (name := f"/Watermark{number}") not in taken)
    page.add_resource(form, Name.XObject, Name(name))
    placement = page.calc_form_xobject_placement(
        form, Name(name), box, invert_transformations=True, allow_shrink=True, allow_expand=True
    )
    page.contents_add(b"q\n", prepend=True)
    page.contents_add(b"Q\n" + placement)


def _form(
    pdf: pikepdf.Pdf, size: tuple[int, int], content: str, resources: pikepdf.Dictionary, opacity: float
) -> pikepdf.Object:
    resources[Name.ExtGState] = pikepdf.Dictionary(Gs=pikepdf.Dictionary(Type=Name.ExtGState, ca=opacity))
    form = pdf.make_stream(f"/Gs gs {_GREY} g {content}".encode("latin-1"))
    form[Name.Type], form[Name.Subtype] = Name.XObject, Name.Form
    form[Name.BBox] = pikepdf.Array([0, 0, *size])
    form[Name.Resources] = resources
    return form


def _placed(size: tuple[int, int], proportion: float) -> tuple[float, str]:
    """The height of a text `proportion` times as wide as high, and the matrix that puts it on the diagonal."""
    diagonal = math.hypot(*size)
    height = min(_LARGEST * _CAP_HEIGHT, diagonal * _COVER / proportion)
    cosine, sine = size[0] / diagonal, size[1] / diagonal
    # From the page's centre back by half the text, along it and across it.
    x = size[0] / 2 - (proportion * cosine - sine) * height / 2
    y = size[1] / 2 - (proportion * sine + cosine) * height / 2
    return height, f"{cosine:.5f} {sine:.5f} {-sine:.5f} {cosine:.5f} {x:.3f} {y:.3f}"


def _encoded_form(pdf: pikepdf.Pdf, size: tuple[int, int], text: str, encoded: bytes, opacity: float) -> pikepdf.Object:
    proportion = stringWidth(text, _FONT, 1) / _CAP_HEIGHT
    height, matrix = _placed(size, proportion)
    font = pikepdf.Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/" + _FONT), Encoding=Name.WinAnsiEncoding
    )
    content = f"BT /F {height / _CAP_HEIGHT:.3f} Tf {matrix} Tm <{encoded.hex()}> Tj ET"
    return _form(pdf, size, content, pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font)), opacity)


def _drawn(pdf: pikepdf.Pdf, size: tuple[int, int], drawn: Drawn | None, opacity: float) -> pikepdf.Object:
    assert drawn is not None
    proportion = drawn.width / drawn.height
    height, matrix = _placed(size, proportion)
    content = f"{matrix} cm {proportion * height:.3f} 0 0 {height:.3f} 0 0 cm /M Do"
    return _form(pdf, size, content, pikepdf.Dictionary(XObject=pikepdf.Dictionary(M=drawn.picture)), opacity)
