"""libvips: how it is set up, and pictures handed over to it and back."""

from __future__ import annotations

import os
from pathlib import Path

# Both are read when the library starts, and again by its C side: they have to be there before the import.
os.environ["VIPS_CONCURRENCY"] = "1"
os.environ["FONTCONFIG_FILE"] = str(Path(__file__).with_name("fonts.conf"))

import pyvips
from PIL import Image

pyvips.cache_set_max(0)


Error: type[Exception] = pyvips.Error


def drawing(data: bytes, scale: float = 1.0) -> pyvips.Image:
    """An SVG at so many times its own size; nothing is drawn before its pixels are asked for. Raises Error."""
    return pyvips.Image.svgload_buffer(data, scale=scale)


def from_pillow(image: Image.Image) -> pyvips.Image:
    """A picture of 8 bits a channel, whose mode is L, LA, RGB or RGBA."""
    bands = len(image.getbands())
    made = pyvips.Image.new_from_memory(image.tobytes(), *image.size, bands, "uchar")
    return made.copy(interpretation="srgb" if bands > 2 else "b-w")


def to_pillow(image: pyvips.Image) -> Image.Image:
    """The same picture in Pillow; it has to have 8 bits and up to four channels."""
    mode = ("L", "LA", "RGB", "RGBA")[image.bands - 1]
    return Image.frombytes(mode, (image.width, image.height), image.write_to_memory())
