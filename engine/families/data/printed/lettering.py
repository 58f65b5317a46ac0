"""Fonts of sheets: which bundled font stands for each, and how wide and high its text is."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace

from reportlab.pdfbase import pdfmetrics

from engine.families.data.printed.looks import Font
from engine.families.html_pdf.fonts import bundled
from engine.families.html_pdf.fonts.runs import runs

_SMALL = 0.65
"""The size of raised and lowered letters."""
_WIDTHS = {
    "calibri light": 0.99, "aptos": 0.99, "aptos narrow": 0.88, "aptos display": 0.97,
    "arial narrow": 0.82, "candara": 0.92, "corbel": 0.92, "segoe ui": 0.97, "tahoma": 0.97, "trebuchet ms": 0.96,
    "verdana": 1.15, "gill sans mt": 0.92, "century gothic": 1.06, "franklin gothic book": 0.92,
    "georgia": 1.13, "garamond": 0.94, "book antiqua": 1.1, "palatino linotype": 1.1, "century": 1.12,
    "bookman old style": 1.2, "consolas": 0.916,
}  # fmt: skip
"""How wide fonts are, compared with the bundled one that stands for each: their lines then break where they should."""
_SERIF = frozenset(("book antiqua", "palatino linotype", "century", "bookman old style", "baskerville"))


@dataclass(frozen=True)
class Face:
    """A font of a size as it is drawn: a registered font, its size, the stretch of its letters and its rise."""

    name: str
    size: float
    stretch: float
    rise: float
    ascent: float
    descent: float
    """Above and below the baseline, both positive."""


@dataclass(frozen=True)
class Piece:
    """Characters drawn in one face."""

    text: str
    face: Face
    width: float
    font: Font


@functools.lru_cache(maxsize=4096)
def face(font: Font) -> Face:
    """The face for a font."""
    plain = " ".join(font.name.lower().split())
    family = bundled.NAMES.get(plain) or (bundled.SERIF.name if plain in _SERIF else bundled.SANS.name)
    found = next(each for each in bundled.FAMILIES if each.name == family)
    name = found.style(bold=font.bold, italic=font.italic)
    size = font.size * _SMALL if font.rise else font.size
    shape = pdfmetrics.getFont(name).face
    stretch = _WIDTHS.get(plain, 1.0)
    rise = 0.35 * font.size if font.rise > 0 else -0.1 * font.size if font.rise < 0 else 0.0
    return Face(name, size, stretch, rise, shape.ascent * size / 1000 + rise, -shape.descent * size / 1000 - rise)


@functools.lru_cache(maxsize=65_536)
def width(text: str, font: Font) -> float:
    """The width of a text in points."""
    own = face(font)
    if text.isascii():
        widths = _widths(own.name)
        return own.size * own.stretch * sum([widths[code] for code in text.encode()])
    return sum(each.width for each in pieces(text, font, _nothing))


def pieces(text: str, font: Font, missing: Callable[[str], None]) -> list[Piece]:
    """A text as pieces of one face each; `missing` gets every character that no font has."""
    own = face(font)
    if text.isascii():
        return [Piece(text, own, width(text, font), font)]
    found = []
    for part, name in runs(text, (own.name,), bold=font.bold, italic=font.italic, missing=missing):
        shape = own if name == own.name else replace(own, name=name, stretch=1.0)
        across = pdfmetrics.stringWidth(part, name, own.size) * shape.stretch
        found.append(Piece(part, shape, across, font))
    return found


@functools.cache
def _widths(name: str) -> list[float]:
    widths = pdfmetrics.getFont(name).face.charWidths
    return [widths.get(code, 0.0) / 1000 if code >= 32 else 0.0 for code in range(128)]


def _nothing(letter: str) -> None:
    pass
