"""Estimate the cost of filters, masks, blending and crossing lines before drawing, in nanoseconds."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

from engine.families.images.drawings import clips, paint_costs, references, values
from engine.families.images.drawings.crossings import LONG, Crossings, crossings
from engine.families.images.drawings.embedded import size_of
from engine.families.images.drawings.extents import Extents
from engine.families.images.drawings.inherited import State, length
from engine.families.images.drawings.references import HREFS, urls
from engine.families.images.drawings.style_attribute import styled
from engine.families.images.drawings.styles import name_of
from engine.toolkit.failures import OverLimit

MOST = 20e9
"""The maximum nanoseconds, of the 30 s that a picture may take."""
_MOST_DRAWN = references.MAX_DRAWN

# The time of librsvg per pixel of a filter region, measured at 1,000 by 1,000 pixels.
_STEPS: Mapping[str, float] = {
    "feGaussianBlur": 170, "feDropShadow": 200, "feColorMatrix": 45, "feComponentTransfer": 45, "feComposite": 55,
    "feBlend": 50, "feDiffuseLighting": 90, "feSpecularLighting": 125, "feDisplacementMap": 730, "feMergeNode": 30,
}  # fmt: skip
_PLAIN = 5.0
_OCTAVE = 64.0
_MOST_OCTAVES = 9
_NEIGHBOUR = 5.0
_KERNEL = 12.0
_THICKEST = 10
_WHOLE = 2.0
"""Per pixel of the whole canvas, whatever the region: each step has a canvas of its own."""
_GROUPS: Mapping[str, float] = {"mask": 16.0, "mix-blend-mode": 19.0, "opacity": 1.5}
_FADED = 8.0
"""Per pixel of a semi-transparent element: 80 rectangles of 9 megapixels took 7.4 s, and 80 small ones 1.2 s."""
SCREEN: Mapping[str, float] = {"mask": 0.7, "mix-blend-mode": 11.0, "opacity": 1.0}
"""PlutoPrint's time per pixel of the surroundings, on a screen: 40 blended elements of 9 megapixels took 4 s."""
PRINT: Mapping[str, float] = {"mask": 0.7}
_MASKED = 12.0
"""Per pixel of masked content, however little of it is visible: 40 masks of 9 megapixels took 4.8 s."""
_MASKS: Mapping[str, float] = {"mask": 8.0}
"""PlutoPrint's time in a PDF, where only masks are rasterised: 200 of 0.9 megapixels took 1.6 s."""

_DRAWN = 30_000.0
_TEXT = 140_000.0
_PAIR = 100.0
"""librsvg's time per element, per text, and per pair of letters of a text: 100,000 small paths take 3.2 s, 30,000 texts
of one word 4.2 s, and a text of 8,000 letters 6 s. References may draw an element any number of times."""
_IMAGE = 8.0
"""Per pixel of an embedded picture, each time that it is drawn: a picture of 64 megapixels drawn 40 times took 8 s."""
_MARKED = 0.1
"""Per pixel of a marker; a shape has one at each vertex."""

_AS_IT_IS = frozenset(("none", "normal", "1", "1.0", "100%"))
_REFERRED = frozenset(("defs", "mask", "pattern", "clipPath", "marker", "symbol", "filter"))
"""Elements that are drawn only by reference."""
_SHAPES = frozenset(("path", "rect", "circle", "ellipse", "line", "polyline", "polygon"))
_TEXTS = ("text", "tspan")
_MARKERS = ("marker-start", "marker-mid", "marker-end", "marker")
_HINTS = ("filter", "url(", "use", "<text", ":text")
_LONG = re.compile(rb'"[^"]{%d}' % LONG)


def too_many() -> OverLimit:
    return OverLimit("limit", "The drawing's effects cover too many pixels. Choose a smaller size.")


def _too_many_crossings() -> OverLimit:
    return OverLimit(
        "limit",
        "The lines in the SVG are too long and cross too often. Choose a smaller size, or convert it to PDF.",
    )


def check(data: bytes, width: float, height: float) -> None:
    """Raise OverLimit if librsvg, drawing a cleaned SVG on this many pixels, would take more than MOST for its effects
    and crossing lines."""
    if _LONG.search(data) or any(each.encode() in data for each in (*_GROUPS, *_HINTS)):
        root = fromstring(data)
        _Count(root, width * height, _GROUPS, size=(width, height)).add(root)


def check_masks(data: bytes, width: float, height: float) -> None:
    """The same for PlutoPrint in a PDF, where it draws no filters, and writes lines as they are: 2,500 that cross take
    0.1 s. It draws the clipping paths of `clips.is_mask` as masks."""
    if any(each.encode() in data for each in (*_MASKS, "clip-path")):
        root = fromstring(data)
        _Count(root, width * height, _MASKS).add(root)


def cost(root: Element, canvas: float, groups: Mapping[str, float]) -> float:
    """The nanoseconds PlutoPrint takes for the `groups` (SCREEN or PRINT) of a drawing in a page, on this many pixels.

    Raises OverLimit if these are more than MOST.
    """
    count = _Count(root, canvas, groups, masked=_MASKED)
    count.add(root)
    return count.total


class _Count:
    def __init__(
        self,
        root: Element,
        canvas: float,
        groups: Mapping[str, float],
        *,
        size: tuple[float, float] | None = None,
        masked: float = 0.0,
    ) -> None:
        box = values.numbers(root.get("viewBox", ""))[2:]
        if "viewBox" not in root.attrib:
            box = [float(root.get(key, "")) for key in ("width", "height") if root.get(key, "").isdecimal()]
        self.canvas, self.groups, self.size, self.masked = canvas, groups, size, masked
        self.whole = abs(box[0] * box[1]) if len(box) == 2 else 0.0
        self.by_id = references.by_id(root)
        self.total = self.crossed = 0.0
        self.drawn = 0
        self.extents = Extents()
        self.steps: dict[Element, float] = {}
        self.masks: dict[Element, bool] = {}
        self.crossings: dict[Element, Crossings] = {}
        self.images: dict[Element, int] = {}

    def add(self, element: Element) -> None:
        """Count an element, its descendants, and what they refer to."""
        left = [(element, State())]
        while left and self.drawn < _MOST_DRAWN:
            at, around = left.pop()
            self.drawn += 1
            declared = {**at.attrib, **styled(at)} if "style" in at.attrib else at.attrib
            state = around.within(declared)
            self._count(at, declared, around)
            if self.size is not None:
                left += self._drawn_for(at, declared, state, around)
            if self.total > MOST:
                raise _too_many_crossings() if self.crossed > self.total / 2 else too_many()
            left += [(child, state) for child in at if name_of(child) not in _REFERRED]
            if name_of(at) == "use":
                target = next((at.get(key, "").strip()[1:] for key in HREFS if key in at.attrib), "")
                left += [(self.by_id[target], state)] if target in self.by_id else []
            for key, name in (("mask", "mask"), ("clip-path", "clipPath")):
                for each in self._named(declared.get(key, ""), name):
                    left += [(each, state.referred(each))] if each not in state.chain else []

    def _count(self, element: Element, declared: Mapping[str, str], around: State) -> None:
        for key, cost in self.groups.items():
            if declared.get(key, "none") not in _AS_IT_IS:
                self.total += cost * self.canvas * around.times
                if key == "mask" and self.masked:
                    self.total += self.masked * self._masked_pixels(element, around) * around.times
                if key == "opacity" and self.size is not None and self.extents.is_known(element):
                    self.total += _FADED * self._covered(element, around.scale) * around.times
        if self.size is None and any(map(self._is_mask, self._named(declared.get("clip-path", ""), "clipPath"))):
            whole = self.groups.get("mask", 0.0) / 2 * self.canvas
            self.total += (whole + clips.CLIPPED * self._covered(element, around.scale)) * around.times
        for filter_ in self._named(declared.get("filter", ""), "filter") if self.size is not None else ():
            if filter_ not in self.steps:
                self.steps[filter_] = sum(map(_step, filter_.iter()))
            region = self.steps[filter_] * self._area(element, filter_, around.scale)
            self.total += (region + _WHOLE * self.canvas * len(filter_)) * around.times

    def _is_mask(self, clip: Element) -> bool:
        if clip not in self.masks:
            self.masks[clip] = clips.is_mask(clip)
        return self.masks[clip]

    def _drawn_for(
        self, element: Element, declared: Mapping[str, str], state: State, around: State
    ) -> Iterator[tuple[Element, State]]:
        """Count the drawing of an element itself, and yield the elements drawn by reference for it, with their
        states."""
        name = name_of(element)
        self.total += _DRAWN * state.times
        letters = sum(map(len, element.itertext())) if name in _TEXTS else 0
        if name == "image" and self.size is not None:
            self.total += _IMAGE * self._pixels_of(element) * state.times
        if name == "text":
            self.total += (_TEXT + _PAIR * letters**2) * state.times
        elif not letters and name not in _SHAPES:
            return
        elif self.size is not None and ("d" in element.attrib or "points" in element.attrib):
            if element not in self.crossings:
                self.crossings[element] = crossings(element)
            unit = math.sqrt(self._pixels(1.0, around)) if self.whole else 1.0
            crossed = self.crossings[element].cost(unit, *self.size) * state.times
            self.crossed += crossed
            self.total += crossed
        for paint, is_line in ((state.fill, False), (state.stroke, True)):
            if "url(" in paint:
                painted = self._painted_pixels(element, state, around, letters, is_line=is_line)
                yield from self._count_paint(paint, state, min(self.canvas, painted))
        for key in _MARKERS:
            for marker in self._named(declared.get(key, ""), "marker"):
                outline = self.extents.outline(element)
                corners = len(outline.points) if outline else 0
                sides = [length(marker.get(each, ""), 3.0) for each in ("markerWidth", "markerHeight")]
                line = state.line if marker.get("markerUnits") != "userSpaceOnUse" else 1.0
                region = min(self.canvas, self._pixels(sides[0] * sides[1] * line**2, state))
                self.total += _MARKED * region * corners * state.times
                if marker not in state.chain:
                    yield marker, state.referred(marker, corners)

    def _pixels_of(self, image: Element) -> int:
        """The pixels of the picture that an element draws."""
        if image not in self.images:
            address = next((image.get(key, "") for key in HREFS if key in image.attrib), "")
            width, height = size_of(address) or (0, 0)
            self.images[image] = width * height
        return self.images[image]

    def _count_paint(self, paint: str, state: State, covered: float) -> Iterator[tuple[Element, State]]:
        """Count a paint of this many pixels, and yield the contents of patterns."""
        for server in self._named(paint, "radialGradient", "linearGradient", "pattern"):
            if name_of(server) != "pattern":
                self.total += paint_costs.gradient(server, covered) * state.times
                continue
            unit = math.sqrt(self._pixels(1.0, state))
            tile = paint_costs.tile(server, self.by_id, unit, covered, straight=state.straight)
            self.total += tile.cost(covered) * state.times
            if server not in state.chain:
                yield from ((child, state.referred(server)) for child in tile.contents)

    def _painted_pixels(self, element: Element, state: State, around: State, letters: int, *, is_line: bool) -> float:
        """The maximum pixels painted for a shape or a text."""
        if letters:
            return self._pixels(letters * state.letter**2, state)
        outline = self.extents.outline(element) if is_line else None
        if outline is None:
            return self._pixels(self.extents.area(element), around)
        unit = math.sqrt(self._pixels(1.0, around))
        return outline.length * unit * (state.line * math.sqrt(self._pixels(1.0, state)) + 1)

    def _named(self, value: str, *names: str) -> list[Element]:
        """The elements of these names that a value refers to."""
        if "url(" not in value:
            return []
        found = (self.by_id.get(match["address"].strip()[1:]) for match in urls(value))
        return [each for each in found if each is not None and name_of(each) in names]

    def _area(self, element: Element, filter_: Element, scale: float) -> float:
        """The maximum pixels that a filter processes."""
        if filter_.get("filterUnits") == "userSpaceOnUse" or not self.whole:
            return self.canvas
        share = [values.numbers(filter_.get(key, "")) or [1.2] for key in ("width", "height")]
        return self._covered(element, scale * abs(share[0][0] * share[1][0]))

    def _covered(self, element: Element, scale: float) -> float:
        """The maximum pixels that an element covers."""
        if not self.whole:
            return self.canvas
        return min(self.canvas, self.extents.area(element) * scale / self.whole * self.canvas)

    def _masked_pixels(self, element: Element, around: State) -> float:
        """The pixels of an element, including hidden ones."""
        known = self.extents.is_known(element)
        return self._pixels(self.extents.area(element), around) if known else self.canvas

    def _pixels(self, square: float, state: State) -> float:
        """The pixels of this many square units; those of the canvas if unknown."""
        return square * max(state.scale, 1e-12) / self.whole * self.canvas if self.whole else self.canvas


def _step(part: Element) -> float:
    """Nanoseconds that a filter primitive takes per pixel."""
    name = name_of(part)
    if name == "feTurbulence":
        octaves = (values.numbers(part.get("numOctaves", "")) or [1.0])[0]
        return _OCTAVE * (1 + min(max(octaves, 1.0), _MOST_OCTAVES))
    if name == "feMorphology":
        radius = max(values.numbers(part.get("radius", "")) or [0.0])
        return _NEIGHBOUR * (2 * min(radius, _THICKEST) + 1) ** 2
    if name == "feConvolveMatrix":
        order = (values.numbers(part.get("order", "")) or [3.0]) * 2
        return _KERNEL * abs(order[0] * order[1])
    return _STEPS.get(name, _PLAIN)
