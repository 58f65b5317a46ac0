"""Pictures inside the page: which of them are drawn, and what is wrong with the others."""

from __future__ import annotations

import codecs
from io import BytesIO

from PIL import Image, UnidentifiedImageError
from PIL.AvifImagePlugin import AvifImageFile
from PIL.BmpImagePlugin import BmpImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.IcoImagePlugin import IcoImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.TiffImagePlugin import TiffImageFile
from PIL.WebPImagePlugin import WebPImageFile

# The readers are imported: asked for one that is not loaded, Pillow loads all that it has.
FORMATS = tuple(
    each.format
    for each in (
        PngImageFile, JpegImageFile, GifImageFile, WebPImageFile, AvifImageFile, BmpImageFile, TiffImageFile,
        IcoImageFile,
    )
)  # fmt: skip
"""What a picture may be; any other that Pillow knows may start a program."""
MOST_PIXELS = 25_000_000
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def is_svg(data: bytes) -> bool:
    """Whether the bytes may be an SVG: text that begins with a tag, or is compressed; no other picture does."""
    head = data[:1024]
    return head.startswith(_MARKS) or head.lstrip().startswith((b"<", b"\x1f\x8b"))


def fault(data: bytes) -> str | None:
    """Why a picture can't be drawn, for the user; None where it can."""
    if is_svg(data):
        from conversions.families.html_pdf.svg import svg_root  # for the few pages that have one

        return None if svg_root(data) is not None else "it is no SVG that can be drawn"
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as picture:
            width, height = picture.size
    except Image.DecompressionBombError:
        return "it has too many pixels"
    except (
        UnidentifiedImageError,
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        TypeError,
        ZeroDivisionError,
        IndexError,
    ):
        return "it is damaged or of an unknown format"
    return "it has too many pixels" if width * height > MOST_PIXELS else None
