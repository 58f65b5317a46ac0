"""Draw SVG and metafiles as pictures with librsvg in libvips."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from PIL import Image

from engine.families.images import icons, preparation, raster, vips
from engine.families.images.drawings import effects
from engine.families.images.geometry import Geometry
from engine.families.images.options import IcoCoding, Scale
from engine.families.images.pixels import resized
from engine.families.images.svg import cleaned
from engine.toolkit.failures import Unreadable
from engine.toolkit.picture_limits import check_pixels
from engine.toolkit.warnings import Warn

_CSS_DPI = 96


def convert(source: Path, target: Path, options: object, warn: Warn) -> None:
    """Draw the SVG in `source` at its own size or at the requested one.

    Raises Unreadable for anything but SVG, OverLimit for a canvas or a drawing that is too large.
    """
    _convert(source.read_bytes(), target, options, warn)


def convert_metafile(source: Path, target: Path, options: object, warn: Warn) -> None:
    """Draw the EMF or WMF in `source` at its own size or at the requested one.

    Raises Unreadable for one that is damaged or empty, OverLimit for a drawing that is too large.
    """
    from engine.toolkit.metafiles import drawing

    drawn = drawing.drawn(source.read_bytes())
    drawn.report(warn)
    _convert(drawn.svg, target, options, warn)


def _convert(svg: bytes, target: Path, options: object, warn: Warn) -> None:
    data = cleaned(svg, warn)
    # The font cache must be in a writable folder, once a text needs it.
    os.environ["XDG_CACHE_HOME"] = tempfile.gettempdir()
    try:
        if isinstance(options, IcoCoding):
            largest, *smaller = (_icon(data, edge) for edge in reversed(icons.edges(options.sizes)))
            raster.drawn(largest, target, options, warn, smaller=smaller)
        else:
            raster.drawn(_picture(data, target.suffix[1:], options, warn), target, options, warn, dpi=_dpi(options))
    except vips.Error as error:
        raise Unreadable("The SVG can't be converted: it has no size, or is invalid.", reason="damaged") from error


def _picture(data: bytes, format: str, options: object, warn: Warn) -> Image.Image:
    own = vips.drawing(data)
    times = _times(options)
    size = max(1, round(own.width * times)), max(1, round(own.height * times))
    geometry = preparation.geometry_of(size, format, options, warn, enlarge=True)
    across, down = geometry.crop[2] - geometry.crop[0], geometry.crop[3] - geometry.crop[1]
    scale = max(geometry.size[0] / across, geometry.size[1] / down)
    check_pixels(round(size[0] * scale), round(size[1] * scale), format)
    # The renderer refuses sizes below a pixel.
    drawn = _drawn(data, max(scale * times, 1 / min(own.width, own.height)))
    left, top, right, bottom = (edge * scale for edge in geometry.crop)
    crop = (left, top, min(drawn.width, right), min(drawn.height, bottom))
    placed = Geometry(crop, geometry.size)
    if preparation.is_smart(options):
        placed = preparation.centred(drawn, (0, 0, *drawn.size), placed)
    return resized(drawn, placed)


def _icon(data: bytes, edge: int) -> Image.Image:
    """The drawing with this longer side in pixels, rendered for it: lines fall on different pixels at each size."""
    own = vips.drawing(data)
    longest = max(own.width, own.height)
    drawn = _drawn(data, edge / longest)
    size = max(1, round(own.width * edge / longest)), max(1, round(own.height * edge / longest))
    return drawn if drawn.size == size else drawn.resize(size, Image.Resampling.LANCZOS)


def _drawn(data: bytes, scale: float) -> Image.Image:
    picture = vips.drawing(data, scale)
    effects.check(data, picture.width, picture.height)
    return vips.to_pillow(picture)


def _times(options: object) -> float:
    """The factor applied to the drawing's own size before it is fitted into a box."""
    return options.scale * (options.dpi or _CSS_DPI) / _CSS_DPI if isinstance(options, Scale) else 1.0


def _dpi(options: object) -> float | None:
    return options.dpi if isinstance(options, Scale) else None
