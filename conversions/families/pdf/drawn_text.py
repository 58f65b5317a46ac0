"""A text in any script as a picture in a PDF: shaped, ordered, and drawn once."""

from __future__ import annotations

import math
import unicodedata
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pikepdf
from pikepdf import Name
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfbase.ttfonts import TTFError, TTFontFile

from conversions.families.pdf.directions import in_seen_order, levels_of
from conversions.toolkit.warnings import Warn

_SPACES = {"L": Name.DeviceGray, "RGB": Name.DeviceRGB}
_SHARPNESS = 200
"""Pixels of height that the letters of a drawn text have."""

_FONT_FOLDERS = (
    Path(__file__).resolve().parents[2] / "fonts",
    Path("/usr/share/fonts/truetype"),
    Path("/usr/share/fonts/opentype"),
)
_PREFERRED = ("DejaVuSans-Bold.ttf", "DejaVuSans.ttf", "DroidSansFallbackFull.ttf", "DroidSansFallback.ttf")


@dataclass(frozen=True)
class Drawn:
    """A drawn text: a picture, with its extent from the start of its line in parts of the size of its letters."""

    picture: pikepdf.Object
    left: float
    bottom: float
    width: float
    height: float


def drawn(pdf: pikepdf.Pdf, text: str, warn: Warn, colour: tuple[int, ...]) -> Drawn:
    """A picture of one point, of that grey or RGB, whose soft mask is the text (ISO 32000-1, 11.6.5.3).

    Letters that no font here has are named in a warning.
    """
    placed, x = [], 0.0
    for path, part, direction in _runs(text, warn):
        font = ImageFont.truetype(str(path), _SHARPNESS)
        placed.append((x, part, font, direction, font.getbbox(part, anchor="ls", direction=direction)))
        x += font.getlength(part, direction=direction)
    left, right = min(x + box[0] for x, *_, box in placed), max(x + box[2] for x, *_, box in placed)
    top, bottom = min(box[1] for *_, box in placed), max(box[3] for *_, box in placed)
    letters = Image.new("L", (max(1, math.ceil(right - left)), max(1, math.ceil(bottom - top))))
    for x, part, font, direction, _ in placed:
        ImageDraw.Draw(letters).text((x - left, -top), part, 255, font, anchor="ls", direction=direction)
    point = _picture(pdf, Image.new("L" if len(colour) == 1 else "RGB", (1, 1), colour))
    point[Name.SMask] = _picture(pdf, letters)
    return Drawn(
        point, left / _SHARPNESS, -bottom / _SHARPNESS, letters.width / _SHARPNESS, letters.height / _SHARPNESS
    )


def _picture(pdf: pikepdf.Pdf, image: Image.Image) -> pikepdf.Object:
    stream = pdf.make_stream(b"")
    stream.write(zlib.compress(image.tobytes(), 9), filter=Name.FlateDecode)
    stream[Name.Type], stream[Name.Subtype], stream[Name.ColorSpace] = Name.XObject, Name.Image, _SPACES[image.mode]
    stream[Name.Width], stream[Name.Height] = image.size
    stream[Name.BitsPerComponent] = 8
    return stream


def _runs(text: str, warn: Warn) -> list[tuple[Path, str, str]]:
    """The text in parts that one font has all letters of, from left to right, each with its font and direction.

    A part keeps the order in which it is read: shaping turns what runs from the right.
    """
    fonts, missing = _fonts_for(text)
    if missing:
        named = ", ".join(f"U+{code:04X}" for code in sorted(missing)[:10])
        warn("GLYPH_MISSING", f"No installed font has these characters of the watermark: {named}.")
    runs: list[tuple[Path, str]] = []
    levels: list[int] = []
    for letter, level in zip(text, levels_of(text), strict=True):
        having = [path for path in fonts if ord(letter) in _letters_in(path)]
        last = runs[-1][0] if runs and levels[-1] == level else None
        if last is not None and (not having or last == having[0] or (last in having and _goes_on(letter))):
            runs[-1] = (last, runs[-1][1] + letter)
        else:
            before = runs[-1][0] if runs else fonts[0]
            runs.append((before if not having or (before in having and _goes_on(letter)) else having[0], letter))
            levels.append(level)
    directed = [(path, part, "rtl" if level % 2 else "ltr") for (path, part), level in zip(runs, levels, strict=True)]
    return in_seen_order(directed, levels)


def _goes_on(letter: str) -> bool:
    """Whether a letter is none of its own: a space, a mark on the one before it, what joins it to the next."""
    return letter.isspace() or unicodedata.category(letter) in ("Mn", "Mc", "Me", "Cf")


def _fonts_for(text: str) -> tuple[list[Path], set[int]]:
    """The first fonts that have letters of `text` which those before lack, and what no font has."""
    missing = {ord(letter) for letter in text if not letter.isspace() and unicodedata.category(letter) != "Cf"}
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
