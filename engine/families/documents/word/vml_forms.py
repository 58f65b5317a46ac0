"""The forms of VML shapes as geometries of DrawingML ([MS-OE376] and ECMA-376, part 4, 19.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import vml_values as values
from engine.families.documents.word.names import A, O, V
from engine.toolkit.shapes.geometry import MOST
from engine.toolkit.shapes.old_types import NAMES, UPSIDE_DOWN

_OF_TAG = {"rect": "rect", "roundrect": "roundRect", "oval": "ellipse", "line": "line", "image": "rect"}
_TYPE = re.compile(r"#_x0000_t(\d{1,3})")
_STEPS = re.compile(r"(n[fs]|a[elrt]|w[ar]|q[xyb]|h[a-i]|[a-z])|(-?\d{1,9})|(,)")
_POINTS = {"m": 1, "l": 1, "c": 3, "t": 1, "r": 1, "v": 3}
_RELATIVE = "trv"


@dataclass(frozen=True)
class Form:
    """The geometry of a shape, and whether it is turned over down."""

    geometry: Element
    over: bool = False


def form_of(shape: Element, kind: Element | None) -> Form | None:
    """The form of a VML shape whose type is declared by `kind`; None for one that is not understood.

    A text whose shape says nothing of its form is in a box.
    """
    tag = shape.tag.removeprefix(V)
    if name := _OF_TAG.get(tag):
        return Form(_preset(name, _rounding(shape.get("arcsize")) if tag == "roundrect" else None))
    number = _number(shape, kind)
    if tag == "shape" and number in NAMES:
        return Form(_preset(NAMES[number]), over=number == UPSIDE_DOWN)
    if tag == "polyline":
        return _polyline(shape)
    if tag == "curve":
        return None
    formless = not number and not shape.get("path") and (kind is None or not kind.get("path"))
    if tag == "shape" and formless and shape.find(V + "textbox") is not None:
        return Form(box())
    path = shape.get("path") or (None if kind is None else kind.get("path"))
    size = shape.get("coordsize") or (None if kind is None else kind.get("coordsize"))
    origin = shape.get("coordorigin") or (None if kind is None else kind.get("coordorigin"))
    found = _custom(path, pair(size, 1000), pair(origin, 0)) if path else None
    return None if found is None else Form(found)


def _polyline(shape: Element) -> Form | None:
    """Straight lines from point to point, closed where the last one is the first."""
    points = [(values.length(x), values.length(y)) for x, y in values.points(shape)]
    if len(points) < 2:
        return None
    left, top, wide, high = values.spread(points)
    geometry = etree.Element(A + "custGeom")
    path = etree.SubElement(etree.SubElement(geometry, A + "pathLst"), A + "path")
    path.set("w", str(max(wide, 1)))
    path.set("h", str(max(high, 1)))
    for at, (x, y) in enumerate(points):
        point = etree.SubElement(etree.SubElement(path, A + ("lnTo" if at else "moveTo")), A + "pt")
        point.set("x", str(x - left))
        point.set("y", str(y - top))
    if points[0] == points[-1]:
        etree.SubElement(path, A + "close")
    return Form(geometry)


def box() -> Element:
    """The form of a box."""
    return _preset("rect")


def pair(text: str | None, usual: int) -> tuple[int, int]:
    """Two numbers such as a size of coordinates."""
    parts = [each.strip() for each in (text or "").split(",")]
    numbers = [int(each) if re.fullmatch(r"-?\d{1,9}", each) else usual for each in parts[:2]]
    return (*numbers, usual, usual)[0], (*numbers, usual, usual)[1]


def _number(shape: Element, kind: Element | None) -> int:
    declared = (shape.get(O + "spt") or ("" if kind is None else kind.get(O + "spt")) or "").split(".")[0]
    named = _TYPE.fullmatch(shape.get("type") or "")
    return int(declared) if re.fullmatch(r"[0-9]{1,9}", declared) else int(named[1]) if named else 0


def _preset(name: str, adjusted: int | None = None) -> Element:
    geometry = etree.Element(A + "prstGeom")
    geometry.set("prst", name)
    guides = etree.SubElement(geometry, A + "avLst")
    if adjusted is not None:
        guide = etree.SubElement(guides, A + "gd")
        guide.set("name", "adj")
        guide.set("fmla", f"val {adjusted}")
    return geometry


def _rounding(text: str | None) -> int | None:
    """The corners of a rounded rectangle, a share of its shorter side, in 100,000ths."""
    if text is None:
        return 20_000
    number = text.removesuffix("f").removesuffix("%")
    if not re.fullmatch(r"\d{0,6}\.?\d{0,6}", number) or not any(map(str.isdigit, number)):
        return None
    scale = 65_536 if text.endswith("f") else 100 if text.endswith("%") else 1
    return min(round(float(number) / scale * 100_000), 50_000)


def _custom(path: str, size: tuple[int, int], origin: tuple[int, int]) -> Element | None:
    """A path of lines and curves between fixed points (19.1.2.19)."""
    if min(size) <= 0 or "@" in path or len(path) > MOST * 24:
        return None
    geometry = etree.Element(A + "custGeom")
    made = etree.SubElement(etree.SubElement(geometry, A + "pathLst"), A + "path")
    made.set("w", str(size[0]))
    made.set("h", str(size[1]))
    here = begin = (0, 0)
    for letter, numbers in _commands(path):
        if letter in ("x", "e", "nf", "ns"):
            if letter == "x":
                etree.SubElement(made, A + "close")
                here = begin
            if letter in ("nf", "ns"):
                made.set(*(("fill", "none") if letter == "nf" else ("stroke", "0")))
            continue
        count = 2 * _POINTS.get(letter, 0)
        if not count or len(numbers) % count:
            return None
        for at in range(0, len(numbers), count):
            points = [(numbers[at + n] - origin[0], numbers[at + n + 1] - origin[1]) for n in range(0, count, 2)]
            if letter in _RELATIVE:
                points = [(here[0] + x + origin[0], here[1] + y + origin[1]) for x, y in points]
            here = points[-1]
            kind = {"m": "moveTo", "t": "moveTo", "c": "cubicBezTo", "v": "cubicBezTo"}.get(letter, "lnTo")
            if kind == "moveTo":
                begin = here
            step = etree.SubElement(made, A + kind)
            for x, y in points:
                point = etree.SubElement(step, A + "pt")
                point.set("x", str(x))
                point.set("y", str(y))
    return geometry if len(made) else None


def _commands(path: str) -> list[tuple[str, list[int]]]:
    """The commands of a path with their numbers; one that is left out is 0."""
    found: list[tuple[str, list[int]]] = []
    pending = False
    for letter, digits, comma in _STEPS.findall(path):
        if letter:
            if pending and found:
                found[-1][1].append(0)
            found.append((letter, []))
            pending = False
        elif digits and found:
            found[-1][1].append(int(digits))
            pending = False
        elif comma and found:
            if pending or not found[-1][1]:
                found[-1][1].append(0)
            pending = True
    if pending and found:
        found[-1][1].append(0)
    return found
