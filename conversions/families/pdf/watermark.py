"""Watermarks: a text across the pages of a PDF, in any script."""

from __future__ import annotations

import itertools
import math
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pikepdf
from pikepdf import Name
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfbase.ttfonts import TTFError, TTFontFile

from conversions.toolkit.warnings import Warn

_FONT = "Helvetica-Bold"
_CAP_HEIGHT = 0.72
"""Height of a capital of _FONT, as a part of its size."""

_COVER = 0.75
"""How much of the page's diagonal the text takes."""

_LARGEST = 144.0
_GREY = 0.4
_SPACES = {"L": Name.DeviceGray, "RGB": Name.DeviceRGB}
_SHARPNESS = 200
"""Pixels of height that the letters of a drawn text have."""

_FONT_FOLDERS = (
    Path(__file__).resolve().parents[2] / "fonts",
    Path("/usr/share/fonts/truetype"),
    Path("/usr/share/fonts/opentype"),
)
_PREFERRED = ("DejaVuSans-Bold.ttf", "DejaVuSans.ttf", "DroidSansFallbackFull.ttf", "DroidSansFallback.ttf")


def stamp(pdf: pikepdf.Pdf, numbers: Iterable[int], text: str, opacity: float, warn: Warn) -> None:
    """Write `text` over the pages `numbers`, counted from 0, along the diagonal as the pages are seen.

    Letters that no font here has are named in a warning. Each size of page gets one form, shared by its pages.
    """
    text = " ".join(text.split())
    forms: dict[tuple[int, int], pikepdf.Object] = {}
    try:
        encoded: bytes | None = text.encode("cp1252")
    except UnicodeEncodeError:
        encoded = None
    # Beyond Latin the letters have to be shaped and ordered: they are drawn once, as a mask.
    mask = None if encoded is not None else mask_of(pdf, text, warn)
    for number in numbers:
        page = pdf.pages[number]
        box = pikepdf.Rectangle(page.trimbox)
        width, height = float(box.width), float(box.height)
        if int(page.obj.get(Name.Rotate, 0)) % 180:
            width, height = height, width
        size = (max(1, round(width)), max(1, round(height)))
        if size not in forms:
            forms[size] = (
                _letters(pdf, size, text, encoded, opacity) if encoded is not None else _drawn(pdf, size, mask, opacity)
            )
        _lay_over(page, forms[size], box)


def _lay_over(page: pikepdf.Page, form: pikepdf.Object, box: pikepdf.Rectangle) -> None:
    # As Page.add_overlay does, but under a name that is the same every time.
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
    # From the middle of the page back by half the text, along it and across it.
    x = size[0] / 2 - (proportion * cosine - sine) * height / 2
    y = size[1] / 2 - (proportion * sine + cosine) * height / 2
    return height, f"{cosine:.5f} {sine:.5f} {-sine:.5f} {cosine:.5f} {x:.3f} {y:.3f}"


def _letters(pdf: pikepdf.Pdf, size: tuple[int, int], text: str, encoded: bytes, opacity: float) -> pikepdf.Object:
    proportion = stringWidth(text, _FONT, 1) / _CAP_HEIGHT
    height, matrix = _placed(size, proportion)
    font = pikepdf.Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/" + _FONT), Encoding=Name.WinAnsiEncoding
    )
    content = f"BT /F {height / _CAP_HEIGHT:.3f} Tf {matrix} Tm <{encoded.hex()}> Tj ET"
    return _form(pdf, size, content, pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font)), opacity)


def _drawn(pdf: pikepdf.Pdf, size: tuple[int, int], mask: pikepdf.Object | None, opacity: float) -> pikepdf.Object:
    assert mask is not None
    proportion = int(mask[Name.SMask][Name.Width]) / int(mask[Name.SMask][Name.Height])
    height, matrix = _placed(size, proportion)
    content = f"{matrix} cm {proportion * height:.3f} 0 0 {height:.3f} 0 0 cm /M Do"
    return _form(pdf, size, content, pikepdf.Dictionary(XObject=pikepdf.Dictionary(M=mask)), opacity)


def mask_of(pdf: pikepdf.Pdf, text: str, warn: Warn, grey: tuple[int, ...] = (round(_GREY * 255),)) -> pikepdf.Object:
    """A picture of one point, of that `grey` or RGB, whose soft mask is the text (ISO 32000-1, 11.6.5.3)."""
    placed, x = [], 0.0
    for path, part in _runs(text, warn):
        font = ImageFont.truetype(str(path), _SHARPNESS)
        placed.append((x, part, font, font.getbbox(part, anchor="ls")))
        x += font.getlength(part)
    left, right = min(x + box[0] for x, _, _, box in placed), max(x + box[2] for x, _, _, box in placed)
    top, bottom = min(box[1] for *_, box in placed), max(box[3] for *_, box in placed)
    letters = Image.new("L", (max(1, math.ceil(right - left)), max(1, math.ceil(bottom - top))))
    for x, part, font, _ in placed:
        ImageDraw.Draw(letters).text((x - left, -top), part, fill=255, font=font, anchor="ls")
    point = _picture(pdf, Image.new("L" if len(grey) == 1 else "RGB", (1, 1), grey))
    point[Name.SMask] = _picture(pdf, letters)
    return point


def _picture(pdf: pikepdf.Pdf, image: Image.Image) -> pikepdf.Object:
    stream = pdf.make_stream(b"")
    stream.write(zlib.compress(image.tobytes(), 9), filter=Name.FlateDecode)
    stream[Name.Type], stream[Name.Subtype], stream[Name.ColorSpace] = Name.XObject, Name.Image, _SPACES[image.mode]
    stream[Name.Width], stream[Name.Height] = image.size
    stream[Name.BitsPerComponent] = 8
    return stream


def _runs(text: str, warn: Warn) -> list[tuple[Path, str]]:
    """The text in parts that one font has all letters of, from left to right, each with its font.

    A part keeps the order in which it is read: shaping turns what runs from the right.
    """
    fonts, missing = _fonts_for(text)
    if missing:
        named = ", ".join(f"U+{code:04X}" for code in sorted(missing)[:10])
        warn("GLYPH_MISSING", f"No installed font has these characters of the watermark: {named}.")
    runs: list[tuple[Path, str]] = []
    for letter in text:
        having = [path for path in fonts if ord(letter) in _letters_in(path)]
        last = runs[-1][0] if runs else None
        if last is not None and (last in having or not having or letter.isspace()):
            runs[-1] = (last, runs[-1][1] + letter)
        else:
            runs.append((having[0] if having else fonts[0], letter))
    directions = (unicodedata.bidirectional(letter) for letter in text)
    first = next((each for each in directions if each in ("L", "R", "AL")), "L")
    return runs if first == "L" else runs[::-1]


def _fonts_for(text: str) -> tuple[list[Path], set[int]]:
    """The first fonts that have letters of `text` which those before lack, and what no font has."""
    missing = {ord(letter) for letter in text if not letter.isspace()}
    found: list[Path] = []
    for path in _fonts():
        try:
            has = missing & _letters_in(path)
        except (TTFError, OSError):
            continue
        if has or not found:
            found.append(path)
            missing -= has
        if not missing:
            break
    if not found:
        raise FileNotFoundError("no font is installed")
    return found, missing


def _fonts() -> Iterator[Path]:
    found = sorted(path for folder in _FONT_FOLDERS for path in folder.rglob("*.tt[fc]"))
    rank = {name: place for place, name in enumerate(_PREFERRED)}
    return iter(sorted(found, key=lambda path: rank.get(path.name, len(rank))))


@cache
def _letters_in(path: Path) -> frozenset[int]:
    return frozenset(TTFontFile(str(path)).charToGlyph)
