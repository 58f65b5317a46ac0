"""Photoshop documents: what stands beside the flattened picture, and its transparency (Adobe's file format
specification of 2019)."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from PIL import Image, ImageFile, ImageMath

from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

_RESOLUTION, _IPTC, _VERSION, _EXIF, _XMP = 1005, 1028, 1057, 1058, 1060
_FIXED = 65_536
_STRIPS = 1_000_000
"""Pixels that are worked on at once."""


def check(source: Path) -> None:
    """Raise Unreadable for a document of more than 8 bits a channel, which no decoder here reads."""
    with source.open("rb") as file:
        head = file.read(26)
    bits = int.from_bytes(head[22:24], "big")
    if head[:4] == b"8BPS" and bits in (16, 32):
        raise Unreadable(
            f"The document has {bits} bits a channel; only those of 8 are read. Change its mode to 8 bits a channel, "
            f"or save it as TIFF, of which all 16 bits are kept."
        )


def complete(image: Image.Image) -> None:
    """Put the metadata of an opened document where those of other formats are.

    Raises Unreadable for a document that was saved without its flattened picture.
    """
    for id, _, data in getattr(image, "resources", ()):
        if id == _RESOLUTION and len(data) >= 12:
            across, down = struct.unpack_from(">I4xI", data)
            image.info["dpi"] = (across / _FIXED, down / _FIXED)
        elif id == _EXIF:
            image.info["exif"] = b"Exif\0\0" + data
        elif id == _XMP:
            image.info["xmp"] = data
        elif id == _IPTC:
            image.info["photoshop"] = {id: data}
        elif id == _VERSION and len(data) >= 5 and not data[4]:
            raise Unreadable(
                "The document has only layers and no flattened picture. Save it with maximum compatibility switched on."
            )


def composed(image: Image.Image, warn: Warn) -> Image.Image:
    """The decoded flattened picture, with the transparency that it really has.

    A fourth channel is transparency if the number of layers is negative, and the colours are then already mixed with
    white; beside layers that are counted upwards it is a saved selection.
    """
    if image.mode != "RGBA":
        return image
    count = layers(image)
    if count == 0:
        return image
    if count > 0:
        warn("CONTENT_DROPPED", "A saved selection (an extra channel) was left out.")
        return image.convert("RGB")
    result = Image.new("RGBA", image.size)
    rows = max(1, _STRIPS // image.width)
    for top in range(0, image.height, rows):
        box = (0, top, image.width, min(image.height, top + rows))
        *colours, alpha = image.crop(box).split()
        opacity = alpha.point(lambda value: max(value, 1))
        plain = [ImageMath.lambda_eval(_without_white, c=colour, a=opacity) for colour in colours]
        result.paste(Image.merge("RGBA", (*plain, alpha)), box)
    return result


def _without_white(given: dict[str, Any]) -> Any:
    """The colour `c` before it was laid onto white with the opacity `a`, which is nowhere 0."""
    return given["convert"]((given["c"] - 255 + given["a"]) * 255 / given["a"], "L")


def layers(image: Image.Image) -> int:
    """The number of layers as it is written, which is negative where the flattened picture has transparency."""
    assert isinstance(image, ImageFile.ImageFile)
    with Path(str(image.filename)).open("rb") as file:
        file.seek(26)
        for _ in range(2):  # colour mode data, image resources
            file.seek(int.from_bytes(file.read(4), "big"), 1)
        section, info = struct.unpack(">II", file.read(8))
        return int.from_bytes(file.read(2), "big", signed=True) if section and info else 0
