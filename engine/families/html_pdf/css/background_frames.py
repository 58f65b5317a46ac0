"""Clip layers of a background to the padding box within a border of known width (CSS Backgrounds 3, 2.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import tinycss2

from engine.families.html_pdf.css.backgrounds import Layer
from engine.families.html_pdf.css.room_lengths import Length, TextSizes, length

NAMES = ("border", "border-width", "border-style", "border-radius", "border-top", "border-right", "border-bottom",
         "border-left", "border-image")  # fmt: skip
_WIDTHS = {"thin": 1.0, "medium": 3.0, "thick": 5.0}


@dataclass(frozen=True)
class Frame:
    """A border of the same width on all sides, and the radius of its corners, in CSS pixels."""

    width: float = 0.0
    radius: float = 0.0

    def inside(self, layer: Layer) -> Layer:
        """A layer that is placed in the padding box, as it is placed in the border box around it."""
        if layer.origin != "padding-box":
            return layer
        across, down = (
            Length(each.share, each.pixels + self.width - 2 * self.width * each.share) for each in layer.place
        )
        return replace(layer, place=(across, down), origin="border-box")

    def clipped(self, inside: str, name: str) -> str:
        """Elements of a drawing of the border box, clipped to the padding box: what four shifted boxes share."""
        radius = f' rx="{max(self.radius - self.width, 0):g}"'
        for at, (x, y) in enumerate(((1, 1), (-1, 1), (1, -1), (-1, -1))):
            box = f'x="{x * self.width:g}" y="{y * self.width:g}" width="100%" height="100%"'
            clip = f'<clipPath id="{name}c{at}"><rect {box}{radius}/></clipPath>'
            inside = f'<defs>{clip}</defs><g clip-path="url(#{name}c{at})">{inside}</g>'
        return inside


def frame(declarations: Iterable[tuple[str, str]], sizes: TextSizes) -> Frame | None:
    """The border that declarations give, the winning one last; None for one that isn't the same on all sides."""
    found = Frame()
    for name, value in declarations:
        if name not in NAMES:
            continue
        tokens = [each for each in tinycss2.parse_component_value_list(value) if each.type != "whitespace"]
        words = {each.lower_value for each in tokens if each.type == "ident"}
        lengths = [given for each in tokens if (given := length(each, sizes)) is not None]
        known = [each.pixels for each in lengths if not each.share] + [_WIDTHS[each] for each in words & _WIDTHS.keys()]
        if name == "border":
            is_none = not words - _WIDTHS.keys() or words & {"none", "hidden"}
            found = replace(found, width=0.0 if is_none else (known or [_WIDTHS["medium"]])[0])
        elif name == "border-width" and len(tokens) == len(known) == 1:
            found = replace(found, width=known[0])
        elif name == "border-radius" and len(tokens) == len(known) == 1:
            found = replace(found, radius=known[0])
        elif name != "border-style" or len(words) != 1:
            return None
    return found
