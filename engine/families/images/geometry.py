"""Compute the crop and size of a picture."""

from __future__ import annotations

from dataclasses import dataclass

from engine.families.images.options import Fit

LARGEST_SIDE = {"jpg": 65_500, "webp": 16_383, "avif": 65_535, "gif": 65_535, "ico": 256}
"""The longest side in pixels by format id, for formats with a limit of their own."""


Crop = tuple[float, float, float, float]
"""The left, top, right and bottom edge of a region in pixels."""


@dataclass(frozen=True)
class Geometry:
    """`crop` is (left, top, right, bottom) in source pixels, `size` (width, height) of the result."""

    crop: Crop
    size: tuple[int, int]

    def changes(self, size: tuple[int, int]) -> bool:
        """Whether it changes a picture of this size."""
        return self.size != size or self.crop != (0, 0, *size)


def plan(
    size: tuple[int, int], *, width: int | None, height: int | None, fit: Fit, enlarge: bool, longest: int | None
) -> Geometry:
    """Fit a picture of `size` to `width` and `height`, all in pixels and at least 1.

    With one or neither of them, the aspect ratio is kept. Without `enlarge` no side grows; `cover` and `smart` then
    keep the aspect ratio of the box. `longest` is the format's limit and always applies.
    """
    if width and height and fit == "fill":
        crop: Crop = (0, 0, *size)
        wanted = (width, height) if enlarge else (min(width, size[0]), min(height, size[1]))
    elif width and height and fit in ("cover", "smart"):
        crop = _centred(size, width / height)
        scale = 1.0 if enlarge else min(1.0, (crop[2] - crop[0]) / width, (crop[3] - crop[1]) / height)
        wanted = _rounded(width * scale, height * scale)
    else:
        crop = (0, 0, *size)
        scale = min(width / size[0] if width else float("inf"), height / size[1] if height else float("inf"))
        scale = 1.0 if scale == float("inf") else scale if enlarge else min(scale, 1.0)
        wanted = _rounded(size[0] * scale, size[1] * scale)
    if longest and max(wanted) > longest:
        scale = longest / max(wanted)
        wanted = _rounded(wanted[0] * scale, wanted[1] * scale)
    return Geometry(crop, wanted)


def _centred(size: tuple[int, int], proportion: float) -> Crop:
    width = min(size[0], size[1] * proportion)
    height = min(size[1], size[0] / proportion)
    left, top = (size[0] - width) / 2, (size[1] - height) / 2
    return (left, top, left + width, top + height)


def _rounded(width: float, height: float) -> tuple[int, int]:
    return max(1, round(width)), max(1, round(height))
