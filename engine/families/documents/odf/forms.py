"""The preset shapes of DrawingML for the forms of drawn shapes in OpenDocument files."""

from __future__ import annotations

import re

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
_PREFIX = "ooxml-"
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_UPSIDE_DOWN = ("trapezoid",)
"""Shapes of the same name that are another."""


def of_word(name: str) -> str:
    """The preset shape for a `draw:type`; empty if there is none."""
    own = name.removeprefix(_PREFIX)
    if own == name:
        first, *more = name.split("-")
        own = _OTHER.get(name) or first.replace("flowchart", "flowChart") + "".join(map(str.title, more))
        own = "" if own in _UPSIDE_DOWN else own
    return own if own in names() else ""


def adjustments(name: str, modifiers: str) -> dict[str, float]:
    """The adjustments of a preset by their names for a `draw:type` and its `draw:modifiers`.

    Only the shapes of DrawingML have those of DrawingML.
    """
    geometry = preset(of_word(name)) if name.startswith(_PREFIX) else None
    if geometry is None:
        return {}
    values = _NUMBER.findall(modifiers)
    return {key: float(value) for (key, _), value in zip(geometry.adjustments, values, strict=False)}
