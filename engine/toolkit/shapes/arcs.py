"""Elliptical arcs of DrawingML as Bézier curves (ECMA-376, part 1, 20.1.9.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator

Curve = tuple[float, float, float, float, float, float]
"""Two control points and the end."""
_FULL = 2 * math.pi


def curves(start: tuple[float, float], radii: tuple[float, float], begin: float, sweep: float) -> Iterator[Curve]:
    """Yield curves of at most a quarter turn from `start`, which lies on the ellipse at the angle `begin`.

    Angles are in radians, clockwise, as seen from the centre, and a sweep is at most one turn.
    """
    wide, high = radii
    sweep = max(-_FULL, min(sweep, _FULL))
    first, last = _parameter(wide, high, begin), _parameter(wide, high, begin + sweep)
    x, y = start[0] - wide * math.cos(first), start[1] - high * math.sin(first)
    count = max(math.ceil(abs(last - first) / (math.pi / 2) - 1e-9), 1)
    step = (last - first) / count
    length = 4 / 3 * math.tan(step / 4)
    for at in range(count):
        one, two = first + at * step, first + (at + 1) * step
        yield (
            x + wide * (math.cos(one) - length * math.sin(one)), y + high * (math.sin(one) + length * math.cos(one)),
            x + wide * (math.cos(two) + length * math.sin(two)), y + high * (math.sin(two) - length * math.cos(two)),
            x + wide * math.cos(two), y + high * math.sin(two),
        )  # fmt: skip


def _parameter(wide: float, high: float, angle: float) -> float:
    """The parameter of the point that is seen from the centre of an ellipse at an angle, in the same turn."""
    found = math.atan2(wide * math.sin(angle), high * math.cos(angle))
    return angle + math.remainder(found - angle, _FULL)
