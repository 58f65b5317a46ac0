"""Colour maps of TIFFs with 8-bit instead of 16-bit values, as some old programs wrote them."""

from __future__ import annotations

from PIL import Image, ImagePalette, TiffImagePlugin

_LOW = 255


def is_short(image: Image.Image) -> bool:
    """Return whether the current page of an opened TIFF has such a map, by libtiff's rule: no value over 255."""
    if not isinstance(image, TiffImagePlugin.TiffImageFile) or image.mode not in ("P", "PA"):
        return False
    values = image.tag_v2.get(TiffImagePlugin.COLORMAP, ())
    return bool(values) and max(values) <= _LOW


def prepare(image: Image.Image) -> None:
    """Set the palette of such a colour map on the current page; call it before decoding."""
    if is_short(image):
        assert isinstance(image, TiffImagePlugin.TiffImageFile)
        image.palette = ImagePalette.raw("RGB;L", bytes(image.tag_v2[TiffImagePlugin.COLORMAP]))
