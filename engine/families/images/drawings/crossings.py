"""Estimate how often the lines of a shape cross, which decides how long librsvg takes for it."""

from __future__ import annotations

import bisect
import itertools
import math
import random
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from engine.families.images.drawings import outlines
from engine.families.images.drawings.outlines import Point

LONG = 1_500
"""The length of path data from which crossings are estimated: some 200 points, which cross 5,000 times at most in half
of all drawings of random lines, and take 0.1 s."""

_CROSSED = 4_000.0
"""Nanoseconds per crossing and part: before drawing a shape, filled or not, librsvg asks cairo for the extents of its
fill, which computes every crossing. 1,600 random lines of 3,000 pixels cross 300,000 times and take 3.9 s, 2,500 lines
700,000 times and 13 to 16 s."""
_STEEP = 550.0
"""Nanoseconds per pixel of the height of lines, in rows where lines begin, end or cross, and per column of parts: cairo
goes through such rows in 15 steps. A graph of 5,000 points at random heights of 3,000 pixels takes 3.5 s, and 5,000
lines from top to bottom 0.7 s."""
_PART = 2_000
"""The side in pixels of the parts in which libvips draws an SVG; each draws all shapes again."""

_FEWEST_PAIRS, _MOST_PAIRS = 50, 20_000
"""The pairs of lines that are compared, half as many as there are lines: 20,000 take 60 ms."""
_FEWEST = 10
"""The crossings among them from which on a shape has many, some twenty per line: the borders of a map have fewer."""
_ROWS = 3_000

Line = tuple[Point, Point]


@dataclass(frozen=True)
class Crossings:
    """The estimated crossings of the lines of a shape, and the sum of their heights in busy rows, in units."""

    count: float = 0.0
    height: float = 0.0

    def cost(self, unit: float, width: float, height: float) -> float:
        """The nanoseconds to draw it on this many pixels, with `unit` pixels per unit."""
        columns, rows = (math.ceil(each / _PART) for each in (width, height))
        return _CROSSED * self.count * columns * rows + _STEEP * self.height * unit * columns


def crossings(element: Element) -> Crossings:
    """The crossings of a path or polygon; none if it is short. Of very long data, a part stands for the whole."""
    key = "points" if "points" in element.attrib else "d"
    data = element.get(key, "")
    if len(data) < LONG:
        return Crossings()
    data = " ".join(data.split())
    share = min(1.0, outlines.MAX_DATA / len(data))
    lines = _lines(Element(element.tag, {**element.attrib, key: data[: outlines.MAX_DATA]}))
    if not lines:
        return Crossings()
    count = _estimate(lines) / share**2
    return Crossings(count, sum(map(_height, lines)) / share * (1.0 if count else _busy(lines)))


def _lines(element: Element) -> list[Line]:
    """The lines of a shape, with those that close its parts; without level ones, which cairo leaves out."""
    outline = outlines.outline(element)
    if outline is None:
        return []
    found: list[Line] = []
    start = outline.points[0]
    for (before, after), (was, now) in zip(
        itertools.pairwise(outline.points), itertools.pairwise(outline.lengths), strict=True
    ):
        if now > was:
            found.append((before, after))
        elif before != after:
            found.append((before, start))
            start = after
    found.append((outline.points[-1], start))
    return [each for each in found if _height(each)]


def _busy(lines: list[Line]) -> float:
    """The share of rows in which a line begins or ends."""
    ends = [point[1] for line in lines for point in line]
    top, step = min(ends), (max(ends) - min(ends)) / _ROWS
    return len({int((each - top) / step) for each in ends}) / _ROWS if step else 0.0


def _height(line: Line) -> float:
    return abs(line[0][1] - line[1][1])


def _estimate(lines: list[Line]) -> float:
    """How often lines cross, by comparing pairs of them, chosen by their lengths as long ones cross more often."""
    lengths = list(itertools.accumulate(math.dist(*each) for each in lines))
    whole = lengths[-1]
    if not math.isfinite(whole):
        return 0.0
    chance = random.Random(0)  # noqa: S311 the same drawing has the same cost
    pairs = min(_MOST_PAIRS, max(_FEWEST_PAIRS, len(lines) // 2))
    hits, total = 0, 0.0
    for _ in range(pairs):
        one, two = (lines[bisect.bisect(lengths, chance.random() * whole, hi=len(lines) - 1)] for _ in range(2))
        if _cross(one, two):
            hits += 1
            total += whole**2 / (math.dist(*one) * math.dist(*two))
    return total / pairs / 2 if hits >= _FEWEST else 0.0


def _cross(one: Line, two: Line) -> bool:
    """Whether two lines cross; lines that only touch don't."""
    return _side(one, two[0]) * _side(one, two[1]) < 0 and _side(two, one[0]) * _side(two, one[1]) < 0


def _side(line: Line, point: Point) -> float:
    (left, top), (right, bottom) = line
    return (right - left) * (point[1] - top) - (bottom - top) * (point[0] - left)
