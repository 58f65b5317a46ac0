"""Passing: a JPEG decoded and encoded again row by row, both at once, where its pixels stay as they are."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from conversions.families.images.coding import Coding, Movie
from conversions.families.images.edits import Edits
from conversions.families.images.metadata import Metadata
from conversions.families.images.pixels import coloured
from conversions.families.images.preparation import metadata_of, wish_of
from conversions.families.images.writing import FINE, write
from conversions.toolkit.warnings import Warn

_MANY = 1_000_000
"""Pixels from which on the second thread is worth its start."""
_START, _TABLES = b"\xff\xd8", 0xDB


def passed(image: Image.Image, source: Path, target: Path, options: object, found: Metadata, warn: Warn) -> bool:
    """Write an opened JPEG as the writer of pictures would, byte for byte; say whether it could be done.

    What the decoder has a doubt about, and what changes pixels, is left to be done with the whole picture in memory.
    """
    coding = Coding.of(options)
    if not _keeps_pixels(image, target.suffix[1:], options, found, coding):
        return False
    from conversions.families.images import vips  # with libvips, which other pictures have no need of

    try:
        body = vips.jpeg_again(str(source), image.size, quality=coding.quality, fine=coding.quality > FINE)
    except vips.Error:
        return False
    profile = coloured(image, found.profile, srgb=False, target="jpg", warn=warn)[1]
    # The tags before the tables are the same for a picture of any size.
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
    edits, geometry, shades, srgb = wish_of(image, format, options, found, Warn())
    return edits == Edits((0, 0, width, height)) and not (geometry.changes(image.size) or shades or srgb)


def _tables(data: bytes) -> int:
    """Where the tables of a JPEG begin, after all segments that only tell of it (ITU-T T.81, B.1.1.4)."""
    at = len(_START)
    while data[at + 1] != _TABLES:
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return at
