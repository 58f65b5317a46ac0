"""SVG drawn as a picture, by librsvg in libvips."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from PIL import Image

from conversions.families.images import icons, preparation, raster, vips
from conversions.families.images.geometry import Geometry
from conversions.families.images.options import IcoCoding, Scale
from conversions.families.images.pixels import resized
from conversions.families.images.svg import cleaned
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.picture_limits import check_pixels
from conversions.toolkit.warnings import Warn

_CSS_DPI = 96


def convert(source: Path, target: Path, options: object, warn: Warn) -> None:
    """Draw the SVG in `source` at its own size or at the one that the options want.

    Raises Unreadable for what is no SVG, OverLimit for a canvas or a drawing that is too large.
    """
    data = cleaned(source.read_bytes(), warn)
    # The fonts' index is put where this process may write, once a text needs it.
    os.environ["XDG_CACHE_HOME"] = tempfile.gettempdir()
    try:
        if isinstance(options, IcoCoding):
            largest, *smaller = (_icon(data, edge) for edge in reversed(icons.edges(options.sizes)))
            raster.drawn(largest, target, options, warn, smaller=smaller)
        else:
            raster.drawn(_picture(data, target.suffix[1:], options, warn), target, options, warn, dpi=_dpi(options))
    except vips.Error as error:
        raise Unreadable("The SVG can't be drawn: it has no size, or is not valid.") from error


def _picture(data: bytes, format: str, options: object, warn: Warn) -> Image.Image:
    own = vips.drawing(data)
    times = _times(options)
    size = max(1, round(own.width * times)), max(1, round(own.height * times))
    geometry = preparation.geometry_of(size, format, options, warn, enlarge=True)
    across, down = geometry.crop[2] - geometry.crop[0], geometry.crop[3] - geometry.crop[1]
    scale = max(geometry.size[0] / across, geometry.size[1] / down)
    check_pixels(round(size[0] * scale), round(size[1] * scale), format)
    # The renderer refuses what would have less than a pixel.
    drawn = _drawn(data, max(scale * times, 1 / min(own.width, own.height)))
    left, top, right, bottom = (edge * scale for edge in geometry.crop)
    crop = (left, top, min(drawn.width, right), min(drawn.height, bottom))
    placed = Geometry(crop, geometry.size)
    if preparation.is_smart(options):
        placed = preparation.attended(drawn, (0, 0, *drawn.size), placed)
    return resized(drawn, placed)


def _icon(data: bytes, edge: int) -> Image.Image:
    """The drawing with this longer side in pixels, drawn for it: lines fall on other pixels at each size."""
    own = vips.drawing(data)
    longest = max(own.width, own.height)
    drawn = _drawn(data, edge / longest)
    size = max(1, round(own.width * edge / longest)), max(1, round(own.height * edge / longest))
    return drawn if drawn.size == size else drawn.resize(size, Image.Resampling.LANCZOS)


def _drawn(data: bytes, scale: float) -> Image.Image:
    return vips.to_pillow(vips.drawing(data, scale))


def _times(options: object) -> float:
    """By how much the drawing's own size is enlarged before it is fitted into a box."""
    return options.scale * (options.dpi or _CSS_DPI) / _CSS_DPI if isinstance(options, Scale) else 1.0


def _dpi(options: object) -> float | None:
    return options.dpi if isinstance(options, Scale) else None
