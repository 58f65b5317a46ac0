"""Groups of picture options, combined by the image and PDF converters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.toolkit.census import EVERYTHING, TAGS
from engine.toolkit.options import option

PAGES = r"[0-9]{1,6}(-([0-9]{1,6})?)?(,[0-9]{1,6}(-([0-9]{1,6})?)?)*"
COLOUR = r"#[0-9A-Fa-f]{6}"
ORIENTATIONS = {
    "auto": "Automatic: Whichever fits better.",
    "portrait": "Portrait: Upright.",
    "landscape": "Landscape: Wide.",
}

Fit = Literal["inside", "cover", "smart", "fill"]
Turn = Literal["0", "90", "180", "270"]
Flip = Literal["none", "horizontal", "vertical"]
Effort = Literal["fast", "balanced", "small"]
_LOOKS = frozenset({"looks"})


@dataclass(frozen=True)
class Box:
    """The requested size."""

    width: int | None = option(
        None,
        "Width of the result in pixels. If not given, it follows the height.",
        minimum=1,
        maximum=16383,
        unit="px",
    )
    height: int | None = option(
        None,
        "Height of the result in pixels. If not given, it follows the width.",
        minimum=1,
        maximum=16383,
        unit="px",
    )
    fit: Literal["inside", "cover", "smart", "fill"] = option(
        "inside",
        "How to fit both width and height: 'inside' keeps the whole picture, 'cover' fills the "
        "area and crops evenly, 'smart' crops around what draws the eye, 'fill' stretches the "
        "picture.",
        choices={
            "inside": "Fit inside, no cropping: The whole picture, no larger than width and height.",
            "cover": "Fill and crop evenly: Exactly width by height; the excess is cut off on both sides.",
            "smart": "Fill and crop around the subject: Exactly width by height; keeps the most eye-catching part.",
            "fill": "Stretch: Exactly width by height; the picture is distorted.",
        },
        selects=_LOOKS,
    )


@dataclass(frozen=True)
class Enlarge:
    """Whether `Box` may enlarge."""

    enlarge: bool = option(False, "Allow the picture to be enlarged.")


_LENGTH = "(?:[0-9]{1,5}|(?:100|[0-9]{1,2})(?:\\.[0-9]{1,2})?%)"


@dataclass(frozen=True)
class Edit:
    """The region of the picture, its rotation and mirroring, applied after its Exif orientation."""

    crop: str | None = option(
        None,
        "Area to keep, as left,top,width,height in pixels or percent, such as 100,50,640,480 or "
        "10%,10%,80%,80%. Applied before everything else.",
        pattern=rf"{_LENGTH}(?:,{_LENGTH}){{3}}",
        max_length=40,
        shape="crop",
        selects=_LOOKS,
    )
    rotate: Literal["0", "90", "180", "270"] = option(
        "0",
        "Degrees to rotate the picture clockwise.",
        choices={
            "0": "No: As it is.",
            "90": "A quarter to the right: 90 degrees clockwise.",
            "180": "Upside down: 180 degrees.",
            "270": "A quarter to the left: 270 degrees clockwise.",
        },
        shape="turn",
        selects=_LOOKS,
    )
    flip: Literal["none", "horizontal", "vertical"] = option(
        "none",
        "Mirror the rotated picture: 'horizontal' swaps left and right, 'vertical' top and bottom.",
        choices={
            "none": "No: As it is.",
            "horizontal": "Left and right: As in a wall mirror.",
            "vertical": "Top and bottom: As reflected in water.",
        },
        shape="mirror",
        selects=_LOOKS,
    )
    grayscale: bool = option(
        False, "Convert all colours to shades of grey.", selects=_LOOKS | {"channels", "profiles", "ranges"}
    )


@dataclass(frozen=True)
class TargetSize:
    """The maximum size of the file."""

    target_size: int | None = option(
        None,
        "Maximum file size in kilobytes (1,000 bytes). The best quality that fits is used, up to the quality given.",
        minimum=1,
        maximum=100_000,
        unit="kB",
    )


@dataclass(frozen=True)
class Scale:
    """The factor applied to a drawing's own size, before a width or a height."""

    scale: float = option(1.0, "Scale factor for the drawing's own size.", minimum=0.01, maximum=100)
    dpi: int | None = option(
        None,
        "Pixels per inch: 96 maps CSS pixels one to one, 300 suits print. Multiplied by the scale.",
        minimum=10,
        maximum=2400,
        unit="px/in",
    )


@dataclass(frozen=True)
class Background:
    """The background for transparency."""

    background: str = option(
        "#ffffff",
        "Colour behind transparent parts, as #rrggbb.",
        pattern=COLOUR,
        max_length=7,
        shape="colour",
        selects=_LOOKS,
    )


@dataclass(frozen=True)
class Tags:
    """The metadata to keep."""

    color_profile: Literal["keep", "srgb"] = option(
        "keep",
        "Keep the embedded colour profile, or convert the colours to sRGB.",
        choices={
            "keep": "Keep it: Colours as the camera or program intended.",
            "srgb": "Convert to sRGB: Looks the same on every screen, even where profiles are ignored.",
        },
    )
    metadata: Literal["keep", "stripGps", "strip"] = option(
        "keep",
        "Keep the metadata (camera, date, place), keep it without the place, or remove it.",
        choices={
            "keep": "Keep all: Camera, date, place and author are kept.",
            "stripGps": "Remove the place: The place is removed, the rest is kept.",
            "strip": "Remove all: Only the picture is kept.",
        },
        selects=TAGS,
    )


@dataclass(frozen=True)
class Pages:
    """The pages of a document."""

    pages: str | None = option(
        None,
        "Pages to convert, such as 1-3,5 or 4-. Leave empty for all.",
        pattern=PAGES,
        max_length=200,
        shape="pages",
        selects=EVERYTHING,
    )


@dataclass(frozen=True)
class Quality:
    """Lossy compression."""

    quality: int = option(80, "Quality from 1 (smallest file) to 100 (best picture).", minimum=1, maximum=100)


@dataclass(frozen=True)
class Work:
    """The trade-off between time and size."""

    effort: Literal["fast", "balanced", "small"] = option(
        "balanced",
        "Work fast, or take more time for a smaller file.",
        choices={
            "fast": "Fast: Faster, slightly larger file.",
            "balanced": "Balanced: Balances speed and size.",
            "small": "Small: Smallest file at this quality; takes longer.",
        },
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
class HeicCoding(Work, Quality):
    """How a HEIC is written."""

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
        "lzw",
        "Lossless compression: lzw opens everywhere, deflate is smaller, none is uncompressed.",
        choices={
            "lzw": "LZW: Opens everywhere.",
            "deflate": "Deflate: Smaller; some older programs can't read it.",
            "none": "None: Uncompressed and large; opens everywhere.",
        },
    )


_EDGE = "(?:[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-6])"
"""A whole number from 1 to 256: the format stores an edge in one byte, in which 0 is 256."""


@dataclass(frozen=True)
class IcoCoding:
    """How a Windows icon is written."""

    sizes: str = option(
        "16,24,32,48,64,128,256",
        "Sizes of the pictures in the icon, from 1 to 256 pixels. Sizes larger than a "
        "pixel-based picture are left out.",
        pattern=rf"{_EDGE}(,{_EDGE}){{0,11}}",
        max_length=60,
    )


@dataclass(frozen=True)
class Assembly:
    """The timing of pictures as frames."""

    delay: int = option(
        100,
        "Duration of each frame in milliseconds. A file name ending such as -250ms.png sets it for that frame.",
        minimum=10,
        maximum=60_000,
    )
    repeat: int = option(0, "How many times the animation plays; 0 loops forever.", minimum=0, maximum=65_535)


@dataclass(frozen=True)
class Tracing(Background):
    """The tracing of a raster picture."""

    colors: Literal["color", "bw"] = option(
        "color",
        "Trace areas of colour, or only black.",
        choices={
            "color": "Colours: Areas of each colour become shapes.",
            "bw": "Black only: For black-on-white logos, drawings and scans.",
        },
    )
    detail: Literal["low", "medium", "high"] = option(
        "medium",
        "Level of detail: 'high' follows small colour differences and makes a larger file.",
        choices={
            "low": "Low: Few large areas and a small file.",
            "medium": "Medium: Between the two.",
            "high": "High: Follows small differences of colour; a large file.",
        },
    )
    curves: Literal["smooth", "polygon", "pixels"] = option(
        "smooth",
        "Outlines as curves, straight lines, or along pixel edges.",
        choices={
            "smooth": "Smooth: Smooth curves.",
            "polygon": "Straight lines: Outlines with corners.",
            "pixels": "Pixels: Follows the pixel edges exactly.",
        },
    )
    threshold: int = option(
        128,
        "For black and white: the brightness from 1 to 255 at which a pixel becomes white.",
        minimum=1,
        maximum=255,
    )


@dataclass(frozen=True)
class PdfPage:
    """The layout of pictures on the pages of a PDF."""

    page_size: Literal["picture", "A3", "A4", "A5", "Letter", "Legal"] = option(
        "picture",
        "Paper size; 'picture' makes each page as large as its picture.",
        choices={
            "picture": "As large as the picture: No margin unless you set one.",
            "A3": "A3: 297 by 420 mm.",
            "A4": "A4: 210 by 297 mm, standard in most countries.",
            "A5": "A5: 148 by 210 mm.",
            "Letter": "Letter: 8.5 by 11 inches, standard in North America.",
            "Legal": "Legal: 8.5 by 14 inches.",
        },
    )
    orientation: Literal["auto", "portrait", "landscape"] = option(
        "auto",
        "Portrait or landscape; 'auto' follows the picture.",
        choices=ORIENTATIONS,
    )
    margin: float = option(0.0, "White margin around each picture, in millimetres.", minimum=0, maximum=100, unit="mm")
    dpi: int | None = option(
        None,
        "Pixels per inch, which set the size of the picture on the page. If not given, the "
        "picture's own value is used; without one, it fills the page.",
        minimum=10,
        maximum=2400,
        unit="px/in",
    )
