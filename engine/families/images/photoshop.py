"""Photoshop documents: content other than the flattened picture, and its transparency.

See Adobe's file format specification of 2019.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from PIL import Image, ImageFile, ImageMath

from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_RESOLUTION, _IPTC, _VERSION, _EXIF, _XMP = 1005, 1028, 1057, 1058, 1060
_FIXED = 65_536
_PACKED = 1
_SELECTIONS = Kind(
    "CONTENT_DROPPED", "Saved selections (extra channels) were left out: {count}{places}.", counts="channels"
)
_PATHS = Kind("CONTENT_DROPPED", "Saved paths were left out: {count}{places}.")
_PATH_RESOURCES = range(2000, 2998)
_STRIPS = 1_000_000
"""The number of pixels processed at once."""


def check(source: Path) -> None:
    """Raise Unreadable for a document with more than 8 bits per channel, which no decoder here reads."""
    with source.open("rb") as file:
        head = file.read(26)
    bits = int.from_bytes(head[22:24], "big")
    if head[:4] == b"8BPS" and bits in (16, 32):
        raise Unreadable(
            say(
                "The document has {bits} bits per channel, and only 8 are supported. Change its mode to "
                "8 bits per channel, or save it as TIFF, which keeps all 16 bits.",
                bits=bits,
            ),
            reason="unsupported_feature",
        )


def complete(image: Image.Image) -> None:
    """Store the metadata of an opened document as for other formats, and find its channels and saved paths.

    Raises Unreadable for a document that was saved without its flattened picture.
    """
    image.info["paths"] = []
    for id, name, data in getattr(image, "resources", ()):
        if id == _RESOLUTION and len(data) >= 12:
            across, down = struct.unpack_from(">I4xI", data)
            image.info["dpi"] = (across / _FIXED, down / _FIXED)
        elif id == _EXIF:
            image.info["exif"] = b"Exif\0\0" + data
        elif id == _XMP:
            image.info["xmp"] = data
        elif id == _IPTC:
            image.info["photoshop"] = {id: data}
        elif id in _PATH_RESOURCES:
            image.info["paths"].append(name.decode("mac_roman"))
        elif id == _VERSION and len(data) >= 5 and not data[4]:
            raise Unreadable(
                "The document has layers but no flattened picture. Save it with maximum compatibility on.",
                reason="unsupported_feature",
            )
    _place_channels(image)


def _place_channels(image: Image.Image) -> None:
    """Set up the decoder for exactly the channels of the mode, and alpha if there is one.

    The row lengths of all channels precede packed data; the decoder expects those of the channels it decodes.
    """
    assert isinstance(image, ImageFile.ImageFile)
    mode = "RGB" if image.mode == "RGBA" else image.mode
    with Path(str(image.filename)).open("rb") as file:
        file.seek(12)
        (channels,) = struct.unpack(">H", file.read(2))
        file.seek(26)
        for _ in range(3):  # colour mode data, image resources, layers
            file.seek(int.from_bytes(file.read(4), "big"), 1)
        (packed,) = struct.unpack(">H", file.read(2))
        start = file.tell()
        rows = file.read(2 * channels * image.height) if packed == _PACKED else b""
    colours = Image.getmodebands(mode)
    image.info["channels"] = channels - colours
    if channels > colours and layers(image) < 0 and mode in ("L", "RGB"):
        mode = "RGBA"
        image.info["channels"] -= 1
    if packed not in (0, _PACKED) or len(rows) != (2 * channels * image.height if packed else 0):
        raise ValueError("a compression that is not known, or lengths that are not there")
    image._mode, inverted = mode, ";I" if mode == "CMYK" else ""
    length = (image.width + 7) // 8 * image.height if mode == "1" else image.width * image.height
    starts = [start + len(rows)]
    for number in range(channels):
        lengths = rows[2 * number * image.height : 2 * (number + 1) * image.height]
        starts.append(starts[-1] + (sum(struct.unpack(f">{image.height}H", lengths)) if packed else length))
    # Pillow has no decoder for grey with transparency.
    image.info["grey"] = mode == "RGBA" and colours == 1
    order = (0, 0, 0, 1) if image.info["grey"] else range(len(mode))
    image.tile = [
        ImageFile._Tile("packbits" if packed else "raw", (0, 0, *image.size), starts[number], name + inverted)
        for name, number in zip(mode, order, strict=True)
    ]


def with_transparency(image: Image.Image, warn: Warn) -> Image.Image:
    """The decoded flattened picture with its actual transparency.

    Channels beyond those of the mode are saved selections, or spot colours. If the number of layers is negative, the
    first of them is transparency, and the colours are already blended with white.
    """
    warn.tally(_SELECTIONS, image.info.get("channels", 0))
    paths = image.info.get("paths", ())
    warn.tally(_PATHS, len(paths), (f"“{each}”" for each in paths if each))
    if image.mode != "RGBA":
        return image
    grey = image.info["grey"]
    result = Image.new("LA" if grey else "RGBA", image.size)
    rows = max(1, _STRIPS // image.width)
    for top in range(0, image.height, rows):
        box = (0, top, image.width, min(image.height, top + rows))
        *colours, alpha = image.crop(box).split()
        colours = colours[:1] if grey else colours
        opacity = alpha.point(lambda value: max(value, 1))
        plain = [ImageMath.lambda_eval(_without_white, c=colour, a=opacity) for colour in colours]
        result.paste(Image.merge(result.mode, (*plain, alpha)), box)
    return result


def _without_white(given: dict[str, Any]) -> Any:
    """The colour `c` before it was blended onto white with the opacity `a`, which is never 0."""
    return given["convert"]((given["c"] - 255 + given["a"]) * 255 / given["a"], "L")


def layers(image: Image.Image) -> int:
    """The number of layers as stored, negative if the flattened picture has transparency."""
    assert isinstance(image, ImageFile.ImageFile)
    with Path(str(image.filename)).open("rb") as file:
        file.seek(26)
        for _ in range(2):  # colour mode data, image resources
            file.seek(int.from_bytes(file.read(4), "big"), 1)
        section, info = struct.unpack(">II", file.read(8))
        return int.from_bytes(file.read(2), "big", signed=True) if section and info else 0
