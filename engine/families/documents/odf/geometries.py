"""The forms that drawn elements of OpenDocument files declare themselves, as geometries of DrawingML."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path.parser import parse_path
from lxml import etree

from engine.families.documents.odf.names import DRAW, SVG, share
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A
from engine.toolkit.shapes.enhanced_paths import Pen, commands
from engine.toolkit.shapes.formulas import Formulas
from engine.toolkit.shapes.geometry import MOST, Outline, Step
from engine.toolkit.shapes.guides import Faulty
from engine.toolkit.xml_elements import number

_NUMBER = re.compile(r"[-+]?(?:\d{1,12}\.?\d{0,12}|\.\d{1,12})(?:[eE][-+]?\d{1,3})?")
_MOST_DATA = 1_000_000
"""Characters of a path."""
_FAR = 10_000_000.0
_FARTHEST = 1e12
"""The largest number of a path that is believed."""
_UNITS = 1_000.0
"""Units of a written geometry in a twentieth of a point."""
_NAMES = {"M": "moveTo", "L": "lnTo", "C": "cubicBezTo", "Z": "close"}
_PEN = {"moveTo": "M", "lineTo": "L", "curveTo": "C", "closePath": "Z"}
_KINDS = frozenset(DRAW + name for name in ("path", "polygon", "polyline", "regular-polygon"))
_ROUND = (DRAW + "ellipse", DRAW + "circle")

Box = tuple[float, float, float, float]
"""A left, top, width and height in the units of a path."""


def turn_over(properties: Element, flips: Iterable[str]) -> None:
    """Say in the `xfrm` of a shape, made if missing, how it is turned over (`flipH`, `flipV`)."""
    place = properties.find(A + "xfrm")
    place = etree.SubElement(properties, A + "xfrm") if place is None else place
    for each in flips:
        place.set(each, "1")


@dataclass(frozen=True)
class Drawn:
    """The outlines of a shape at its size, in twentieths of a point, and the edges of the room for its text."""

    outlines: tuple[Outline, ...]
    size: tuple[float, float]
    room: tuple[float, float, float, float] | None = None
    flips: tuple[str, ...] = ()

    def write(self, properties: Element) -> None:
        """Append the form to the properties of a shape, and how it is turned over to its `xfrm`, made if missing."""
        turn_over(properties, self.flips)
        geometry = etree.SubElement(properties, A + "custGeom")
        if self.room is not None:
            guides = etree.SubElement(geometry, A + "gdLst")
            for side, share, length in zip("ltrb", self.room, "whwh", strict=True):
                guide = etree.SubElement(guides, A + "gd")
                guide.set("name", f"room-{side}")
                guide.set("fmla", f"*/ {length} {round(share * 100_000)} 100000")
            edges = etree.SubElement(geometry, A + "rect")
            for side in "ltrb":
                edges.set(side, f"room-{side}")
        paths = etree.SubElement(geometry, A + "pathLst")
        for outline in self.outlines:
            path = etree.SubElement(paths, A + "path")
            for name, far in zip("wh", self.size, strict=True):
                path.set(name, str(max(round(far * _UNITS), 1)))
            path.set("fill", outline.fill)
            path.set("stroke", str(int(outline.stroked)))
            for kind, numbers in outline.steps:
                step = etree.SubElement(path, A + _NAMES[kind])
                for at in range(0, len(numbers), 2):
                    point = etree.SubElement(step, A + "pt")
                    for axis, value in zip("xy", numbers[at : at + 2], strict=True):
                        point.set(axis, str(round(max(-_FAR, min(value, _FAR)) * _UNITS)))


def of(shape: Element, wide: float, high: float) -> Drawn | None:
    """The form that an element declares at a size in twentieths of a point; None without one, or with a faulty one."""
    try:
        if shape.tag == DRAW + "custom-shape":
            geometry = shape.find(DRAW + "enhanced-geometry")
            return None if geometry is None else _enhanced(geometry, (wide, high))
        if shape.tag in _KINDS:
            return _fitted(shape, (wide, high))
        if shape.tag in _ROUND and shape.get(DRAW + "kind") in ("arc", "section", "cut"):
            return _part_of_round(shape, (wide, high))
    except (Faulty, ValueError, OverflowError):
        return None
    return None


def connector(shape: Element, ends: tuple[float, float, float, float]) -> tuple[Drawn, Box] | None:
    """The path of a connector between two points in twentieths of a point, and its place; None without one.

    Its numbers are hundredths of a millimetre, and older programs place them on the page, newer ones in their box.
    """
    try:
        steps = _steps(shape.get(SVG + "d") or "")
    except (Faulty, ValueError, OverflowError):
        return None
    points = [(numbers[at], numbers[at + 1]) for _, numbers in steps for at in range(0, len(numbers), 2)]
    if len(points) < 2:
        return None
    scale = 1440 / 2540
    x, y = ends[0] - points[0][0] * scale, ends[1] - points[0][1] * scale
    across, down = [x + each * scale for each, _ in points], [y + each * scale for _, each in points]
    left, top = min(across), min(down)
    size = max(across) - left, max(down) - top
    moved = _moved(steps, (scale, scale), (x - left, y - top))
    return Drawn((Outline(moved, "none"),), size), (left, top, *size)


def measure(ends: tuple[float, float, float, float], away: float, beyond: float) -> tuple[Drawn, Box]:
    """A line along two points at a distance, with guides that reach `beyond` it, and its place."""
    x1, y1, x2, y2 = ends
    long = math.hypot(x2 - x1, y2 - y1) or 1.0
    up = (y2 - y1) / long, (x1 - x2) / long

    def beside(x: float, y: float, far: float) -> tuple[float, float]:
        return x + up[0] * far, y + up[1] * far

    far = away + math.copysign(beyond, away)
    steps: tuple[tuple[Step, ...], ...] = (
        (("M", beside(x1, y1, away)), ("L", beside(x2, y2, away))),
        # Closed, as the heads of the line are not theirs.
        *((("M", (x, y)), ("L", beside(x, y, far)), ("Z", ())) for x, y in ((x1, y1), (x2, y2)) if away),
    )
    points = [numbers for path in steps for _, numbers in path if numbers]
    left, top = (min(each[at] for each in points) for at in (0, 1))
    size = max(each[0] for each in points) - left, max(each[1] for each in points) - top
    outlines = tuple(Outline(_moved(path, (1.0, 1.0), (-left, -top)), "none") for path in steps)
    return Drawn(outlines, size), (left, top, *size)


def caption(size: tuple[float, float], tail: tuple[float, float]) -> Drawn:
    """A box with a line from the middle of its nearest edge to a point."""
    (wide, high), (x, y) = size, tail
    box: tuple[Step, ...] = (("M", (0.0, 0.0)), ("L", (wide, 0.0)), ("L", (wide, high)), ("L", (0.0, high)), ("Z", ()))
    edges = ((0.0, high / 2), (wide, high / 2), (wide / 2, 0.0), (wide / 2, high))
    start = min(edges, key=lambda each: math.hypot(x - each[0], y - each[1]))
    line: tuple[Step, ...] = (("M", start), ("L", tail))
    return Drawn((Outline(box), Outline(line, "none")), size)


def _enhanced(geometry: Element, size: tuple[float, float]) -> Drawn | None:
    path = geometry.get(DRAW + "enhanced-path") or ""
    if not path.strip() or len(path) > _MOST_DATA:
        return None
    box = _view_box(geometry.get(SVG + "viewBox")) or (0.0, 0.0, size[0], size[1])
    left, top, across, down = box
    across, down = across or 1.0, down or 1.0
    # A shape with a point of stretching grows beyond it only: the scale is that of its shorter side.
    ratios = [1.0, 1.0]
    for at, name in enumerate("xy"):
        if geometry.get(f"{DRAW}path-stretchpoint-{name}") and all(size):
            ratios[at] = max(size[at] / size[1 - at], 1.0)
    scale = size[0] / across / ratios[0], size[1] / down / ratios[1]
    right, bottom = left + across * ratios[0], top + down * ratios[1]
    formulas = Formulas(
        {
            each.get(DRAW + "name") or "": each.get(DRAW + "formula") or ""
            for each in geometry.iterfind(DRAW + "equation")
        },
        _numbers(geometry.get(DRAW + "modifiers") or ""),
        {
            "pi": math.pi, "left": left, "top": top, "right": right, "bottom": bottom,
            "width": right - left, "height": bottom - top, "hasstroke": 1.0, "hasfill": 1.0,
            "xstretch": number(geometry.get(DRAW + "path-stretchpoint-x")),
            "ystretch": number(geometry.get(DRAW + "path-stretchpoint-y")),
            "logwidth": size[0] * 2540 / 1440, "logheight": size[1] * 2540 / 1440,
        },
    )  # fmt: skip
    edges = (left + across, right), (top + down, bottom)

    def point(texts: Iterable[str]) -> Iterator[float]:
        for at, text in enumerate(texts):
            value, (plain, stretched) = formulas.value(text), edges[at % 2]
            value = stretched if value == plain and text[:1] not in "?$" else value
            yield (value - (left, top)[at % 2]) * scale[at % 2]

    pen = Pen()
    for letter, texts in commands(path):
        if letter in "TU":
            x, y = point(texts[:2])
            values = [formulas.value(each) for each in texts[2:]]
            pen.draw(letter, (x, y, values[0] * scale[0], values[1] * scale[1], values[2], values[3]))
        elif letter == "G":
            pen.draw(letter, tuple(map(formulas.value, texts)), scale)
        else:
            pen.draw(letter, tuple(point(texts)))
    pen.close()
    if not pen.outlines:
        return None
    flips = tuple(
        flip for flip, side in (("flipH", "horizontal"), ("flipV", "vertical"))
        if geometry.get(f"{DRAW}mirror-{side}") == "true"
    )  # fmt: skip
    areas = (geometry.get(DRAW + "text-areas") or "").split()[:4]
    room = None
    if len(areas) == 4 and all(size):
        edge = list(point(areas))
        room = edge[0] / size[0], edge[1] / size[1], edge[2] / size[0], edge[3] / size[1]
    return Drawn(tuple(pen.outlines), size, room, flips)


def _fitted(shape: Element, size: tuple[float, float]) -> Drawn | None:
    """A path or a polygon, whose view box fills the shape."""
    fill = "none" if shape.tag == DRAW + "polyline" else "norm"
    if shape.tag == DRAW + "regular-polygon":
        return Drawn((Outline(_regular(shape, size)),), size)
    if shape.tag == DRAW + "path":
        steps = _steps(shape.get(SVG + "d") or "")
    else:
        numbers = _numbers(shape.get(DRAW + "points") or "")
        if len(numbers) < 4 or len(numbers) % 2 or len(numbers) > 2 * MOST:
            return None
        pairs = [tuple(numbers[at : at + 2]) for at in range(0, len(numbers), 2)]
        steps = (("M", pairs[0]), *(("L", each) for each in pairs[1:]))
        steps += (("Z", ()),) if shape.tag == DRAW + "polygon" else ()
    box = _view_box(shape.get(SVG + "viewBox"))
    if not steps:
        return None
    left, top, across, down = box or (0.0, 0.0, 1.0, 1.0)
    scale = size[0] / across if across else 1.0, size[1] / down if down else 1.0
    return Drawn((Outline(_moved(steps, scale, (-left * scale[0], -top * scale[1])), fill),), size)


def _regular(shape: Element, size: tuple[float, float]) -> tuple[Step, ...]:
    """A polygon or star with its first corner at the top (10.3.5)."""
    text = shape.get(DRAW + "corners") or ""
    count = min(max(int(text) if text.isdecimal() and len(text) < 6 else 5, 3), 1_000)
    inner = 1 - min(max((share(shape.get(DRAW + "sharpness")) or 0.0) / 100, 0.0), 1.0)
    radii = (1.0, inner) if shape.get(DRAW + "concave") == "true" else (1.0,)
    points = []
    for at in range(count * len(radii)):
        turn, far = 2 * math.pi * at / (count * len(radii)), radii[at % len(radii)]
        points.append((size[0] / 2 * (1 + far * math.sin(turn)), size[1] / 2 * (1 - far * math.cos(turn))))
    return (("M", points[0]), *(("L", each) for each in points[1:]), ("Z", ()))


def _part_of_round(shape: Element, size: tuple[float, float]) -> Drawn:
    """An arc, a sector or a segment of an ellipse, from angle to angle anticlockwise (10.3.8)."""
    start, end = (_angle(shape.get(f"{DRAW}{name}-angle")) for name in ("start", "end"))
    kind, pen, radii = shape.get(DRAW + "kind"), Pen(), (size[0] / 2, size[1] / 2)
    turn = (end - start) % 360 or 360.0
    pen.draw("U", (*radii, *radii, -start, -start - turn))
    if kind == "section":
        pen.draw("L", radii)
    if kind != "arc":
        pen.draw("Z", ())
    pen.close()
    outlines = tuple(Outline(each.steps, "none" if kind == "arc" else "norm") for each in pen.outlines)
    return Drawn(outlines, size)


def _angle(text: str | None) -> float:
    found = number(text)
    return found % 360


def _steps(data: str) -> tuple[Step, ...]:
    """The path data of SVG as absolute lines and curves. Raises Faulty and ValueError."""
    if not data.strip() or len(data) > _MOST_DATA:
        raise Faulty
    pen = RecordingPen()
    try:
        parse_path(data, pen)
    except (IndexError, TypeError, AttributeError, AssertionError, ZeroDivisionError) as error:
        raise Faulty from error
    found: list[Step] = []
    here = (0.0, 0.0)
    drawn: list[tuple[str, Any]] = pen.value
    for name, points in drawn:
        if name == "endPath":
            continue
        if name == "qCurveTo":
            (x, y), ((a, b), (c, d)) = here, points
            points = ((x + (a - x) * 2 / 3, y + (b - y) * 2 / 3), (c + (a - c) * 2 / 3, d + (b - d) * 2 / 3), (c, d))
            name = "curveTo"
        found.append((_PEN[name], tuple(number for point in points for number in point)))
        here = points[-1] if points else here
    if len(found) > MOST or any(not abs(each) < _FARTHEST for _, numbers in found for each in numbers):
        raise Faulty
    return tuple(found)


def _moved(steps: Iterable[Step], scale: tuple[float, float], by: tuple[float, float]) -> tuple[Step, ...]:
    return tuple(
        (kind, tuple(each * scale[at % 2] + by[at % 2] for at, each in enumerate(numbers))) for kind, numbers in steps
    )


def _numbers(text: str) -> list[float]:
    found = [float(each[0]) for each in _NUMBER.finditer(text[:_MOST_DATA])]
    if any(abs(each) >= _FARTHEST for each in found):
        raise Faulty
    return found


def _view_box(text: str | None) -> Box | None:
    numbers = _numbers(text or "")
    return (numbers[0], numbers[1], numbers[2], numbers[3]) if len(numbers) == 4 else None
