"""The geometry of a shape as paths of straight lines and curves (ECMA-376, part 1, 20.1.9)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.toolkit.shapes import arcs
from engine.toolkit.shapes.guides import Faulty, Guides, radians

MOST = 20_000
"""Steps of a shape."""
_UNITS = 12_700.0
"""English Metric Units in a point: a geometry may have absolute lengths."""
_FAR = 100_000.0
"""Points from the corner of a shape beyond which nothing is placed: a page of PDF has 14,400."""
_COUNTS = {"M": 2, "L": 2, "Q": 4, "C": 6, "A": 4, "Z": 0}

SHADES = {"darken": (0.0, 0.4), "darkenLess": (0.0, 0.2), "lighten": (1.0, 0.4), "lightenLess": (1.0, 0.2)}
"""The grey that is drawn over a path that is darker or lighter than the fill, and its opacity (20.1.10.37)."""

Step = tuple[str, tuple[float, ...]]
"""`M`, `L`, `C` or `Z` as in SVG, and its points, absolute, in points from the corner of the shape."""
Room = tuple[float, float, float, float]
"""The left, top, right and bottom edge of the text, in points from the corner of the shape."""


@dataclass(frozen=True)
class Formula:
    """A path as a geometry declares it: its steps with the names of guides, in a coordinate system of its own.

    `wide` and `high` are 0 where it has that of the shape. `fill` is as in `Outline`.
    """

    steps: tuple[str, ...]
    wide: float = 0.0
    high: float = 0.0
    fill: str = "norm"
    stroked: bool = True


@dataclass(frozen=True)
class Geometry:
    """The paths of a shape of any size: adjustments and guides as name and formula, and the room for its text."""

    adjustments: tuple[tuple[str, str], ...]
    guides: tuple[tuple[str, str], ...]
    formulas: tuple[Formula, ...]
    room: tuple[str, ...] = ("l", "t", "r", "b")


@dataclass(frozen=True)
class Outline:
    """A path of a shape; `fill` is norm, none, or how it is shaded: lighten, lightenLess, darken or darkenLess."""

    steps: tuple[Step, ...]
    fill: str = "norm"
    stroked: bool = True


@dataclass(frozen=True)
class Form:
    """A shape at its size: its paths in drawing order, and the room for its text."""

    outlines: tuple[Outline, ...]
    room: Room


def form(
    geometry: Geometry,
    width: float,
    height: float,
    adjusted: Mapping[str, float],
    *,
    flipped: tuple[bool, bool] = (False, False),
) -> Form:
    """The form of a shape of this size in points; `flipped` is whether it is turned over across, and down.

    Raises Faulty.
    """
    size = width * _UNITS, height * _UNITS
    guides = Guides(*size, (*geometry.adjustments, *geometry.guides), adjusted)
    across, down = flipped
    found, count = [], 0
    for each in geometry.formulas:
        steps = tuple(_steps(each, guides, size, (width if across else None, height if down else None)))
        count += len(steps)
        if count > MOST:
            raise Faulty
        found.append(Outline(steps, each.fill, each.stroked))
    left, top, right, bottom = (max(-_FAR, min(guides.value(each) / _UNITS, _FAR)) for each in geometry.room)
    left, right = (width - right, width - left) if across else (left, right)
    top, bottom = (height - bottom, height - top) if down else (top, bottom)
    if right - left < 1 or bottom - top < 1:
        left, top, right, bottom = 0.0, 0.0, width, height
    return Form(tuple(found), (left, top, right, bottom))


def _steps(
    formula: Formula, guides: Guides, size: tuple[float, float], mirror: tuple[float | None, float | None]
) -> Iterator[Step]:
    scale = tuple(length / own if own else 1.0 for length, own in zip(size, (formula.wide, formula.high), strict=True))
    here = begin = (0.0, 0.0)

    def placed(numbers: tuple[float, ...]) -> tuple[float, ...]:
        points = tuple(max(-_FAR, min(each / _UNITS, _FAR)) for each in numbers)
        return tuple(points[at] if (edge := mirror[at % 2]) is None else edge - points[at] for at in range(len(points)))

    for step in formula.steps:
        kind, *texts = step.split()
        if len(texts) != _COUNTS.get(kind):
            raise Faulty
        values = [guides.value(each) for each in texts]
        if kind == "Z":
            here = begin
            yield "Z", ()
            continue
        if kind == "A":
            radii = values[0] * scale[0], values[1] * scale[1]
            if not all(map(math.isfinite, (*here, *radii, sum(here) + sum(radii)))):
                raise Faulty
            for curve in arcs.curves(here, radii, radians(values[2]), radians(values[3])):
                here = curve[4], curve[5]
                yield "C", placed(curve)
            continue
        points = tuple(each * scale[at % 2] for at, each in enumerate(values))
        if kind == "Q":  # as a cubic curve
            x, y, x2, y2 = points
            first = here[0] + (x - here[0]) * 2 / 3, here[1] + (y - here[1]) * 2 / 3
            points = (*first, x2 + (x - x2) * 2 / 3, y2 + (y - y2) * 2 / 3, x2, y2)
        here = points[-2], points[-1]
        begin = here if kind == "M" else begin
        yield "C" if kind == "Q" else kind, placed(points)
