"""Compare pictures as thumbnails, to detect one that became black, empty or a different picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

EDGE = 8
_STRETCHED = 1.1
"""A ratio between two aspect ratios above which the pictures are taken to be cropped on purpose, and not compared."""
_FAR = 60.0
"""The largest shift of the mean of a colour, of 255; conversions between colour spaces stay below 40."""
_STRUCTURED, _ALIKE = 12.0, 0.5
"""The standard deviation from which a picture has structure, and the correlation that must remain of it."""


@dataclass(frozen=True)
class Thumbnail:
    """A thumbnail of EDGE x EDGE RGB pixels on white, and the picture's width divided by its height."""

    pixels: bytes
    proportion: float

    @property
    def shades(self) -> tuple[list[int], list[int]]:
        """The brightness and the warmth of its pixels."""
        rows = list(zip(self.pixels[::3], self.pixels[1::3], self.pixels[2::3], strict=True))
        return [(red + 2 * green + blue) // 4 for red, green, blue in rows], [red - blue for red, _, blue in rows]


def count_unlike(before: Sequence[Thumbnail], after: Sequence[Thumbnail]) -> int:
    """Return how many pictures differ, compared pairwise in order."""
    return sum(not _alike(one, other) for one, other in zip(before, after, strict=False))


def _alike(one: Thumbnail, other: Thumbnail) -> bool:
    if not 1 / _STRETCHED < one.proportion / other.proportion < _STRETCHED:
        return True
    for colour in range(3):
        mine, its = one.pixels[colour::3], other.pixels[colour::3]
        if abs(sum(mine) - sum(its)) > _FAR * len(mine):
            return False
    return all(map(_follows, one.shades, other.shades))


def _follows(source: Sequence[int], result: Sequence[int]) -> bool:
    """Return whether the result correlates with the source, if the source has structure at all."""
    spread, kept = _covariance(source, source), _covariance(result, result)
    if spread < _STRUCTURED**2:
        return True
    return kept > 0 and _covariance(source, result) >= _ALIKE * (spread * kept) ** 0.5


def _covariance(one: Sequence[int], other: Sequence[int]) -> float:
    count = len(one)
    return sum(a * b for a, b in zip(one, other, strict=True)) / count - sum(one) * sum(other) / count**2
