"""SVG drawn as a picture, by librsvg in libvips."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

# Both are read when the library starts, and again by its C side: they have to be there before the import.
os.environ["VIPS_CONCURRENCY"] = "1"
os.environ["FONTCONFIG_FILE"] = str(Path(__file__).with_name("fonts.conf"))

import pyvips
from PIL import Image

from conversions.families.images import raster
from conversions.families.images.geometry import Geometry
from conversions.families.images.pixels import resized
from conversions.families.images.svg import cleaned
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.picture_limits import check_pixels
from conversions.toolkit.warnings import Warn

pyvips.cache_set_max(0)


def convert(source: Path, target: Path, options: object, warn: Warn) -> None:
    """Draw the SVG in `source` at its own size or at the one that the options want.

    Raises Unreadable for what is no SVG, OverLimit for a canvas or a drawing that is too large.
    """
    data = cleaned(source.read_bytes(), warn)
    try:
        own = pyvips.Image.svgload_buffer(data)
        size = (own.width, own.height)
        geometry = raster.geometry_of(size, target.suffix[1:], options, warn, enlarge=True)
        across, down = geometry.crop[2] - geometry.crop[0], geometry.crop[3] - geometry.crop[1]
        scale = max(geometry.size[0] / across, geometry.size[1] / down)
        check_pixels(round(size[0] * scale), round(size[1] * scale))
        # The fonts' index is put where this process may write, once a text needs it.
        os.environ["XDG_CACHE_HOME"] = tempfile.gettempdir()
        picture = pyvips.Image.svgload_buffer(data, scale=scale)
        drawn = Image.frombytes("RGBA", (picture.width, picture.height), picture.write_to_memory())
    except pyvips.Error as error:
        raise Unreadable("The SVG can't be drawn: it has no size, or is not valid.") from error
    left, top, right, bottom = (edge * scale for edge in geometry.crop)
    crop = (left, top, min(drawn.width, right), min(drawn.height, bottom))
    raster.drawn(resized(drawn, Geometry(crop, geometry.size)), target, options, warn)
