"""The room for text within preset shapes, whose corners would hold none (ECMA-376, part 1, annex D)."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A
from engine.families.documents.word.outlines import Adjusted, adjustments, flips_of

Room = tuple[float, float, float, float]
"""The left, top, right and bottom edge of the text, in points from the corner of the shape."""

_CORNER = 1 - math.sqrt(0.5)


def _inset(w: float, h: float, across: float, down: float) -> Room:
    return across, down, w - across, h - down


def _below(w: float, h: float, top: float) -> Room:
    return w * top / 2, h / 2, w * (top + 1) / 2, h


def _right(w: float, h: float, adjustment: Adjusted) -> Room:
    head, half = min(w, h) * adjustment("adj2", 0.5), h * adjustment("adj1", 0.5) / 2
    return 0, h / 2 - half, w - head + head * half / (h / 2), h / 2 + half


def _both(w: float, h: float, adjustment: Adjusted) -> Room:
    head, half = min(w, h) * adjustment("adj2", 0.5), h * adjustment("adj1", 0.5) / 2
    side = head - head * half / (h / 2)
    return side, h / 2 - half, w - side, h / 2 + half


def _turned(room: Callable[[float, float, Adjusted], Room]) -> Callable[[float, float, Adjusted], Room]:
    def found(w: float, h: float, adjustment: Adjusted) -> Room:
        left, top, right, bottom = room(h, w, adjustment)
        return top, left, bottom, right

    return found


def _left(w: float, h: float, adjustment: Adjusted) -> Room:
    left, top, right, bottom = _right(w, h, adjustment)
    return w - right, top, w - left, bottom


def _up(w: float, h: float, adjustment: Adjusted) -> Room:
    left, top, right, bottom = _turned(_right)(w, h, adjustment)
    return left, h - bottom, right, h - top


def _chevron(w: float, h: float, adjustment: Adjusted) -> Room:
    x = min(w, h) * adjustment("adj", 0.5)
    return (x, 0, w - x, h) if w > 2 * x else (0, 0, w, h)


def _hexagon(w: float, h: float, adjustment: Adjusted) -> Room:
    most = 0.5 * w / min(w, h)
    beyond = adjustment("adj", 0.25) - most / 2
    times = (4, 3, most / 2) if beyond > 0 else (2, 2, 0.0)
    share = (times[0] + (adjustment("adj", 0.25) - times[2]) / (most / 2) * times[1]) / 24
    return _inset(w, h, w * share, h * share)


def _slanted(w: float, h: float, adjustment: Adjusted) -> Room:
    share = (1 + 5 * adjustment("adj", 0.25) * min(w, h) / w) / 12
    return _inset(w, h, w * share, h * share)


def _trapezoid(w: float, h: float, adjustment: Adjusted) -> Room:
    share = 2 * adjustment("adj", 0.25) * min(w, h) / w / 3
    return w * share, h * share, w - w * share, h


def _plus(w: float, h: float, adjustment: Adjusted) -> Room:
    x = min(w, h) * adjustment("adj", 0.25)
    return (0, x, w, h - x) if w > h else (x, 0, w - x, h)


_ROOMS: dict[str, Callable[[float, float, Adjusted], Room]] = {
    **dict.fromkeys(("diamond", "flowChartDecision"), lambda w, h, adjustment: _inset(w, h, w / 4, h / 4)),
    **dict.fromkeys(("ellipse", "flowChartConnector"),
                    lambda w, h, adjustment: _inset(w, h, w * _CORNER / 2, h * _CORNER / 2)),
    "triangle": lambda w, h, adjustment: _below(w, h, adjustment("adj", 0.5)),
    "rtTriangle": lambda w, h, adjustment: (w / 12, h * 7 / 12, w * 7 / 12, h * 11 / 12),
    "flowChartExtract": lambda w, h, adjustment: (w / 4, h / 2, w * 3 / 4, h),
    "flowChartMerge": lambda w, h, adjustment: (w / 4, 0, w * 3 / 4, h / 2),
    **dict.fromkeys(("flowChartInputOutput", "flowChartManualOperation", "flowChartPreparation"),
                    lambda w, h, adjustment: _inset(w, h, w / 5, 0)),
    "rightArrow": _right, "leftArrow": _left, "upArrow": _up, "downArrow": _turned(_right),
    "leftRightArrow": _both, "upDownArrow": _turned(_both),
    "chevron": _chevron, "hexagon": _hexagon, "parallelogram": _slanted, "trapezoid": _trapezoid, "plus": _plus,
    "homePlate": lambda w, h, adjustment: (0, 0, w - min(w, h) * adjustment("adj", 0.5) / 2, h),
    "octagon": lambda w, h, adjustment: _inset(w, h, *[min(w, h) * adjustment("adj", 0.29289) / 2] * 2),
    "pentagon": lambda w, h, adjustment: (0.191 * w, 0.236 * h, 0.809 * w, h),
    "star5": lambda w, h, adjustment: (0.309 * w, 0.382 * h, 0.691 * w, 0.764 * h),
    "roundRect": lambda w, h, adjustment: _inset(w, h, *[min(w, h) * adjustment("adj", 0.16667) * _CORNER] * 2),
}  # fmt: skip


def of(properties: Element | None, width: float, height: float, *, flipped: tuple[bool, bool] | None = None) -> Room:
    """The room for text in a shape with these properties; all of it for a box and for unknown shapes.

    `flipped` is whether it is turned over across and down, by default as they say.
    """
    geometry = None if properties is None else properties.find(A + "prstGeom")
    room = None if geometry is None else _ROOMS.get(geometry.get("prst") or "")
    if properties is None or geometry is None or room is None or min(width, height) < 1:
        return 0.0, 0.0, width, height
    left, top, right, bottom = room(width, height, adjustments(geometry))
    across, down = flipped or flips_of(properties.find(A + "xfrm"))
    left, right = (width - right, width - left) if across else (left, right)
    top, bottom = (height - bottom, height - top) if down else (top, bottom)
    if right - left < 1 or bottom - top < 1:
        return 0.0, 0.0, width, height
    return left, top, right, bottom
