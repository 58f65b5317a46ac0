"""The bit depth that a file declares, before decoding reduces it to 8."""

from __future__ import annotations

import re
from pathlib import Path

from PIL import Image, ImageFile

from engine.families.images import jpeg2000, planes
from engine.toolkit.formats import HEAD_BYTES

_HIGH_DEPTH = 0x40
"""In the third byte of an AV1 configuration box: more than 8 bits (AV1-ISOBMFF, 2.3.3)."""

_WIDE = re.compile(";16[BLN]")
"""Part of Pillow's raw mode names with 16 bits per channel, in any byte order."""


def is_deep(image: Image.Image) -> bool:
    """Whether an opened, not yet decoded picture has colours of more than 8 bits per channel, which become 8.

    Grey with 16 bits is a mode of its own and does not count.
    """
    if image.mode.startswith(("I", "F")):
        return False
    if image.format == "RAW":
        return True
    if image.format in ("HEIF", "BMP", "JXL"):
        return int(image.info.get("bit_depth", 8)) > 8
    if image.format == "AVIF":
        assert isinstance(image, ImageFile.ImageFile)
        with Path(str(image.filename)).open("rb") as file:
            head = file.read(HEAD_BYTES)
        at = head.find(b"av1C")
        return 0 <= at < len(head) - 6 and bool(head[at + 6] & _HIGH_DEPTH)
    if image.format == "JPEG2000":
        return jpeg2000.bits(image) > 8
    if planes.are_deep(image):
        return True
    tiles = getattr(image, "tile", ())
    if image.format == "PPM":
        return any(isinstance(tile.args, tuple) and int(tile.args[-1]) > 255 for tile in tiles)
    return any(_WIDE.search(str(tile.args)) or tile.codec_name == "SGI16" for tile in tiles)
