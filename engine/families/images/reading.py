"""Open pictures in exactly the declared format, and tell damaged files from bugs."""

from __future__ import annotations

import re
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from engine.families.images import big_tiffs, bitmaps, codecs, colour_maps, decoders, partial, photoshop, planes
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.picture_limits import MAX_PIXELS, check_pixels
from engine.toolkit.warnings import Warn

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
"""Decoder names by format id. Only this decoder sees the bytes: some others start programs."""

_HEAD = 1 << 16
_SIZE = re.compile(rb"\0\0\0\x14ispe\0{4}(.{8})", re.DOTALL)

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
"""The exceptions of decoders for damaged files, as documented and found by mutating files; not MemoryError."""


@contextmanager
def decoding() -> Iterator[None]:
    """Turn decoder errors caused by the input into Unreadable or OverLimit."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            yield
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise OverLimit(
            "memory",
            say(
                "The picture has more than {max_pixels} million pixels.",
                max_pixels=MAX_PIXELS // 1_000_000,
            ),
        ) from error
    except DAMAGED as error:
        raise Unreadable(
            "The picture is damaged or incomplete, or its format is not supported.", reason="damaged"
        ) from error


@contextmanager
def opened(source: Path) -> Iterator[Image.Image]:
    """Open the picture in `source`, whose extension is its format's id, reading only its header.

    Raises Unreadable for a file that is not of that format, OverLimit for too many pixels.
    """
    format = source.suffix[1:]
    codecs.load(format)
    if format == "psd":
        photoshop.check(source)
    if format == "avif":
        _check_declared(source)
    with decoding():
        if format == "tiff":
            source = big_tiffs.readable(source)
        bitmap = format == "bmp"
        image = bitmaps.opened(source) if bitmap else Image.open(source, formats=[NAMES[format]])
    with image:
        check_pixels(*image.size, read_as=format)
        with decoding():
            decoders.prepare(image)
        planes.check(image)
        yield image


def _check_declared(source: Path) -> None:
    """Raise OverLimit if an AVIF says that it has too many pixels, which its decoder takes for damage.

    The size is in an `ispe` box of 20 bytes (ISO/IEC 23008-12, 6.5.3), before the pixels.
    """
    with source.open("rb") as file:
        head = file.read(_HEAD).partition(b"mdat")[0]
    for found in _SIZE.finditer(head):
        check_pixels(*struct.unpack(">II", found[1]), read_as="avif")


def seek(image: Image.Image, frame: int) -> None:
    """Go to a frame or page, from 0; raises as load() does."""
    with decoding():
        image.seek(frame)
        # A later directory may declare a different size.
        Image._decompression_bomb_check(image.size)
    planes.check(image)


def load(image: Image.Image, warn: Warn) -> None:
    """Decode the current frame of `image`, as far as it is there.

    Raises Unreadable if no row of pixels can be decoded, OverLimit for an embedded picture with too many pixels.
    """
    with decoding():
        planes.prepare(image)
        colour_maps.prepare(image)
        try:
            image.load()
        except DAMAGED:
            if not partial.load(image):
                raise
        decoders.finish(image)
    partial.report(image, warn)


def frame_count(image: Image.Image) -> int:
    """The number of frames or pages in the file, or of layers besides its picture, without decoding pixels."""
    with decoding():
        if image.format == "PSD":
            return abs(photoshop.layers(image))
        return int(getattr(image, "n_frames", 1))
