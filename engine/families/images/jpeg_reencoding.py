"""Re-encode a JPEG row by row while decoding, if its pixels stay the same."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from engine.families.images.coding import Coding, Movie
from engine.families.images.edits import Edits
from engine.families.images.metadata import Metadata
from engine.families.images.pixels import coloured
from engine.families.images.preparation import metadata_of, requested_edits
from engine.families.images.writing import FINE, write
from engine.toolkit.warnings import Warn

_MANY = 1_000_000
"""The number of pixels from which a second thread is worth starting."""
_START, _TABLES = b"\xff\xd8", 0xDB


def reencode(image: Image.Image, source: Path, target: Path, options: object, found: Metadata, warn: Warn) -> bool:
    """Write an opened JPEG exactly as the picture writer would; return whether it was possible.

    Damaged files, and edits that change pixels, are left to the path with the whole picture in memory.
    """
    coding = Coding.from_options(options)
    if not _keeps_pixels(image, target.suffix[1:], options, found, coding):
        return False
    from engine.families.images import vips  # with libvips, which other pictures don't need

    try:
        body = vips.reencoded_jpeg(str(source), image.size, quality=coding.quality, fine=coding.quality > FINE)
    except vips.Error:
        return False
    profile = coloured(image, found.profile, srgb=False, target="jpg", warn=warn)[1]
    # The segments before the tables are the same for a picture of any size.
    small = Movie([Image.new(image.mode, (1, 1))])
    write(small, target, "jpg", coding, metadata_of(found, profile, image, "jpg", options, warn), warn)
    head = target.read_bytes()
    with target.open("wb") as file:
        file.write(head[: _tables(head)])
        file.write(memoryview(body)[_tables(body) :])
    return True


def _keeps_pixels(image: Image.Image, format: str, options: object, found: Metadata, coding: Coding) -> bool:
    if (format, image.format) != ("jpg", "JPEG") or image.mode != "RGB" or found.orientation != 1:
        return False
    width, height = image.size
    if width * height < _MANY or coding.target_size or coding.effort == "small":
        return False
    edits, geometry, shades, srgb = requested_edits(image, format, options, found, Warn())
    return edits == Edits((0, 0, width, height)) and not (geometry.changes(image.size) or shades or srgb)


def _tables(data: bytes) -> int:
    """The offset of a JPEG's tables, after all metadata segments (ITU-T T.81, B.1.1.4)."""
    at = len(_START)
    while data[at + 1] != _TABLES:
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return at
