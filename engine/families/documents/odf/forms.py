"""The forms of drawn shapes in OpenDocument files as presets and paths of DrawingML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

from engine.families.documents.odf import geometries
from engine.families.documents.odf.geometries import Box, Drawn, turn_over
from engine.families.documents.odf.names import DRAW, twips
from engine.families.documents.odf.properties import Properties
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A
from engine.toolkit.shapes.presets import names, preset

_OTHER = {
    "rectangle": "rect", "round-rectangle": "roundRect", "isosceles-triangle": "triangle",
    "right-triangle": "rtTriangle", "cross": "plus", "pentagon-right": "homePlate", "smiley": "smileyFace",
    "lightning": "lightningBolt", "paper": "foldedCorner", "ring": "donut", "forbidden": "noSmoking",
    "bang": "irregularSeal1", "rectangular-callout": "wedgeRectCallout", "round-callout": "wedgeEllipseCallout",
    "round-rectangular-callout": "wedgeRoundRectCallout", "flowchart-data": "flowChartInputOutput",
    "flowchart-card": "flowChartPunchedCard", "flowchart-stored-data": "flowChartOnlineStorage",
    "flowchart-sequential-access": "flowChartMagneticTape", "flowchart-direct-access-storage": "flowChartMagneticDrum",
    "flowchart-off-page-connector": "flowChartOffpageConnector",
}  # fmt: skip
"""The presets by the names that LibreOffice gives its own shapes, where these differ by more than their spelling."""
_MIRRORS = (("flipH", "horizontal"), ("flipV", "vertical"))
_PREFIX = "ooxml-"
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_SIMPLE = {
    **{DRAW + name: "rect" for name in ("rect", "frame")},
    **{DRAW + name: "ellipse" for name in ("ellipse", "circle")},
}
_CONNECTORS = {"standard": "bentConnector3", "lines": "bentConnector3", "curve": "curvedConnector3"}
_MEASURE = (454, 0)
"""How far a measure is from what it measures, and its guides reach beyond it, in LibreOffice."""
_UPSIDE_DOWN = ("trapezoid",)
"""Shapes of the same name that are another."""


@dataclass(frozen=True)
class Form:
    """A preset shape, its adjustments by their names, and how it is turned over (`flipH`, `flipV`)."""

    name: str
    adjusted: Mapping[str, float] = field(default_factory=dict)
    flips: tuple[str, ...] = ()

    def write(self, properties: Element) -> None:
        """Append the form to the properties of a shape, and how it is turned over to its `xfrm`, made if missing."""
        turn_over(properties, self.flips)
        geometry = etree.SubElement(properties, A + "prstGeom")
        geometry.set("prst", self.name)
        guides = etree.SubElement(geometry, A + "avLst")
        for name, value in self.adjusted.items():
            guide = etree.SubElement(guides, A + "gd")
            guide.set("name", name)
            guide.set("fmla", f"val {round(value)}")


def of(shape: Element, wide: float, high: float) -> Form | Drawn | None:
    """The form of a drawn element at a size in twentieths of a point; None for one that can't be understood.

    A shape of DrawingML is that preset; others have a path of their own, or else the name of a preset.
    """
    if shape.tag == DRAW + "caption":
        tail = twips(shape.get(DRAW + "caption-point-x")), twips(shape.get(DRAW + "caption-point-y"))
        return geometries.caption((wide, high), (float(tail[0] or 0), float(tail[1] or 0)))
    radius = twips(shape.get(DRAW + "corner-radius"))
    if radius and min(wide, high) > 0:
        return Form("roundRect", {"adj": min(radius / min(wide, high), 0.5) * 100_000})
    if shape.tag != DRAW + "custom-shape":
        return geometries.of(shape, wide, high) or (Form(name) if (name := _SIMPLE.get(shape.tag)) else None)
    geometry = shape.find(DRAW + "enhanced-geometry")
    if geometry is None:
        return Form("rect")
    kind = geometry.get(DRAW + "type") or ""
    if kind.startswith(_PREFIX) and (name := _of_word(kind)):
        return Form(name, _adjustments(kind, geometry.get(DRAW + "modifiers") or ""), _flips(geometry))
    if (drawn := geometries.of(shape, wide, high)) is not None:
        return drawn
    name = _of_word(kind)
    return Form(name, {}, _flips(geometry)) if name else None


def of_line(shape: Element, ends: tuple[float, float, float, float], looks: Properties) -> tuple[Form | Drawn, Box]:
    """The form of a line, connector or measure between two points, and its left, top, width and height."""
    if shape.tag == DRAW + "measure":
        distance = looks.get(DRAW + "line-distance"), looks.get(DRAW + "guide-overhang")
        away, beyond = (
            usual if (length := twips(each)) is None else length for each, usual in zip(distance, _MEASURE, strict=True)
        )
        return geometries.measure(ends, float(away), float(beyond))
    if shape.tag == DRAW + "connector" and (found := geometries.connector(shape, ends)) is not None:
        return found
    x1, y1, x2, y2 = ends
    kind = shape.get(DRAW + "type") or "standard" if shape.tag == DRAW + "connector" else "line"
    flips = tuple(name for name, on in (("flipH", x2 < x1), ("flipV", y2 < y1)) if on)
    box = min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)
    return Form(_CONNECTORS.get(kind, "line"), {}, flips), box


def _flips(geometry: Element) -> tuple[str, ...]:
    return tuple(flip for flip, side in _MIRRORS if geometry.get(f"{DRAW}mirror-{side}") == "true")


def _of_word(name: str) -> str:
    """The preset shape for a `draw:type`; empty if there is none."""
    own = name.removeprefix(_PREFIX)
    if own == name:
        first, *more = name.split("-")
        own = _OTHER.get(name) or first.replace("flowchart", "flowChart") + "".join(map(str.title, more))
        own = "" if own in _UPSIDE_DOWN else own
    return own if own in names() else ""


def _adjustments(name: str, modifiers: str) -> dict[str, float]:
    """The adjustments of a preset by their names for a `draw:type` and its `draw:modifiers`.

    Only the shapes of DrawingML have those of DrawingML.
    """
    geometry = preset(_of_word(name)) if name.startswith(_PREFIX) else None
    if geometry is None:
        return {}
    values = _NUMBER.findall(modifiers)
    return {key: float(value) for (key, _), value in zip(geometry.adjustments, values, strict=False)}
