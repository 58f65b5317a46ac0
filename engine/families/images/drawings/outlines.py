"""Measure paths that text runs along: length, and point and direction at an offset."""

from __future__ import annotations

import bisect
import itertools
import math
import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path.parser import parse_path

from engine.families.images.drawings.styles import name_of

MAX_DATA = 1_000_000
"""The maximum length of path data."""

_STEPS = 32
_CALL = re.compile(r"\b(\w++)\s*+\(([^()]*+)\)")
_NUMBER = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d{1,3})?")

Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]
_SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Outline:
    """The vertices of an outline, the length up to each of them, and whether it is closed."""

    points: tuple[Point, ...]
    lengths: tuple[float, ...]
    closed: bool

    @property
    def length(self) -> float:
        return self.lengths[-1]

    def at(self, distance: float) -> tuple[float, float, float] | None:
        """The point at a distance: x, y and the direction in radians; None before its start or past its end."""
        if not 0 <= distance <= self.length:
            return None
        last = len(self.points) - 1
        at = min(max(bisect.bisect_right(self.lengths, distance), 1), last)
        while at < last and self.lengths[at] == self.lengths[at - 1]:
            at += 1
        (left, top), (right, bottom) = self.points[at - 1], self.points[at]
        span = self.lengths[at] - self.lengths[at - 1]
        share = (distance - self.lengths[at - 1]) / span if span else 0.0
        direction = math.atan2(bottom - top, right - left)
        return left + (right - left) * share, top + (bottom - top) * share, direction


def outline(element: Element, *, backward: bool = False) -> Outline | None:
    """The outline of a path or basic shape, transformed; None if it is empty or not a shape."""
    data = _data(element)
    if not data or len(data) > MAX_DATA:
        return None
    pen = RecordingPen()
    try:
        parse_path(data, pen)
    except (ValueError, IndexError, KeyError, TypeError, AssertionError, ArithmeticError):
        if not pen.value:  # the part before an error is drawn
            return None
    matrix = transform(element.get("transform") or "")
    points: list[Point] = []
    lengths: list[float] = []
    for corner, drawn in _corners(pen):
        place = (
            matrix[0] * corner[0] + matrix[2] * corner[1] + matrix[4],
            matrix[1] * corner[0] + matrix[3] * corner[1] + matrix[5],
        )
        # A move to the next subpath has no length.
        lengths.append((lengths[-1] if lengths else 0.0) + (math.dist(points[-1], place) if points and drawn else 0.0))
        points.append(place)
    if len(points) < 2 or not lengths[-1] > 0 or not math.isfinite(lengths[-1]):
        return None
    closed = math.dist(points[0], points[-1]) < 1e-6
    if backward:
        points.reverse()
        lengths = [lengths[-1] - each for each in reversed(lengths)]
    return Outline(tuple(points), tuple(lengths), closed)


def _corners(pen: RecordingPen) -> list[tuple[Point, bool]]:
    """The vertices of the flattened outline, each with whether a line leads to it."""
    found: list[tuple[Point, bool]] = []
    start: Point = (0.0, 0.0)
    for kind, places in pen.value:
        if kind == "moveTo":
            start = places[0]
            found.append((start, False))
        elif kind == "lineTo":
            found.append((places[0], True))
        elif kind == "closePath":
            found.append((start, True))
        elif kind in ("qCurveTo", "curveTo"):
            corners = (found[-1][0], *places)
            found += [(_bend(corners, step / _STEPS), True) for step in range(1, _STEPS + 1)]
    return found


def _bend(corners: tuple[Point, ...], share: float) -> Point:
    """A point of a Bézier curve, by de Casteljau's construction."""
    while len(corners) > 1:
        corners = tuple(
            (one[0] + (two[0] - one[0]) * share, one[1] + (two[1] - one[1]) * share)
            for one, two in itertools.pairwise(corners)
        )
    return corners[0]


def _data(element: Element) -> str:
    """The path data of a shape (SVG 2, 10)."""

    def number_of(name: str) -> float:
        found = _NUMBER.match(element.get(name, "").strip())
        return float(found[0]) if found else 0.0

    name = name_of(element)
    if name == "path":
        return element.get("d") or ""
    if name in ("polyline", "polygon"):
        return f"M{element.get('points') or ''}{'Z' * (name == 'polygon')}" if element.get("points") else ""
    if name == "line":
        return f"M{number_of('x1')},{number_of('y1')}L{number_of('x2')},{number_of('y2')}"
    if name == "rect":
        return f"M{number_of('x')},{number_of('y')}h{number_of('width')}v{number_of('height')}h{-number_of('width')}Z"
    if name in ("circle", "ellipse"):
        across, down = (number_of("r"), number_of("r")) if name == "circle" else (number_of("rx"), number_of("ry"))
        left, top = number_of("cx") - across, number_of("cy")
        arc = f"A{across},{down},0,0,1,"
        return f"M{left + 2 * across},{top}{arc}{left},{top}{arc}{left + 2 * across},{top}Z" if across and down else ""
    return ""


def transform(text: str) -> Matrix:
    """The matrix of a `transform` attribute (SVG 1.1, 7.6)."""
    whole = _SAME
    for name, arguments in _CALL.findall(text):
        numbers = [float(each) for each in _NUMBER.findall(arguments)]
        whole = _times(whole, _step(name, numbers))
    return whole


def _step(name: str, numbers: list[float]) -> Matrix:
    first, second = (*numbers, 0.0, 0.0)[:2]
    if name == "matrix" and len(numbers) == 6:
        return (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
    if name == "translate":
        return (1.0, 0.0, 0.0, 1.0, first, second)
    if name == "scale" and numbers:
        return (first, 0.0, 0.0, second if len(numbers) > 1 else first, 0.0, 0.0)
    if name == "rotate" and numbers:
        sine, cosine = math.sin(math.radians(first)), math.cos(math.radians(first))
        turn: Matrix = (cosine, sine, -sine, cosine, 0.0, 0.0)
        if len(numbers) == 3:
            _, x, y = numbers
            return _times(_times((1.0, 0.0, 0.0, 1.0, x, y), turn), (1.0, 0.0, 0.0, 1.0, -x, -y))
        return turn
    if name == "skewX":
        return (1.0, 0.0, math.tan(math.radians(first)), 1.0, 0.0, 0.0)
    if name == "skewY":
        return (1.0, math.tan(math.radians(first)), 0.0, 1.0, 0.0, 0.0)
    return _SAME


def _times(one: Matrix, two: Matrix) -> Matrix:
    return (
        one[0] * two[0] + one[2] * two[1],
        one[1] * two[0] + one[3] * two[1],
        one[0] * two[2] + one[2] * two[3],
        one[1] * two[2] + one[3] * two[3],
        one[0] * two[4] + one[2] * two[5] + one[4],
        one[1] * two[4] + one[3] * two[5] + one[5],
    )
