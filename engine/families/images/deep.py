"""Pictures with 16 bits per channel in libvips, as Pillow has no such colour mode."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageFile

from engine.families.images import deep_files, vips
from engine.families.images.coding import Coding
from engine.families.images.edits import Edits
from engine.families.images.geometry import Geometry
from engine.families.images.heif import library as heif
from engine.families.images.metadata import Metadata, with_profile
from engine.families.images.pixels import usable_profile
from engine.families.images.reading import decoding
from engine.families.images.vips import Picture
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Warn

_SPACES = {2: ("grey16", "b-w"), 3: ("rgb16",), 4: ("rgb16",)}
"""The number of channels, with libvips' colour interpretations for it."""


def opened(image: Image.Image, number: int) -> Picture | None:
    """Page `number` of an opened picture at full bit depth, or None if libvips can't read it so.

    Raises Unreadable for damaged data, as far as that is detected before decoding.
    """
    if not isinstance(image, ImageFile.ImageFile):
        # It was decoded here to 8 bits, from bit fields that libvips does not read.
        return None
    path = str(image.filename)
    try:
        if image.format == "PNG":
            picture = vips.load(path, "png")
        elif image.format == "TIFF":
            picture = vips.load(path, "tiff", page=number)
            picture = picture if picture.format == "uchar" else vips.of_16_bits(picture)
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
        raise Unreadable(
            "The picture is damaged or incomplete, or its format is not supported.", reason="damaged"
        ) from error
    fits = (
        picture is not None and picture.format == "ushort" and picture.interpretation in _SPACES.get(picture.bands, ())
    )
    return picture if fits and picture is not None and (picture.width, picture.height) == image.size else None


def _anymap(image: ImageFile.ImageFile, path: str) -> Picture | None:
    """A binary PPM whose header Pillow has parsed."""
    (tile,) = image.tile
    assert isinstance(tile.args, tuple)
    most = int(tile.args[-1])
    whole = tile.offset + 6 * image.width * image.height <= Path(path).stat().st_size
    if tile.codec_name == "ppm_plain" or image.mode != "RGB" or not whole:
        return None
    return vips.raw(path, image.size, offset=tile.offset, most=most)


def _developed(image: Image.Image, path: str) -> Picture:
    from engine.families.images import camera_raw  # optional, and may not be installed

    with decoding():
        return vips.from_16_bit(camera_raw.developed_bytes(path, bits=16), image.size, 3)


def _heif(path: str) -> Picture | None:
    with decoding():
        found = heif.open_heif(path, convert_hdr_to_8bit=False)
        if found.mode not in ("RGB;16", "RGBA;16"):
            return None
        bands = 3 if found.mode == "RGB;16" else 4
        row = found.size[0] * bands * 2
        data = bytes(found.data)
        if found.stride != row:
            data = b"".join(data[at : at + row] for at in range(0, found.stride * found.size[1], found.stride))
    return vips.from_16_bit(data, found.size, bands)


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
    """Edit a 16-bit picture, whose `geometry` is relative to the upright one, and write it with `metadata`.

    Raises Unreadable if its data turns out to be damaged.
    """
    profile = usable_profile(found.profile, "RGB" if picture.bands > 2 else "L", warn)
    try:
        picture = vips.upright(picture, found.orientation)
        picture = vips.turned(vips.resized(picture, geometry), int(edits.rotate), edits.flip)
        if profile and (srgb or shades):
            picture, profile = vips.to_srgb(picture, profile), None
        if shades:
            picture = vips.grey(picture)
        metadata = with_profile(metadata, profile, target.suffix[1:], warn)
        file = deep_files.PNG if target.suffix == ".png" else deep_files.TIFF
        file(picture, target, profile, metadata, coding)
    except vips.Error as error:
        raise Unreadable(
            "The picture is damaged or incomplete, or its format is not supported.", reason="damaged"
        ) from error
