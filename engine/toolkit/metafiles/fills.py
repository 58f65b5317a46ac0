"""The hatches, bitmap patterns and gradients of metafiles as SVG paint servers."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable

from metafile_render.primitives import Brush, Point
from PIL import Image

from engine.toolkit.metafiles import bitmaps
from engine.toolkit.metafiles.playback import Gradient

_HATCHES = {
    0: "M0 4.5H8", 1: "M4.5 0V8", 2: "M-1 -1L9 9", 3: "M-1 9L9 -1", 4: "M0 4.5H8M4.5 0V8", 5: "M-1 -1L9 9M-1 9L9 -1",
}  # fmt: skip
"""The lines of each style in its square of 8 pixels (MS-WMF, 2.1.1.12)."""
_WIDEST = 4096
"""Pixels of a bitmap that is a pattern, on each side."""


class Fills:
    """Makes fills, and collects the elements that they refer to."""

    def __init__(self, number: Callable[[float], str]) -> None:
        self._number = number
        self._names: dict[object, str] = {}
        self.definitions: list[str] = []

    def of(self, brush: Brush, counted: Counter[str]) -> str:
        """The `fill` of a brush; a bitmap that can't be decoded is grey, and counted."""
        if brush.kind == "hatch" and brush.hatch in _HATCHES:
            return self._named(brush, self._hatch)
        if brush.kind == "pattern" and brush.pattern:
            try:
                return self._named(brush, self._bitmap)
            except (OSError, ValueError, SyntaxError, IndexError, Image.DecompressionBombError):
                counted["pattern"] += 1
        alpha = brush.color.alpha
        return f'fill="{brush.color.svg()}"' + (f' fill-opacity="{alpha / 255:.3g}"' if alpha < 255 else "")

    def gradient(self, gradient: Gradient, start: Point, end: Point) -> str:
        """The `fill` of a gradient between two points in pixels."""
        name = f"fill{len(self.definitions) + 1}"
        (x1, y1), (x2, y2) = start, end
        x2, y2 = (x2, y1) if gradient.across else (x1, y2)
        places = " ".join(
            f'{key}="{self._number(value)}"'
            for key, value in zip(("x1", "y1", "x2", "y2"), (x1, y1, x2, y2), strict=True)
        )
        stops = "".join(f'<stop offset="{at}" stop-color="{each}"/>' for at, each in enumerate(gradient.colours))
        self.definitions.append(
            f'<linearGradient id="{name}" gradientUnits="userSpaceOnUse" {places}>{stops}</linearGradient>'
        )
        return f'fill="url(#{name})"'

    def _named(self, brush: Brush, make: Callable[[Brush], str]) -> str:
        key = (brush.kind, brush.hatch, brush.color, brush.pattern)
        if key not in self._names:
            inner = make(brush)
            self._names[key] = f"fill{len(self.definitions) + 1}"
            self.definitions.append(f'<pattern id="{self._names[key]}" patternUnits="userSpaceOnUse" {inner}</pattern>')
        return f'fill="url(#{self._names[key]})"'

    def _hatch(self, brush: Brush) -> str:
        ground = f'<rect width="8" height="8" fill="#{brush.pattern.hex()}"/>' if brush.pattern else ""
        line = f'<path d="{_HATCHES[brush.hatch]}" stroke="{brush.color.svg()}" fill="none"/>'
        return f'width="8" height="8">{ground}{line}'

    def _bitmap(self, brush: Brush) -> str:
        image = Image.open(io.BytesIO(brush.pattern or b""), formats=["BMP"])
        if max(image.size) > _WIDEST:
            raise ValueError("the pattern is too large")
        wide, high = image.size
        return (
            f'width="{wide}" height="{high}"><image width="{wide}" height="{high}" '
            f'xlink:href="{bitmaps.uri(image.convert("RGB"))}"/>'
        )
