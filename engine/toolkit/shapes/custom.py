"""Read the geometry that a shape of DrawingML declares (ECMA-376, part 1, 20.1.9.8 and 20.1.9.18)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.toolkit.shapes.geometry import MOST, Form, Formula, Geometry, form
from engine.toolkit.shapes.guides import MOST as MOST_GUIDES
from engine.toolkit.shapes.guides import Faulty
from engine.toolkit.shapes.presets import preset
from engine.toolkit.xml_elements import child, children, local

_LETTERS = {"moveTo": "M", "lnTo": "L", "quadBezTo": "Q", "cubicBezTo": "C", "arcTo": "A", "close": "Z"}
_FIXED = re.compile(r"\s*val\s+(-?\d{1,10})\s*")


def form_of(properties: Any, width: float, height: float, *, flipped: tuple[bool, bool] | None = None) -> Form | None:
    """The form of a shape with these properties (`spPr`) at a size in points; None without one, or with a faulty one.

    `flipped` is whether it is turned over across and down, by default as its position says.
    """
    named, own = child(properties, "prstGeom"), child(properties, "custGeom")
    adjusted: Mapping[str, float] = {}
    try:
        if named is not None:
            geometry = preset(named.get("prst") or "")
            adjusted = _adjusted(named)
        else:
            geometry = None if own is None else declared(own)
        if geometry is None:
            return None
        found = form(geometry, width, height, adjusted, flipped=flipped or flips_of(child(properties, "xfrm")))
    except Faulty:
        return None
    return found if any(each.steps for each in found.outlines) else None


def flips_of(place: Any) -> tuple[bool, bool]:
    """Whether a shape with this position (`xfrm`) is turned over across, and down."""
    across, down = (place is not None and place.get(name) in ("1", "true") for name in ("flipH", "flipV"))
    return across, down


def declared(element: Any) -> Geometry:
    """The geometry of a `custGeom`. Raises Faulty."""
    adjustments, guides = (tuple(_guides(child(element, name))) for name in ("avLst", "gdLst"))
    if len(adjustments) + len(guides) > MOST_GUIDES:
        raise Faulty
    room = child(element, "rect")
    edges = ("l", "t", "r", "b") if room is None else tuple(room.get(side) or side for side in "ltrb")
    formulas = tuple(map(_path, children(child(element, "pathLst"), "path")))
    return Geometry(adjustments, guides, formulas, edges)


def _path(element: Any) -> Formula:
    steps: list[str] = []
    for step in children(element):
        letter = _LETTERS.get(local(step))
        if letter is None or len(steps) > MOST:
            raise Faulty
        if letter == "A":
            values = [step.get(name) or "" for name in ("wR", "hR", "stAng", "swAng")]
        else:
            values = [point.get(axis) or "" for point in children(step, "pt") for axis in "xy"]
        steps.append(" ".join([letter, *values]))
    wide, high = (_length(element.get(name)) for name in "wh")
    stroked = element.get("stroke") not in ("0", "false")
    return Formula(tuple(steps), wide, high, element.get("fill") or "norm", stroked)


def _adjusted(element: Any) -> dict[str, float]:
    """The adjustments of a preset shape that are no default."""
    matches = ((name, _FIXED.fullmatch(formula)) for name, formula in _guides(child(element, "avLst")))
    return {name: float(match[1]) for name, match in matches if match}


def _guides(parent: Any) -> Iterator[tuple[str, str]]:
    for each in children(parent, "gd"):
        yield each.get("name") or "", each.get("fmla") or ""


def _length(text: str | None) -> float:
    return float(text) if text and text.isascii() and text.isdigit() and len(text) < 12 else 0.0
