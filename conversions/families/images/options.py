"""Options of pictures: small groups of settings that the image and PDF converters put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conversions.toolkit.options import option

PAGES = r"[0-9]{1,6}(-([0-9]{1,6})?)?(,[0-9]{1,6}(-([0-9]{1,6})?)?)*"
COLOUR = r"#[0-9A-Fa-f]{6}"

Fit = Literal["inside", "cover", "fill"]
Effort = Literal["fast", "balanced", "small"]


@dataclass(frozen=True)
class Box:
    """The wanted size."""

    width: int | None = option(
        None, "Width of the result in pixels; if not given, it follows from the height.", minimum=1, maximum=16383
    )
    height: int | None = option(
        None, "Height of the result in pixels; if not given, it follows from the width.", minimum=1, maximum=16383
    )
    fit: Literal["inside", "cover", "fill"] = option(
        "inside",
        "What to do if both width and height are given: 'inside' keeps the whole picture, 'cover' fills the "
        "area and crops the rest, 'fill' stretches the picture.",
    )


@dataclass(frozen=True)
class Enlarge:
    """Whether `Box` may enlarge."""

    enlarge: bool = option(False, "Allow the picture to become larger than it is.")


@dataclass(frozen=True)
class Background:
    """What transparency is laid onto."""

    background: str = option("#ffffff", "Colour behind transparent parts, as #rrggbb.", pattern=COLOUR, max_length=7)


@dataclass(frozen=True)
class Tags:
    """What is written beside the pixels."""

    color_profile: Literal["keep", "srgb"] = option(
        "keep", "Keep the embedded colour profile, or convert the colours to sRGB."
    )
    metadata: Literal["keep", "stripGps", "strip"] = option(
        "keep", "Keep the metadata (camera, date, place), keep it without the place, or remove it."
    )


@dataclass(frozen=True)
class Pages:
    """Which pages of a document."""

    pages: str | None = option(
        None, "Pages to convert, such as 1-3,5 or 4-; all if not given.", pattern=PAGES, max_length=200
    )


@dataclass(frozen=True)
class Quality:
    """Lossy compression."""

    quality: int = option(80, "Quality from 1 (smallest file) to 100 (best picture).", minimum=1, maximum=100)


@dataclass(frozen=True)
class Work:
    """Time against size."""

    effort: Literal["fast", "balanced", "small"] = option(
        "balanced", "Finish quickly, or take more time to make the file smaller."
    )


@dataclass(frozen=True)
class PngCoding(Work):
    """How a PNG is written."""


@dataclass(frozen=True)
class JpgCoding(Background, Work, Quality):
    """How a JPEG is written."""

    quality: int = option(85, "Quality from 1 (smallest file) to 100 (best picture).", minimum=1, maximum=100)


@dataclass(frozen=True)
class WebpCoding(Work, Quality):
    """How a WebP is written."""

    lossless: bool = option(False, "Keep every pixel exactly; quality is then ignored.")


@dataclass(frozen=True)
class AvifCoding(Work, Quality):
    """How an AVIF is written."""

    quality: int = option(60, "Quality from 1 (smallest file) to 100 (best picture).", minimum=1, maximum=100)


@dataclass(frozen=True)
class GifCoding(Background):
    """How a GIF is written."""

    dither: bool = option(True, "Mix dots of the 256 available colours to approximate the others (dithering).")


@dataclass(frozen=True)
class BmpCoding(Background):
    """How a BMP is written."""


@dataclass(frozen=True)
class TiffCoding:
    """How a TIFF is written."""

    compression: Literal["lzw", "deflate", "none"] = option(
        "lzw", "Lossless compression: lzw opens everywhere, deflate is smaller, none is plain."
    )


_EDGE = "(?:[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-6])"
"""A whole number from 1 to 256: the format has a byte for an edge, in which 0 is 256."""


@dataclass(frozen=True)
class IcoCoding:
    """How a Windows icon is written."""

    sizes: str = option(
        "16,24,32,48,64,128,256",
        "Sizes of the pictures in the icon, in pixels, from 1 to 256; sizes larger than the picture are left out.",
        pattern=rf"{_EDGE}(,{_EDGE}){{0,11}}",
        max_length=60,
    )


@dataclass(frozen=True)
class PdfPage:
    """How pictures are put on the pages of a PDF."""

    page_size: Literal["picture", "A3", "A4", "A5", "Letter", "Legal"] = option(
        "picture", "Paper size; 'picture' makes each page as large as its picture."
    )
    orientation: Literal["auto", "portrait", "landscape"] = option(
        "auto", "Portrait or landscape; 'auto' follows the picture."
    )
    margin: float = option(0.0, "White margin around each picture, in millimetres.", minimum=0, maximum=100)
    dpi: int | None = option(
        None,
        "Pixels per inch, which set how large the picture is on the page. If not given, the picture's own "
        "value is used; without one it fills the page.",
        minimum=10,
        maximum=2400,
    )
