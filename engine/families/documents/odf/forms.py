"""The preset shapes of DrawingML for the forms of drawn shapes in OpenDocument files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

from engine.families.documents.odf.names import DRAW
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
        place = properties.find(A + "xfrm")
        place = etree.SubElement(properties, A + "xfrm") if place is None else place
        for each in self.flips:
            place.set(each, "1")
        geometry = etree.SubElement(properties, A + "prstGeom")
        geometry.set("prst", self.name)
        guides = etree.SubElement(geometry, A + "avLst")
        for name, value in self.adjusted.items():
            guide = etree.SubElement(guides, A + "gd")
            guide.set("name", name)
            guide.set("fmla", f"val {round(value)}")


def of_custom(shape: Element) -> Form | None:
    """The form of a `draw:custom-shape`; None for one that is no preset."""
    geometry = shape.find(DRAW + "enhanced-geometry")
    if geometry is None:
        return Form("rect")
    kind = geometry.get(DRAW + "type") or ""
    name = _of_word(kind)
    if not name:
        return None
    flips = tuple(flip for flip, side in _MIRRORS if geometry.get(f"{DRAW}mirror-{side}") == "true")
    return Form(name, _adjustments(kind, geometry.get(DRAW + "modifiers") or ""), flips)


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
