"""Create thumbnails of pictures that are converted, and of those in finished files."""

from __future__ import annotations

import warnings
from pathlib import Path

from PIL import Image

from engine.families.images import codecs
from engine.families.images.pixels import upright
from engine.families.images.reading import DAMAGED, NAMES
from engine.toolkit.formats import AVIF, GIF, PNG, WEBP, Format
from engine.toolkit.thumbnails import EDGE, Thumbnail

MOST_PIXELS = 500_000
"""Pixels up to which a finished picture is decoded again; JPEG is decoded at an eighth of its size."""
_MOST_MOVING = 300_000
"""Pixels of all frames up to which the last frame is compared, too, as that decodes the whole animation."""
_POINTS = 8
"""Sampled pixels per side for each pixel of a thumbnail."""
_DRAFTED = EDGE * _POINTS * 4
_MOVING = frozenset({PNG, GIF, WEBP, AVIF})
_UNLIKE = frozenset({"CMYK", "LAB", "F", "I", "YCbCr"})
"""Modes whose plain conversion to RGB differs too much from one by colour profile or by range."""
_TURNED = frozenset({"TIFF", "PSD", "JXL"})
"""Formats whose decoders apply the orientation themselves, or have none."""
_ORIENTATION = 0x0112


def thumbnails(path: Path, format: Format) -> list[Thumbnail]:
    """Return the thumbnail of a finished file, or those of its first and last frame; empty if it is too large."""
    codecs.load(format.id)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path, formats=[NAMES[format.id]]) as image:
                image.draft("RGB", (_DRAFTED, _DRAFTED))
                if image.width * image.height > MOST_PIXELS:
                    return []
                count = int(getattr(image, "n_frames", 1)) if format in _MOVING else 1
                found = [thumbnail(image)]
                if count > 1 and count * image.width * image.height <= _MOST_MOVING:
                    image.seek(count - 1)
                    found.append(thumbnail(image))
                return [each for each in found if each]
    except DAMAGED:
        return []


def thumbnail(image: Image.Image, orientation: int | None = None) -> Thumbnail | None:
    """Return the thumbnail of an opened picture, sampled, in the given orientation or else that of its Exif data.

    Returns None for a tiny picture, whose colours encoders blend, and for modes that can't be compared.
    """
    if image.mode in _UNLIKE or min(image.size) < EDGE:
        return None
    image.load()
    clear = image.has_transparency_data
    small = image.resize((EDGE * _POINTS, EDGE * _POINTS), Image.Resampling.NEAREST)
    if image.mode.startswith("I;16"):
        small = small.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    if clear:
        full = small.convert("RGBA")
        small = Image.new("RGB", full.size, (255, 255, 255))
        small.paste(full, mask=full.getchannel("A"))
    size = image.size
    if image.format not in _TURNED:
        turn = _orientation(image) if orientation is None else orientation
        small = upright(small, turn)
        size = size[::-1] if turn in (5, 6, 7, 8) else size
    pixels = small.convert("RGB").resize((EDGE, EDGE), Image.Resampling.BOX)
    return Thumbnail(pixels.tobytes(), size[0] / size[1])


def _orientation(image: Image.Image) -> int:
    try:
        found = image.getexif().get(_ORIENTATION, 1)
    except DAMAGED:
        return 1
    return found if isinstance(found, int) else 1
