"""Triangle meshes with placement, name and colours, the model between formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy

from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say

MAX_TRIANGLES = 5_000_000
"""The largest upload as STL: 300,000 take 0.4 s as GLB, 4.6 s as OBJ and 9 s as 3MF, where the time ends it earlier."""
MAX_PARTS = 10_000
"""2,000 take 0.7 s and 130 MB."""


@dataclass(frozen=True)
class Part:
    """One placed mesh: vertices (n, 3), triangles (m, 3) of vertex indexes, and a colour (RGBA) per vertex.

    `colours` is None if undefined; `textured` if they come from a texture, which is reduced to a single colour.
    """

    name: str
    vertices: Any
    triangles: Any
    colours: Any = None
    textured: bool = False

    def __post_init__(self) -> None:
        if len(self.triangles) and not 0 <= self.triangles.min() <= self.triangles.max() < len(self.vertices):
            raise Unreadable("A triangle refers to a missing vertex.", reason="damaged")
        if not numpy.isfinite(self.vertices).all():
            raise Unreadable("A vertex has a coordinate that is not a number.", reason="damaged")


@dataclass(frozen=True)
class Model:
    """All parts, and the unit of length as named in 3MF, if known."""

    parts: tuple[Part, ...]
    unit: str | None = None

    def joined(self) -> Part:
        """All parts as one; those without colours become grey if others have some."""
        if len(self.parts) == 1:
            return self.parts[0]
        starts = numpy.cumsum([0, *(len(each.vertices) for each in self.parts)])
        colours = None
        if any(each.colours is not None for each in self.parts):
            grey = numpy.array([[160, 160, 160, 255]], dtype="uint8")
            colours = numpy.concatenate(
                [grey.repeat(len(each.vertices), 0) if each.colours is None else each.colours for each in self.parts]
            )
        return Part(
            self.parts[0].name,
            numpy.concatenate([each.vertices for each in self.parts]),
            numpy.concatenate([each.triangles + start for each, start in zip(self.parts, starts, strict=False)]),
            colours,
        )


def check(parts: int, triangles: int, *, most: int = MAX_PARTS) -> None:
    """Raise OverLimit for more parts or triangles than a conversion handles."""
    if parts > most or triangles > MAX_TRIANGLES:
        raise OverLimit(
            "memory",
            say(
                "The model has {triangles} triangles in {parts} parts. The limit is {max_triangles} in {max_parts}.",
                triangles=triangles,
                parts=parts,
                max_triangles=MAX_TRIANGLES,
                max_parts=most,
            ),
        )
