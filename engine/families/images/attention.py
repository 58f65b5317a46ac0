"""Find the region that draws attention, for smart crops (smartcrop of libvips)."""

from __future__ import annotations

from PIL import Image

from engine.families.images.geometry import Crop, Geometry
from engine.families.images.vips import from_pillow

_LOOK = 400
"""The longer side in pixels of the picture that is analysed: the time grows with the pixels."""


def centred_on_attention(image: Image.Image, region: Crop, geometry: Geometry) -> Geometry:
    """`geometry` with its crop moved within `region` of `image` to the centre of attention, at the same size."""
    left, top, right, bottom = region
    width, height = geometry.crop[2] - geometry.crop[0], geometry.crop[3] - geometry.crop[1]
    scale = min(1.0, _LOOK / max(right - left, bottom - top))
    size = max(1, round((right - left) * scale)), max(1, round((bottom - top) * scale))
    wanted = min(size[0], max(1, round(width * scale))), min(size[1], max(1, round(height * scale)))
    if wanted == size:
        return geometry
    full = image.convert("RGBA" if image.has_transparency_data else "RGB")
    small = full.resize(size, Image.Resampling.BILINEAR, box=region, reducing_gap=2.0)
    found = from_pillow(small).smartcrop(*wanted, interesting="attention")
    across = min(max(left, left - found.xoffset / scale), right - width)
    down = min(max(top, top - found.yoffset / scale), bottom - height)
    return Geometry((across, down, across + width, down + height), geometry.size)
