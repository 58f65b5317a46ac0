"""Crop, rotate and mirror, and map regions back to the original pixels."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from engine.families.images.geometry import Crop, Geometry
from engine.families.images.options import Edit, Flip, Turn
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say

_TURNS = {"90": Image.Transpose.ROTATE_270, "180": Image.Transpose.ROTATE_180, "270": Image.Transpose.ROTATE_90}
"""Clockwise degrees to Pillow's transposition, whose names count counter-clockwise."""

_FLIPS = {"horizontal": Image.Transpose.FLIP_LEFT_RIGHT, "vertical": Image.Transpose.FLIP_TOP_BOTTOM}


@dataclass(frozen=True)
class Edits:
    """The edits of an upright picture: `region` of it in pixels, then rotation, then mirroring."""

    region: Crop
    rotate: Turn = "0"
    flip: Flip = "none"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the edited picture."""
        left, top, right, bottom = self.region
        return self.turned_size((round(right - left), round(bottom - top)))

    def turned_size(self, size: tuple[int, int]) -> tuple[int, int]:
        """A size after the rotation."""
        return (size[1], size[0]) if self.rotate in ("90", "270") else size

    def before(self, geometry: Geometry) -> Geometry:
        """A geometry of the edited picture, in terms of the upright one."""
        left, top, right, bottom = geometry.crop
        width, height = self.size
        if self.flip == "horizontal":
            left, right = width - right, width - left
        elif self.flip == "vertical":
            top, bottom = height - bottom, height - top
        size = geometry.size
        if self.rotate == "90":
            left, top, right, bottom = top, width - right, bottom, width - left
        elif self.rotate == "180":
            left, top, right, bottom = width - right, height - bottom, width - left, height - top
        elif self.rotate == "270":
            left, top, right, bottom = height - bottom, left, height - top, right
        if self.rotate in ("90", "270"):
            size = size[1], size[0]
        across, down = self.region[:2]
        return Geometry((left + across, top + down, right + across, bottom + down), size)

    def turned(self, image: Image.Image) -> Image.Image:
        """The cropped region, rotated and mirrored."""
        for turn in (_TURNS.get(self.rotate), _FLIPS.get(self.flip)):
            if turn is not None:
                image = image.transpose(turn)
        return image


def edits_of(options: object, size: tuple[int, int]) -> Edits:
    """The requested edits of an upright picture of this size; raises InvalidOption for a region outside."""
    wish = options if isinstance(options, Edit) else Edit()
    return Edits(_region(wish.crop, size), wish.rotate, wish.flip)


def _region(crop: str | None, size: tuple[int, int]) -> Crop:
    if crop is None:
        return (0, 0, *size)
    lengths = [
        round(float(each[:-1]) / 100 * side) if each.endswith("%") else int(each)
        for each, side in zip(crop.split(","), (*size, *size), strict=True)
    ]
    left, top, width, height = lengths
    if not (width and height and left + width <= size[0] and top + height <= size[1]):
        raise InvalidOption(
            "crop",
            say(
                "The area to keep must be within the picture, which has {size} x {size2} pixels: "
                "left,top,width,height.",
                size=size[0],
                size2=size[1],
            ),
        )
    return (left, top, left + width, top + height)
