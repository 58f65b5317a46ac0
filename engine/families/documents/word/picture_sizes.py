"""The size at which a picture is meant to be shown, of its pixels and their density."""

from __future__ import annotations

import base64
import binascii
import io

_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
_DENSITY = 96.0
"""Pixels per inch of a picture that says none."""


def of(uri: str) -> tuple[float, float] | None:
    """The width and height in points of a bitmap in a `data:` URI; None for others."""
    from PIL import Image, UnidentifiedImageError

    try:
        data = base64.b64decode(uri.partition(",")[2])
        with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
            across, down = picture.size
            density = picture.info.get("dpi") or (_DENSITY, _DENSITY)
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, binascii.Error, SyntaxError):
        return None
    x, y = (float(each) if 10 <= float(each) <= 10_000 else _DENSITY for each in density)
    return across * 72 / x, down * 72 / y
