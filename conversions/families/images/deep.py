"""Deep pictures: colours of 16 bits a channel from file to file, in libvips, as Pillow has no mode for them."""

from __future__ import annotations

from pathlib import Path

import pillow_heif
from PIL import Image, ImageFile

from conversions.families.images import deep_files, vips
from conversions.families.images.coding import Coding
from conversions.families.images.edits import Edits
from conversions.families.images.geometry import Geometry
from conversions.families.images.metadata import Metadata
from conversions.families.images.pixels import usable_profile
from conversions.families.images.reading import decoding
from conversions.families.images.vips import Picture
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

_SPACES = {2: ("grey16", "b-w"), 3: ("rgb16",), 4: ("rgb16",)}
"""Number of channels to what libvips calls the colours that they can be."""


def opened(image: Image.Image, number: int) -> Picture | None:
    """Page `number` of an opened picture with all its bits, or None where there is no way to them.

    Raises Unreadable where the bytes are damaged, as far as that is seen before they are decoded.
    """
    if not isinstance(image, ImageFile.ImageFile):
        # It was decoded here, from a bitmap whose fields of bits others do not read, to 8 bits.
        return None
    path = str(image.filename)
    try:
        if image.format == "PNG":
            picture = vips.load(path, "png")
        elif image.format == "TIFF":
            picture = vips.load(path, "tiff", page=number)
        elif image.format == "PPM":
            picture = _anymap(image, path)
        elif image.format == "HEIF":
            picture = _heif(path)
        elif image.format == "AVIF":
            picture = vips.load(path, "heif")
        elif image.format == "RAW":
            picture = _developed(image, path)
        else:
            return None
    except vips.Error as error:
        raise Unreadable("The picture is damaged or incomplete, or is a kind of file that can't be read.") from error
    fits = (
        picture is not None and picture.format == "ushort" and picture.interpretation in _SPACES.get(picture.bands, ())
    )
    return picture if fits and picture is not None and (picture.width, picture.height) == image.size else None


def _anymap(image: ImageFile.ImageFile, path: str) -> Picture | None:
    """A binary PPM, whose header Pillow has read."""
    (tile,) = image.tile
    assert isinstance(tile.args, tuple)
    most = int(tile.args[-1])
    whole = tile.offset + 6 * image.width * image.height <= Path(path).stat().st_size
    if tile.codec_name == "ppm_plain" or image.mode != "RGB" or not whole:
        return None
    return vips.raw(path, image.size, offset=tile.offset, most=most)


def _developed(image: Image.Image, path: str) -> Picture:
    from conversions.families.images import camera_raw  # an extra, which need not be installed

    with decoding():
        return vips.from_words(camera_raw.developed_bytes(path, bits=16), image.size, 3)


def _heif(path: str) -> Picture | None:
    with decoding():
        found = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)
        if found.mode not in ("RGB;16", "RGBA;16"):
            return None
        bands = 3 if found.mode == "RGB;16" else 4
        row = found.size[0] * bands * 2
        data = bytes(found.data)
        if found.stride != row:
            data = b"".join(data[at : at + row] for at in range(0, found.stride * found.size[1], found.stride))
    return vips.from_words(data, found.size, bands)


def write(
    picture: Picture,
    found: Metadata,
    metadata: Metadata,
    target: Path,
    *,
    edits: Edits,
    geometry: Geometry,
    shades: bool,
    srgb: bool,
    coding: Coding,
    warn: Warn,
) -> None:
    """Edit a deep picture, whose `geometry` is that of the upright one, and write it with `metadata`.

    Raises Unreadable where its bytes turn out to be damaged.
    """
    profile = usable_profile(found.profile, "RGB" if picture.bands > 2 else "L", warn)
    try:
        picture = vips.upright(picture, found.orientation)
        picture = vips.turned(vips.resized(picture, geometry), int(edits.rotate), edits.flip)
        if profile and (srgb or shades):
            picture, profile = vips.to_srgb(picture, profile), None
        if shades:
            picture = vips.grey(picture)
        file = deep_files.PNG if target.suffix == ".png" else deep_files.TIFF
        file(picture, target, profile, metadata, coding)
    except vips.Error as error:
        raise Unreadable("The picture is damaged or incomplete, or is a kind of file that can't be read.") from error
