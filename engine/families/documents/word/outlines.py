"""The outlines of shapes, preset or custom, as polygons (ECMA-376, part 1, 20.1.9)."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A, integer

_MOST = 20_000
_COLOURS = re.compile(r"#([0-9a-f]{6})([0-9a-f]{2})?")
_GRADIENT = re.compile(r"linear-gradient\((-?[0-9.]{1,12})deg,")
_PLACES = re.compile(r" (-?[0-9.]{1,12})%")
Points = list[tuple[float, float]]
Adjusted = Callable[[str, float], float]


def _chevron(w: float, h: float, adjustment: Adjusted) -> Points:
    x = min(w, h) * adjustment("adj", 0.5)
    return [(0, 0), (w - x, 0), (w, h / 2), (w - x, h), (0, h), (x, h / 2)]


def _plate(w: float, h: float, adjustment: Adjusted) -> Points:
    x = w - min(w, h) * adjustment("adj", 0.5)
    return [(0, 0), (x, 0), (w, h / 2), (x, h), (0, h)]


def _right(w: float, h: float, adjustment: Adjusted) -> Points:
    x, y = w - min(w, h) * adjustment("adj2", 0.5), h * adjustment("adj1", 0.5) / 2
    return [(0, h / 2 - y), (x, h / 2 - y), (x, 0), (w, h / 2), (x, h), (x, h / 2 + y), (0, h / 2 + y)]


def _both(w: float, h: float, adjustment: Adjusted) -> Points:
    x, y = min(w, h) * adjustment("adj2", 0.5), h * adjustment("adj1", 0.5) / 2
    above = [(0, h / 2), (x, 0), (x, h / 2 - y), (w - x, h / 2 - y), (w - x, 0), (w, h / 2)]
    return [*above, *((at, h - down) for at, down in above[-2:0:-1])]


def _turned(outline: Callable[[float, float, Adjusted], Points]) -> Callable[[float, float, Adjusted], Points]:
    """The same, flipped vertically."""
    return lambda w, h, adjustment: [(y, x) for x, y in outline(h, w, adjustment)]


def _slanted(w: float, h: float, adjustment: Adjusted) -> Points:
    x = min(w, h) * adjustment("adj", 0.25)
    return [(0, h), (x, 0), (w, 0), (w - x, h)]


def _trapezoid(w: float, h: float, adjustment: Adjusted) -> Points:
    x = min(w, h) * adjustment("adj", 0.25)
    return [(0, h), (x, 0), (w - x, 0), (w, h)]


def _hexagon(w: float, h: float, adjustment: Adjusted) -> Points:
    x = min(w, h) * adjustment("adj", 0.25)
    return [(0, h / 2), (x, 0), (w - x, 0), (w, h / 2), (w - x, h), (x, h)]


def _octagon(w: float, h: float, adjustment: Adjusted) -> Points:
    x = min(w, h) * adjustment("adj", 0.29289)
    return [(0, x), (x, 0), (w - x, 0), (w, x), (w, h - x), (w - x, h), (x, h), (0, h - x)]


def _plus(w: float, h: float, adjustment: Adjusted) -> Points:
    x = min(w, h) * adjustment("adj", 0.25)
    return [(0, x), (x, x), (x, 0), (w - x, 0), (w - x, x), (w, x), (w, h - x), (w - x, h - x), (w - x, h), (x, h),
            (x, h - x), (0, h - x)]  # fmt: skip


def _star(w: float, h: float, adjustment: Adjusted) -> Points:
    inner = adjustment("adj", 0.19098) * 2
    found = []
    for at in range(10):
        far = 1.0 if at % 2 == 0 else inner
        turn = math.pi * (at / 5 - 0.5)
        found.append(
            (w / 2 * (1 + far * math.cos(turn) / math.cos(math.pi / 10)), h * (0.5528 + 0.5528 * far * math.sin(turn)))
        )
    return found


_NAMED: dict[str, Callable[[float, float, Adjusted], Points]] = {
    "triangle": lambda w, h, adjustment: [(0, h), (w * adjustment("adj", 0.5), 0), (w, h)],
    "flowChartExtract": lambda w, h, adjustment: [(0, h), (w / 2, 0), (w, h)],
    "flowChartMerge": lambda w, h, adjustment: [(0, 0), (w, 0), (w / 2, h)],
    "rtTriangle": lambda w, h, adjustment: [(0, 0), (0, h), (w, h)],
    "diamond": lambda w, h, adjustment: [(0, h / 2), (w / 2, 0), (w, h / 2), (w / 2, h)],
    "flowChartDecision": lambda w, h, adjustment: [(0, h / 2), (w / 2, 0), (w, h / 2), (w / 2, h)],
    "flowChartInputOutput": lambda w, h, adjustment: [(0, h), (w / 5, 0), (w, 0), (w * 4 / 5, h)],
    "flowChartManualOperation": lambda w, h, adjustment: [(0, 0), (w, 0), (w * 4 / 5, h), (w / 5, h)],
    "flowChartPreparation": lambda w, h, adjustment: _hexagon(w, h, lambda name, otherwise: w / 5 / min(w, h)),
    "pentagon": lambda w, h, adjustment: [(0, 0.382 * h), (w / 2, 0), (w, 0.382 * h), (0.809 * w, h), (0.191 * w, h)],
    "parallelogram": _slanted, "trapezoid": _trapezoid, "hexagon": _hexagon, "octagon": _octagon, "plus": _plus,
    "homePlate": _plate, "chevron": _chevron, "star5": _star,
    "rightArrow": _right, "leftRightArrow": _both, "upDownArrow": _turned(_both), "downArrow": _turned(_right),
    "leftArrow": lambda w, h, adjustment: [(w - x, y) for x, y in _right(w, h, adjustment)],
    "upArrow": lambda w, h, adjustment: [(x, h - y) for x, y in _turned(_right)(w, h, adjustment)],
}  # fmt: skip


NAMES = frozenset(_NAMED)
"""The preset shapes that have an outline here."""


def adjustments(geometry: Element) -> Adjusted:
    """The adjustments of a preset shape, as shares."""
    values = {
        each.get("name"): integer((each.get("fmla") or "").removeprefix("val ").strip())
        for each in geometry.iterfind(f"{A}avLst/{A}gd")
    }

    def adjustment(name: str, otherwise: float) -> float:
        value = values.get(name)
        return otherwise if value is None else min(max(value / 100_000, 0.0), 2.0)

    return adjustment


def flips_of(place: Element | None) -> tuple[bool, bool]:
    """Whether a shape with this position is turned over across, and down."""
    across, down = (place is not None and place.get(name) in ("1", "true") for name in ("flipH", "flipV"))
    return across, down


def path(
    properties: Element | None, width: float, height: float, *, flipped: tuple[bool, bool] | None = None
) -> str | None:
    """The outline of a shape with these properties as an SVG path; None for a box and for unknown shapes.

    `flipped` is whether it is turned over across and down, by default as they say.
    """
    if properties is None or min(width, height) < 0.5:
        return None
    geometry, own = properties.find(A + "prstGeom"), properties.find(A + "custGeom")
    across, down = flipped or flips_of(properties.find(A + "xfrm"))

    def at(x: float, y: float) -> str:
        return f"{width - x if across else x:.2f} {height - y if down else y:.2f}"

    if geometry is not None and (named := _NAMED.get(geometry.get("prst") or "")):
        return f"M{' L'.join(at(x, y) for x, y in named(width, height, adjustments(geometry)))}Z"
    return None if own is None else _own(own, width, height, at)


def _own(geometry: Element, width: float, height: float, at: Callable[[float, float], str]) -> str | None:
    """The custom paths of a shape; None if they use formulas or arcs."""
    parts: list[str] = []
    for each in geometry.iterfind(f"{A}pathLst/{A}path"):
        wide, high = integer(each.get("w")) or 0, integer(each.get("h")) or 0
        if each.get("fill") == "none" or wide <= 0 or high <= 0:
            continue
        for step in each:
            kind = step.tag.rpartition("}")[2] if isinstance(step.tag, str) else ""
            places = [(integer(point.get("x")), integer(point.get("y"))) for point in step.iterfind(A + "pt")]
            letter = {"moveTo": "M", "lnTo": "L", "cubicBezTo": "C", "quadBezTo": "Q", "close": "Z"}.get(kind)
            if letter is None or len(parts) > _MOST:
                return None
            coordinates = []
            for x, y in places:
                if x is None or y is None:
                    return None
                coordinates.append(at(x / wide * width, y / high * height))
            parts.append(letter + " ".join(coordinates))
    return "".join(parts) or None


def svg(outline: str, width: float, height: float, *, ground: str, edge: str, thick: float) -> str:
    """An outline as an SVG with the colours of a CSS background and border."""
    fill, gradient = _filled(ground)
    line = f' stroke="{edge[:7]}" stroke-width="{thick:.2f}"' if edge else ""
    return (
        f'<svg class="at" style="left:0;top:0" width="{width:.2f}pt" height="{height:.2f}pt" '
        f'viewBox="0 0 {width:.2f} {height:.2f}">{gradient}<path d="{outline}" {fill}{line}/></svg>'
    )


def _filled(ground: str) -> tuple[str, str]:
    """The attributes that fill an outline with a CSS background, and the gradient that they name."""
    found = [(f"#{digits}", int(alpha or "ff", 16) / 255) for digits, alpha in _COLOURS.findall(ground)]
    if not found:
        return 'fill="none"', ""
    angle = _GRADIENT.search(ground)
    places = [min(max(float(each), 0.0), 100.0) for each in _PLACES.findall(ground)]
    if angle is None or len(places) != len(found):
        return f'fill="{found[0][0]}" fill-opacity="{found[0][1]:.3f}"', ""
    turn = math.radians(float(angle[1]))
    across, down = math.sin(turn) / 2, -math.cos(turn) / 2
    stops = "".join(
        f'<stop offset="{place:g}%" stop-color="{colour}" stop-opacity="{alpha:.3f}"/>'
        for place, (colour, alpha) in zip(places, found, strict=True)
    )
    name = f"g{zlib.crc32(ground.encode()):x}"
    ends = f'x1="{0.5 - across:.3f}" y1="{0.5 - down:.3f}" x2="{0.5 + across:.3f}" y2="{0.5 + down:.3f}"'
    return f'fill="url(#{name})"', f'<defs><linearGradient id="{name}" {ends}>{stops}</linearGradient></defs>'
