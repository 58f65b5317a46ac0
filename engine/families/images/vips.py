"""Configure libvips and pass pictures to it and back."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

# Read when the library starts, and again by its C code: it must be set before the import.
os.environ["VIPS_CONCURRENCY"] = "1"

import pyvips
from PIL import Image

from engine.families.images.geometry import Geometry
from engine.toolkit import own_fonts

pyvips.cache_set_max(0)
own_fonts.configure()  # read when the first text is drawn


Error: type[Exception] = pyvips.Error
Picture: TypeAlias = Any
"""A libvips image; the binding has no type hints."""

_DPI = 96
"""CSS pixels per inch (CSS Values 3, 5.2)."""

_WHITE = 65_535
_ROTATIONS = {90: "d90", 180: "d180", 270: "d270"}
_UPRIGHT = {
    2: (0, "horizontal"), 3: (180, "none"), 4: (0, "vertical"), 5: (90, "horizontal"), 6: (90, "none"),
    7: (270, "horizontal"), 8: (270, "none"),
}  # fmt: skip
"""Exif orientation to the clockwise degrees and then the mirroring that undo it."""


def drawing(data: bytes, scale: float = 1.0) -> Picture:
    """An SVG at `scale` times its own size; nothing is drawn before its pixels are requested. Raises Error."""
    # a point is a pixel here
    return pyvips.Image.svgload_buffer(data, dpi=_DPI, unlimited=True, scale=scale * 72 / _DPI)


def from_pillow(image: Image.Image) -> Picture:
    """A picture with 8 bits per channel, whose mode is L, LA, RGB or RGBA."""
    bands = len(image.getbands())
    made = pyvips.Image.new_from_memory(image.tobytes(), *image.size, bands, "uchar")
    return made.copy(interpretation="srgb" if bands > 2 else "b-w")


def to_pillow(image: Picture) -> Image.Image:
    """The same picture in Pillow; it must have 8 bits and up to four channels."""
    mode = ("L", "LA", "RGB", "RGBA")[image.bands - 1]
    return Image.frombytes(mode, (image.width, image.height), image.write_to_memory())


def load(path: str, kind: str, **options: int) -> Picture:
    """A picture from a file that one loader reads (`png`, `tiff`, `heif`), loaded once its pixels are requested."""
    picture: Picture = getattr(pyvips.Image, f"{kind}load")(path, memory=True, fail_on="warning", **options)
    return picture


def reencoded_jpeg(path: str, size: tuple[int, int], *, quality: int, fine: bool) -> bytes:
    """A JPEG of the same pixels without tags; if `fine`, without chroma subsampling.

    Raises Error for one that is damaged in any way.
    """
    picture = pyvips.Image.jpegload(path, access="sequential", fail_on="warning")
    if (picture.width, picture.height) != size:
        raise pyvips.Error("not the picture that was opened")
    data: bytes = picture.jpegsave_buffer(Q=quality, keep="none", subsample_mode="off" if fine else "on")
    return data


def raw(path: str, size: tuple[int, int], *, offset: int, most: int) -> Picture:
    """Big-endian pixels with 16 bits per channel and the maximum value `most`."""
    words = pyvips.Image.rawload(path, *size, 3, offset=offset, format="ushort", interpretation="rgb16").byteswap()
    if most == _WHITE:
        return words
    scaled: Picture = (words * (_WHITE / most) + 0.5).cast("ushort")
    return scaled.copy(interpretation="rgb16")


def from_16_bit(data: bytes, size: tuple[int, int], bands: int) -> Picture:
    """Pixels with 16 bits per channel, in native byte order."""
    return pyvips.Image.new_from_memory(data, *size, bands, "ushort").copy(interpretation="rgb16")


_FULL = {"uchar": (0, 255), "char": (-128, 127), "short": (-32_768, 32_767)}


def of_16_bits(picture: Picture) -> Picture:
    """`picture` with 16 bits per channel, whatever its samples are.

    Floating-point ones and those of 32 bits have no usual range: that of a screen (0 to 1), of 8 bits or of 16 bits is
    taken if all fit it, else their own lowest and highest value become black and white.
    """
    if picture.format == "ushort":
        return picture
    low, high = _FULL.get(picture.format) or _range(picture)
    scaled: Picture = ((picture - low) * (_WHITE / ((high - low) or 1)) + 0.5).cast("ushort")
    return scaled.copy(interpretation="rgb16" if picture.bands > 2 else "grey16")


def _range(picture: Picture) -> tuple[float, float]:
    low, high = picture.min(), picture.max()
    highest = next((each for each in (1, 255, _WHITE) if high <= each), None)
    return (0, highest) if low >= 0 and highest is not None else (low, high)


def turned(picture: Picture, degrees: int, flip: str) -> Picture:
    """`picture` rotated clockwise, then mirrored (`horizontal`, `vertical` or `none`)."""
    if degrees:
        picture = picture.rot(_ROTATIONS[degrees])
    return picture if flip == "none" else picture.flip(flip)


def upright(picture: Picture, orientation: int) -> Picture:
    """`picture` upright according to its Exif orientation."""
    return turned(picture, *_UPRIGHT.get(orientation, (0, "none")))


def resized(picture: Picture, geometry: Geometry) -> Picture:
    """`picture` cropped and scaled with a Lanczos filter, its colours weighted by opacity."""
    left, top, right, bottom = (round(edge) for edge in geometry.crop)
    size = max(1, right - left), max(1, bottom - top)
    if size != (picture.width, picture.height):
        picture = picture.extract_area(left, top, *size)
    if size == geometry.size:
        return picture
    across, down = geometry.size[0] / size[0], geometry.size[1] / size[1]
    space = picture.interpretation
    clear = picture.bands in (2, 4)
    picture = picture.cast("float")  # with integers the filter's weights would be rounded, too
    if clear:
        picture = picture.premultiply(max_alpha=_WHITE)
    picture = picture.resize(across, vscale=down, kernel="lanczos3")
    if clear:
        picture = picture.unpremultiply(max_alpha=_WHITE)
    scaled: Picture = picture.rint().cast("ushort").copy(interpretation=space)
    return scaled


def to_srgb(picture: Picture, profile: bytes) -> Picture:
    """`picture`, whose colours `profile` describes, in sRGB."""
    picture = picture.copy()
    picture.set_type(pyvips.GValue.blob_type, "icc-profile-data", profile)
    converted: Picture = picture.icc_transform(
        "srgb", embedded=True, depth=16, intent="relative", black_point_compensation=True
    )
    return converted


def grey(picture: Picture) -> Picture:
    """Greyscale, weighted like Pillow's (ITU-R BT.601); transparency is kept."""
    if picture.bands < 3:
        return picture
    shades = picture[:3].recomb([[0.299, 0.587, 0.114]]).rint().cast("ushort")
    shades = shades.bandjoin(picture[3]) if picture.bands == 4 else shades
    result: Picture = shades.copy(interpretation="grey16")
    return result
