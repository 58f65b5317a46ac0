"""The names that Word has for the forms of drawn shapes in OpenDocument files."""

from __future__ import annotations

_FORMS = {"rectangle": "rect", "ellipse": "ellipse", "round-rectangle": "roundRect", "diamond": "diamond",
          "isosceles-triangle": "triangle", "right-triangle": "rtTriangle", "parallelogram": "parallelogram",
          "hexagon": "hexagon", "octagon": "octagon", "cross": "plus", "pentagon": "pentagon", "star5": "star5",
          "right-arrow": "rightArrow", "left-arrow": "leftArrow", "up-arrow": "upArrow", "down-arrow": "downArrow",
          "left-right-arrow": "leftRightArrow", "up-down-arrow": "upDownArrow", "pentagon-right": "homePlate",
          "chevron": "chevron", "flowchart-process": "rect", "flowchart-alternate-process": "roundRect",
          "flowchart-decision": "flowChartDecision", "flowchart-data": "flowChartInputOutput",
          "flowchart-preparation": "flowChartPreparation", "flowchart-extract": "flowChartExtract",
          "flowchart-merge": "flowChartMerge", "flowchart-manual-operation": "flowChartManualOperation"}  # fmt: skip
"""The forms of Word by the names that LibreOffice gives its own; it gives those of Word Word's."""
_OWN = {"line", *_FORMS.values()}


def of_word(name: str) -> str:
    """The form of Word for a `draw:type`; empty if it is not drawn."""
    own = name.removeprefix("ooxml-")
    return _FORMS.get(name, own if own != name and own in _OWN else "")
