"""Parts: what lies between two formats of models, as meshes of triangles that have a place, a name and colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy

from conversions.toolkit.failures import OverLimit, Unreadable

MAX_TRIANGLES = 5_000_000
MAX_PARTS = 10_000


@dataclass(frozen=True)
class Part:
    """One mesh in its place: vertices (n, 3), triangles (m, 3) of their numbers, and a colour (RGBA) of each vertex.

    `colours` is None where nothing is said; `textured` where a picture gives the colours, which are then one for all.
    """

    name: str
    vertices: Any
    triangles: Any
    colours: Any = None
    textured: bool = False

    def __post_init__(self) -> None:
        if len(self.triangles) and not 0 <= self.triangles.min() <= self.triangles.max() < len(self.vertices):
            raise Unreadable("A triangle names a corner that is not there.")
        if not numpy.isfinite(self.vertices).all():
            raise Unreadable("A corner has a place that is no number.")


@dataclass(frozen=True)
class Model:
    """All parts, and what length 1 stands for (a unit of 3MF), where the file says so."""

    parts: tuple[Part, ...]
    unit: str | None = None

    def joined(self) -> Part:
        """All parts as one; those without colours are grey where others have some."""
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


def check(parts: int, triangles: int) -> None:
    """Raise OverLimit for more than a conversion takes on."""
    if parts > MAX_PARTS or triangles > MAX_TRIANGLES:
        raise OverLimit(
            "memory",
            f"The model has {triangles:,} triangles in {parts:,} parts; at most {MAX_TRIANGLES:,} in {MAX_PARTS:,} are "
            f"converted.",
        )
