"""Where drawn elements of OpenDocument files are, turned and moved (ISO/IEC 26300, part 3, 19.228)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from engine.families.documents.odf.names import DRAW, SVG, twips
from engine.families.documents.ooxml.package import Element
from engine.toolkit.xml_elements import number

_CALL = re.compile(r"(\w{1,20})\s*\(([^()]*)\)")
_MOST_CALLS = 100
_NUMBER = re.compile(r"[-+]?(?:\d{1,12}\.?\d{0,12}|\.\d{1,12})(?:[eE][-+]?\d{1,3})?")
_FAR = 126_000.0
"""Twentieths of a point beyond which nothing is placed."""

Matrix = tuple[float, float, float, float, float, float]
_SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Place:
    """The box of an upright element in twentieths of a point, its clockwise turn in degrees, and how it is flipped."""

    x: int
    y: int
    wide: int
    high: int
    turned: float = 0.0
    flips: tuple[str, ...] = ()

    @property
    def turn(self) -> str:
        """The turn as DrawingML writes it."""
        return str(round(self.turned % 360 * 60_000))


def of(shape: Element) -> Place:
    """The place of an element with a box or of a line with two ends."""
    matrix = _matrix(shape.get(DRAW + "transform") or "")
    ends = ends_of(shape)
    if ends is not None:
        x1, y1, x2, y2 = ends
        flips = tuple(name for name, on in (("flipH", x2 < x1), ("flipV", y2 < y1)) if on)
        return Place(round(min(x1, x2)), round(min(y1, y2)), round(abs(x2 - x1)), round(abs(y2 - y1)), flips=flips)
    x, y, wide, high = (twips(shape.get(SVG + name)) or 0 for name in ("x", "y", "width", "height"))
    if shape.get(SVG + "cx") and (radii := _radii(shape)):
        x, y = ((twips(shape.get(SVG + name)) or 0) - far for name, far in zip(("cx", "cy"), radii, strict=True))
        wide, high = radii[0] * 2, radii[1] * 2
    if matrix == _SAME:
        return Place(x, y, wide, high)
    across, down = math.hypot(*matrix[:2]), math.hypot(*matrix[2:4])
    middle = _at(matrix, x + wide / 2, y + high / 2)
    over = matrix[0] * matrix[3] - matrix[1] * matrix[2] < 0
    wide, high = _length(wide * across), _length(high * down)
    turned = math.degrees(math.atan2(matrix[1], matrix[0]))
    return Place(
        _length(middle[0] - wide / 2), _length(middle[1] - high / 2), wide, high,
        0.0 if abs(turned) < 0.005 else turned, ("flipV",) if over else (),
    )  # fmt: skip


def ends_of(shape: Element) -> tuple[float, float, float, float] | None:
    """The ends of a line, transformed; None for other elements."""
    found = [twips(shape.get(SVG + name)) for name in ("x1", "y1", "x2", "y2")]
    if all(each is None for each in found):
        return None
    x1, y1, x2, y2 = (each or 0 for each in found)
    matrix = _matrix(shape.get(DRAW + "transform") or "")
    return (*_at(matrix, x1, y1), *_at(matrix, x2, y2))


def _radii(shape: Element) -> tuple[int, int] | None:
    r, rx, ry = (twips(shape.get(SVG + name)) for name in ("r", "rx", "ry"))
    return (rx or r or 0, ry or r or 0) if r or rx or ry else None


def _length(number: float) -> int:
    return round(max(-_FAR, min(number, _FAR)))


def _at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return max(-_FAR, min(a * x + c * y + e, _FAR)), max(-_FAR, min(b * x + d * y + f, _FAR))


def _matrix(text: str) -> Matrix:
    """A transformation whose parts apply from left to right; its angles are in radians, anticlockwise."""
    found = _SAME
    for _, (name, inside) in zip(range(_MOST_CALLS), _CALL.findall(text[:10_000]), strict=False):
        parts = inside.replace(",", " ").split()
        numbers = [number(match[0]) if (match := _NUMBER.match(each)) else 0.0 for each in parts]
        lengths = [float(twips(each) or 0) for each in parts]
        step = _SAME
        if name == "rotate" and numbers:
            turn = -numbers[0]
            step = (math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), 0.0, 0.0)
        elif name == "translate" and lengths:
            step = (1.0, 0.0, 0.0, 1.0, lengths[0], lengths[1] if len(lengths) > 1 else 0.0)
        elif name == "scale" and numbers:
            step = (numbers[0], 0.0, 0.0, numbers[1] if len(numbers) > 1 else numbers[0], 0.0, 0.0)
        elif name in ("skewX", "skewY") and numbers and abs(math.cos(numbers[0])) > 0.01:
            lean = math.tan(-numbers[0])
            step = (1.0, 0.0, lean, 1.0, 0.0, 0.0) if name == "skewX" else (1.0, lean, 0.0, 1.0, 0.0, 0.0)
        elif name == "matrix" and len(numbers) == 6:
            step = (numbers[0], numbers[1], numbers[2], numbers[3], lengths[4], lengths[5])
        found = _product(found, step)
    return found if all(map(math.isfinite, found)) else _SAME


def _product(first: Matrix, second: Matrix) -> Matrix:
    """The transformation that applies the first and then the second."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m
