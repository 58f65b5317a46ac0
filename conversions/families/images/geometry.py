"""Geometry: which part of a picture is kept and how large it becomes."""

from __future__ import annotations

from dataclasses import dataclass

from conversions.families.images.options import Fit

LARGEST_SIDE = {"jpg": 65_500, "webp": 16_383, "avif": 65_535, "gif": 65_535, "ico": 256}
"""Format id to the longest side in pixels, for the formats that have a limit below that of the pixels."""


Crop = tuple[float, float, float, float]
"""Left, top, right and bottom edge of a part of a picture, in its pixels."""


@dataclass(frozen=True)
class Geometry:
    """`crop` is (left, top, right, bottom) in the source's pixels, `size` (width, height) of the result."""

    crop: Crop
    size: tuple[int, int]

    def changes(self, size: tuple[int, int]) -> bool:
        """Whether a picture of this size comes out with another one."""
        return self.size != size or self.crop != (0, 0, *size)


def plan(
    size: tuple[int, int], *, width: int | None, height: int | None, fit: Fit, enlarge: bool, longest: int | None
) -> Geometry:
    """How a picture of `size` is cut and scaled to `width` and `height`, all in pixels, at least one each way.

    With only one of the two, or with neither, the proportions stay. Without `enlarge` no side grows; `cover` and
    `smart` then keep the box's proportions. `longest` is the format's limit of a side and is always kept to.
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
