"""Draw a text in any script as a picture in a PDF: shaped and ordered."""

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

from engine.families.pdf.directions import levels_of, visual_order
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_SPACES = {"L": Name.DeviceGray, "RGB": Name.DeviceRGB}
_SHARPNESS = 200
"""The height in pixels of rendered characters."""

_FONT_FOLDERS = (
    Path(__file__).resolve().parents[2] / "fonts",
    Path("/usr/share/fonts/truetype"),
    Path("/usr/share/fonts/opentype"),
)
_PREFERRED = ("DejaVuSans-Bold.ttf", "DejaVuSans.ttf", "DroidSansFallbackFull.ttf", "DroidSansFallback.ttf")


@dataclass(frozen=True)
class Drawn:
    """A drawn text: a picture, with its extent from the start of its baseline relative to the text size."""

    picture: pikepdf.Object
    left: float
    bottom: float
    width: float
    height: float


def drawn(pdf: pikepdf.Pdf, text: str, warn: Warn, colour: tuple[int, ...]) -> Drawn:
    """A picture of one pixel, in that grey or RGB, whose soft mask is the text (ISO 32000-1, 11.6.5.3).

    Characters that no font here has are reported.
    """
    placed, x = [], 0.0
    for path, part, direction in _runs(text, warn):
        font = ImageFont.truetype(str(path), _SHARPNESS)
        placed.append((x, part, font, direction, font.getbbox(part, anchor="ls", direction=direction)))
        x += font.getlength(part, direction=direction)
    left, right = min(x + box[0] for x, *_, box in placed), max(x + box[2] for x, *_, box in placed)
    top, bottom = min(box[1] for *_, box in placed), max(box[3] for *_, box in placed)
    mask = Image.new("L", (max(1, math.ceil(right - left)), max(1, math.ceil(bottom - top))))
    for x, part, font, direction, _ in placed:
        ImageDraw.Draw(mask).text((x - left, -top), part, 255, font, anchor="ls", direction=direction)
    point = _picture(pdf, Image.new("L" if len(colour) == 1 else "RGB", (1, 1), colour))
    point[Name.SMask] = _picture(pdf, mask)
    return Drawn(point, left / _SHARPNESS, -bottom / _SHARPNESS, mask.width / _SHARPNESS, mask.height / _SHARPNESS)


def _picture(pdf: pikepdf.Pdf, image: Image.Image) -> pikepdf.Object:
    stream = pdf.make_stream(b"")
    stream.write(zlib.compress(image.tobytes(), 9), filter=Name.FlateDecode)
    stream[Name.Type], stream[Name.Subtype], stream[Name.ColorSpace] = Name.XObject, Name.Image, _SPACES[image.mode]
    stream[Name.Width], stream[Name.Height] = image.size
    stream[Name.BitsPerComponent] = 8
    return stream


def _runs(text: str, warn: Warn) -> list[tuple[Path, str, str]]:
    """The text as runs in one font each, in visual order, with their font and direction.

    A run stays in logical order: shaping reverses right-to-left ones.
    """
    fonts, missing = _fonts_for(text)
    if missing:
        named = ", ".join(f"U+{code:04X}" for code in sorted(missing)[:10])
        warn("GLYPH_MISSING", say("No installed font has these characters of the watermark: {named}.", named=named))
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
    return visual_order(directed, levels)


def _goes_on(letter: str) -> bool:
    """Whether a character continues the run before it: a space, a combining mark, or a joiner."""
    return letter.isspace() or unicodedata.category(letter) in ("Mn", "Mc", "Me", "Cf")


def _fonts_for(text: str) -> tuple[list[Path], set[int]]:
    """The first fonts that add characters of `text` that those before lack, and the characters no font has."""
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
