"""Zero-length lines with square caps, which the engine does not draw (SVG 2, 13.5.4)."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path.parser import parse_path

from engine.families.images.drawings import values
from engine.families.images.drawings.style_attribute import styled
from engine.families.images.drawings.styles import name_of

MAX_DATA = 2_000
"""The maximum length of a path that is parsed."""

_KEY = "stroke-linecap"
_LONG = 0.01
"""The length in user units of such a line: less is nothing to the engine."""


def lengthen_dots(root: Element) -> None:
    """Lengthen zero-length lines enough that their square caps are drawn."""
    if not any("square" in (each.get(_KEY, "") + each.get("style", "")) for each in root.iter()):
        return
    left = [(root, "butt")]
    while left:
        element, cap = left.pop()
        value = styled(element).get(_KEY, element.get(_KEY, "inherit")).strip()
        cap = cap if value == "inherit" else value
        if cap == "square":
            _lengthen(element)
        left += [(child, cap) for child in element]


def _lengthen(element: Element) -> None:
    name = name_of(element)
    if name == "line" and all(element.get(f"{axis}1", "0") == element.get(f"{axis}2", "0") for axis in "xy"):
        ends = values.numbers(element.get("x1", "0")) or [0.0]
        if element.get("x1", "0").strip()[-1:].isdigit():
            element.set("x2", f"{ends[0] + _LONG:g}")
    elif name == "path" and 0 < len(element.get("d", "")) <= MAX_DATA:
        dots = "".join(f"M{x:g} {y:g}h{_LONG}" for x, y in _places(element.attrib["d"]))
        if dots:
            element.set("d", f"{element.attrib['d']} {dots}")


def _places(data: str) -> list[tuple[float, float]]:
    """The positions of zero-length subpaths."""
    pen = RecordingPen()
    try:
        parse_path(data, pen)
    except (ValueError, IndexError, KeyError, TypeError, AssertionError, ArithmeticError):
        return []  # the part before an error is drawn
    parts: list[list[tuple[float, float]]] = []
    for kind, places in pen.value:
        if kind == "moveTo":
            parts.append([])
        parts[-1] += [each for each in places if each is not None] if places else parts[-1][:1]
    return [each[0] for each in parts if len(each) > 1 and len(set(each)) == 1]
