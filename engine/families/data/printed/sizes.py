"""Widths of columns in points: files give them in digits of the workbook's usual font."""

from __future__ import annotations

import math

from engine.families.data.printed import lettering
from engine.families.data.printed.looks import Font

PIXEL = 0.75
"""Points of a pixel: programs round widths to whole pixels of a screen with 96 dpi."""
_WIDEST = 255.0


def digit(font: Font) -> int:
    """The pixels of the widest digit (ECMA-376, part 1, 18.3.1.13): 7 in Calibri 11 and in Arial 10."""
    plain = Font(font.name, font.size)
    return max(round(lettering.width("0", plain) / PIXEL), 1)


def column_width(characters: float, font: Font) -> float:
    """The width of a column in points, from its width in characters, with padding."""
    wide = digit(font)
    pixels = math.trunc((256 * min(max(characters, 0.0), _WIDEST) + math.trunc(128 / wide)) / 256 * wide)
    return pixels * PIXEL


def usual_width(font: Font, characters: float = 8.0) -> float:
    """The width of a column that none is given for: room for eight digits and padding, rounded up to eight pixels."""
    wide = digit(font)
    padding = 2 * math.ceil(wide / 4) + 1
    return math.ceil((min(max(characters, 0.0), _WIDEST) * wide + padding) / 8) * 8 * PIXEL
