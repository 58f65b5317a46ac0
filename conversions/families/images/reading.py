"""Reading pictures: opening exactly the claimed format, and telling a damaged file from a fault of ours."""

from __future__ import annotations

import re
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image, ImageFile

from conversions.families.images import bitmaps, codecs
from conversions.toolkit.failures import OverLimit, Unreadable
from conversions.toolkit.formats import HEAD_BYTES
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

_HIGH_DEPTH = 0x40
"""In the third byte of an AV1 configuration box: more than 8 bits (AV1-ISOBMFF, 2.3.3)."""

_WIDE = re.compile(";16[BLN]")
"""In the decoder's name of how pixels are packed: 16 bits a channel, in whatever order of bytes."""


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
    codecs.load(source.suffix[1:])
    with decoding():
        bitmap = source.suffix == ".bmp"
        image = bitmaps.opened(source) if bitmap else Image.open(source, formats=[NAMES[source.suffix[1:]]])
    with image:
        check_pixels(*image.size)
        yield image


def seek(image: Image.Image, frame: int) -> None:
    """Go to a frame or page, counted from 0; raises as load() does."""
    with decoding():
        image.seek(frame)
        # A later directory may claim another size than the first one did.
        Image._decompression_bomb_check(image.size)


def load(image: Image.Image) -> None:
    """Decode the current frame of `image`.

    Raises Unreadable where the bytes are damaged or end early, OverLimit for a nested picture with too many pixels.
    """
    with decoding():
        image.load()


def frame_count(image: Image.Image) -> int:
    """How many frames or pages the file has; reads its structure, not its pixels."""
    with decoding():
        return int(getattr(image, "n_frames", 1))


def is_deep(image: Image.Image) -> bool:
    """Whether an opened, not yet decoded picture has colours of more than 8 bits a channel, which become 8.

    Grey of 16 bits is a mode of its own and does not count.
    """
    if image.format in ("HEIF", "BMP"):
        return int(image.info.get("bit_depth", 8)) > 8
    if image.format == "AVIF":
        assert isinstance(image, ImageFile.ImageFile)
        with Path(str(image.filename)).open("rb") as file:
            head = file.read(HEAD_BYTES)
        at = head.find(b"av1C")
        return 0 <= at < len(head) - 6 and bool(head[at + 6] & _HIGH_DEPTH)
    return not image.mode.startswith("I") and any(_WIDE.search(str(tile.args)) for tile in getattr(image, "tile", ()))
