"""Reading pictures: opening exactly the claimed format, and telling a damaged file from a fault of ours."""

from __future__ import annotations

import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from conversions.families.images import bitmaps, codecs, decoders, photoshop, planes
from conversions.toolkit.failures import OverLimit, Unreadable
from conversions.toolkit.picture_limits import MAX_PIXELS, check_pixels

Image.MAX_IMAGE_PIXELS = MAX_PIXELS

NAMES = {
    "png": "PNG",
    "jpg": "JPEG",
    "webp": "WEBP",
    "avif": "AVIF",
    "heic": "HEIF",
    "gif": "GIF",
    "bmp": "BMP",
    "tiff": "TIFF",
    "ico": "ICO",
    "psd": "PSD",
    "jp2": "JPEG2000",
    "tga": "TGA",
    "qoi": "QOI",
    "pcx": "PCX",
    "dds": "DDS",
    "icns": "ICNS",
    "ppm": "PPM",
    "sgi": "SGI",
    "jxl": "JXL",
    "raw": "RAW",
}
"""Format id to the decoder's name. Only that one decoder sees the bytes: some others start programs."""

DAMAGED = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    EOFError,
    ArithmeticError,
    AttributeError,
    AssertionError,
    RuntimeError,
    struct.error,
    zlib.error,
)
"""What decoders raise for broken bytes, by what they document and by mutated files; MemoryError is not among them."""


@contextmanager
def decoding() -> Iterator[None]:
    """Whatever a decoder raises inside for its input's sake leaves as Unreadable or OverLimit."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            yield
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise OverLimit(
            "memory", f"The picture has more pixels than the {MAX_PIXELS // 1_000_000} million that are converted."
        ) from error
    except DAMAGED as error:
        raise Unreadable("The picture is damaged or incomplete, or is a kind of file that can't be read.") from error


@contextmanager
def opened(source: Path) -> Iterator[Image.Image]:
    """The picture in `source`, whose extension is its format's id; only its header has been read.

    Raises Unreadable for a file that is not of that format, OverLimit for one with too many pixels.
    """
    format = source.suffix[1:]
    codecs.load(format)
    if format == "psd":
        photoshop.check(source)
    with decoding():
        bitmap = format == "bmp"
        image = bitmaps.opened(source) if bitmap else Image.open(source, formats=[NAMES[format]])
    with image:
        check_pixels(*image.size, read_as=format)
        with decoding():
            decoders.prepare(image)
        planes.check(image)
        yield image


def seek(image: Image.Image, frame: int) -> None:
    """Go to a frame or page, counted from 0; raises as load() does."""
    with decoding():
        image.seek(frame)
        # A later directory may claim another size than the first one did.
        Image._decompression_bomb_check(image.size)
    planes.check(image)


def load(image: Image.Image) -> None:
    """Decode the current frame of `image`.

    Raises Unreadable where the bytes are damaged or end early, OverLimit for a nested picture with too many pixels.
    """
    with decoding():
        planes.prepare(image)
        image.load()


def frame_count(image: Image.Image) -> int:
    """How many frames or pages the file has, or layers beside its picture; reads its structure, not its pixels."""
    with decoding():
        if image.format == "PSD":
            return abs(photoshop.layers(image))
        return int(getattr(image, "n_frames", 1))
