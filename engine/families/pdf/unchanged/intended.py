"""What a task means to change on the pages of a PDF; everything else must stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Corner = tuple[float, float]
Area = Sequence[Corner]
"""The corners of a polygon on a page, in points in the page's coordinates."""


@dataclass(frozen=True)
class Intended:
    """The intended changes; by default, each page of the result looks and reads like the same page of the input.

    `pages` are the pages of the input, from 0, that the result has, in its order. Keyed by page of the result, from 0:
    `turned` is the clockwise rotation in degrees, and `areas` may look different. `clipped` pages show a part of the
    input's. `quality`, 1 to 100, is that of pictures that may be lossy; None allows no loss. Words may be `added` or
    `removed`. `password` opens the result.
    """

    pages: Sequence[int] | None = None
    turned: Mapping[int, int] = field(default_factory=dict)
    areas: Mapping[int, Sequence[Area]] = field(default_factory=dict)
    clipped: bool = False
    quality: int | None = None
    added: bool = False
    removed: bool = False
    password: str | None = None


def box(left: float, bottom: float, right: float, top: float) -> Area:
    """Return the area of a rectangle."""
    return ((left, bottom), (right, bottom), (right, top), (left, top))
