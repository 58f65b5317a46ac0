"""Estimate how much of the canvas elements of a drawing cover."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from engine.families.images.drawings import outlines
from engine.families.images.drawings.styles import name_of

FAR = 1e9
Box = tuple[float, float, float, float]


class Extents:
    """The bounding boxes of elements, each computed once."""

    def __init__(self) -> None:
        self._boxes: dict[Element, Box] = {}
        self._outlines: dict[Element, outlines.Outline | None] = {}

    def box(self, element: Element) -> Box:
        """The bounding box of an element in its parent's units; practically unlimited if unknown."""
        if element in self._boxes:
            return self._boxes[element]
        self._boxes[element] = found = (-FAR, -FAR, FAR, FAR)
        if name_of(element) in ("g", "a"):
            inside = [self.box(child) for child in element]
            if inside:
                turned = outlines.transform(element.get("transform") or "")
                found = _turned(_around([(x, y) for box in inside for x in box[::2] for y in box[1::2]]), turned)
        elif (outline := self.outline(element)) is not None:
            found = _around(outline.points)
        self._boxes[element] = found
        return found

    def is_known(self, element: Element) -> bool:
        return self.box(element)[0] > -FAR

    def area(self, element: Element) -> float:
        """The area of the box in square units."""
        left, top, right, bottom = self.box(element)
        return (right - left) * (bottom - top)

    def outline(self, element: Element) -> outlines.Outline | None:
        """The outline of a shape, as in `outlines`."""
        if element not in self._outlines:
            self._outlines[element] = outlines.outline(element)
        return self._outlines[element]


def _around(points: Sequence[tuple[float, float]]) -> Box:
    across, down = zip(*points, strict=True)
    return min(across), min(down), max(across), max(down)


def _turned(box: Box, matrix: outlines.Matrix) -> Box:
    a, b, c, d, e, f = matrix
    return _around([(a * x + c * y + e, b * x + d * y + f) for x in box[::2] for y in box[1::2]])
