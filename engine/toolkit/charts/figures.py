"""What a chart is drawn with: outlines and texts in points from the top left, whatever writes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.toolkit.charts.model import Lettering, Paint, Stroke

Point = tuple[float, float]
Step = tuple[str, tuple[float, ...]]
"""`M` or `L` with a point, `C` with three, or `Z`, as in a path of SVG."""


@dataclass(frozen=True)
class Outline:
    """A path with its fill and line."""

    steps: tuple[Step, ...]
    fill: Paint | None = None
    edge: Stroke | None = None


@dataclass(frozen=True)
class Words:
    """One line of text: its point on the baseline is its `start`, `middle` or `end`, about which it is turned."""

    text: str
    at: Point
    lettering: Lettering
    anchor: str = "middle"
    turn: float = 0.0


@dataclass(frozen=True)
class Box:
    """A rectangle from its top left."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass(frozen=True)
class Drawing:
    """A finished drawing."""

    width: float
    height: float
    items: tuple[Outline | Words, ...]
    unlabelled: int = 0
    """The labels of points that are left out, because there are too many."""
    unshown: int = 0
    """The labels of axes that are left out, because they do not fit."""
    unlisted: int = 0
    """The entries of the legend that are left out for the same reason."""


def line(points: Iterable[Point], *, closed: bool = False) -> tuple[Step, ...]:
    """Straight lines between points."""
    steps: list[Step] = [("L" if at else "M", point) for at, point in enumerate(points)]
    return (*steps, ("Z", ())) if closed and steps else tuple(steps)


def rectangle(x: float, y: float, width: float, height: float) -> tuple[Step, ...]:
    return line(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), closed=True)


def curve(points: Sequence[Point]) -> tuple[Step, ...]:
    """A smooth line through points (Catmull-Rom)."""
    if len(points) < 3:
        return line(points)
    steps: list[Step] = [("M", points[0])]
    for at in range(len(points) - 1):
        before, start, end = points[max(at - 1, 0)], points[at], points[at + 1]
        after = points[min(at + 2, len(points) - 1)]
        one = start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6
        other = end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6
        steps.append(("C", (*one, *other, *end)))
    return tuple(steps)


def arc(centre: Point, radius: float, start: float, end: float) -> tuple[Step, ...]:
    """Curves along a circle from one angle to another in degrees clockwise from the top, without a first step."""
    count = max(1, math.ceil(abs(end - start) / 45))
    turn = math.radians((end - start) / count)
    reach = 4 / 3 * math.tan(turn / 4) * radius
    steps: list[Step] = []
    for at in range(count):
        one = math.radians(start) + turn * at
        two = one + turn
        a, b = on_circle(centre, radius, one), on_circle(centre, radius, two)
        first = a[0] + reach * math.cos(one), a[1] + reach * math.sin(one)
        second = b[0] - reach * math.cos(two), b[1] - reach * math.sin(two)
        steps.append(("C", (*first, *second, *b)))
    return tuple(steps)


def on_circle(centre: Point, radius: float, angle: float) -> Point:
    """The point at an angle in radians clockwise from the top."""
    return centre[0] + radius * math.sin(angle), centre[1] - radius * math.cos(angle)


def circle(centre: Point, radius: float) -> tuple[Step, ...]:
    return (("M", on_circle(centre, radius, 0.0)), *arc(centre, radius, 0, 360), ("Z", ()))


def symbol(kind: str, centre: Point, size: float) -> tuple[Step, ...]:
    """The symbol of a point (21.2.3.27); those of lines only are open."""
    x, y = centre
    half = size / 2
    if kind == "square":
        return rectangle(x - half, y - half, size, size)
    if kind == "diamond":
        return line(((x, y - half), (x + half, y), (x, y + half), (x - half, y)), closed=True)
    if kind == "triangle":
        return line(((x, y - half), (x + half, y + half), (x - half, y + half)), closed=True)
    if kind == "dash":
        return rectangle(x - half, y - half / 4, size, half / 2)
    if kind == "dot":
        return rectangle(x - half / 2, y - half / 4, half, half / 2)
    if kind in OPEN:
        across = () if kind == "plus" else (*line(((x - half, y - half), (x + half, y + half))),
                                            *line(((x - half, y + half), (x + half, y - half))))  # fmt: skip
        upright = () if kind == "x" else (*line(((x, y - half), (x, y + half))),)
        level = (*line(((x - half, y), (x + half, y))),) if kind == "plus" else ()
        return (*across, *upright, *level)
    return circle(centre, half)


OPEN = frozenset(("x", "star", "plus"))
