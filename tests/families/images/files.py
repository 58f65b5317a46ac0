"""Pictures to convert: small ones, made here, each with what is special about it."""

from __future__ import annotations

import io
import struct
from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest
from PIL import ExifTags, Image, ImageDraw

import engine.families.images.heif  # noqa: F401  # lets Pillow read HEIC, and write it where that is installed
from tests.converters.vector import SAMPLES

needs_heic = pytest.mark.skipif(not find_spec("pillow_heif"), reason="what writes HEIC is an extra")
HEIC = pytest.param("heic", marks=needs_heic)
"""The id of HEIC among the formats that are written."""

NAMES = {
    "png": "PNG", "jpg": "JPEG", "webp": "WEBP", "avif": "AVIF", "heic": "HEIF", "gif": "GIF", "bmp": "BMP",
    "tiff": "TIFF", "ico": "ICO",
}  # fmt: skip
SIZE = (64, 48)
CORNERS = {(8, 8): (220, 30, 30), (56, 8): (30, 200, 30), (8, 40): (30, 30, 220), (56, 40): (240, 240, 20)}
"""Point to colour: the middle of a block in each corner of the photo."""


def saved(image: Image.Image, format: str, **settings: Any) -> bytes:
    """`image` as a file of the format with this id."""
    file = io.BytesIO()
    if format == "ico":
        settings.setdefault("sizes", [image.size])
    if format in ("jpg", "webp", "avif", "heic"):
        settings.setdefault("quality", 95)
    if format == "jpg":
        settings.setdefault("subsampling", 0)
    if format == "avif":
        settings.setdefault("speed", 10)
    image.copy().save(file, NAMES[format], **settings)
    return file.getvalue()


@cache
def photo_image() -> Image.Image:
    """A gradient of more than 256 colours with a block of another colour in each corner."""
    image = Image.merge(
        "RGB",
        (
            Image.linear_gradient("L").resize(SIZE),
            Image.linear_gradient("L").rotate(90).resize(SIZE),
            Image.radial_gradient("L").resize(SIZE),
        ),
    )
    draw = ImageDraw.Draw(image)
    for (x, y), colour in CORNERS.items():
        draw.rectangle((x - 8, y - 8, x + 7, y + 7), fill=colour)
    return image


@cache
def photo(format: str) -> bytes:
    if format == "heic":
        return heic("photo")
    image = photo_image()
    return saved(image.quantize(256) if format == "gif" else image, format)


def exif(**tags: Any) -> Image.Exif:
    """Metadata of a camera, with a place; `tags` by name on top."""
    made = Image.Exif()
    made[ExifTags.Base.Make] = "Camera Works"
    made[ExifTags.Base.Copyright] = "A. Photographer"
    made[ExifTags.IFD.Exif] = {ExifTags.Base.DateTimeOriginal: "2024:05:06 07:08:09", ExifTags.Base.ExifImageWidth: 64}
    made[ExifTags.IFD.GPSInfo] = {ExifTags.GPS.GPSLatitudeRef: "N", ExifTags.GPS.GPSLatitude: (52.0, 31.0, 12.0)}
    for name, value in tags.items():
        made[ExifTags.Base[name]] = value
    return made


@cache
def sideways(orientation: int = 6, format: str = "jpg") -> bytes:
    """The photo as a camera on its side stores it: the pixels turned, and a note of how to turn them back."""
    back = {
        1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }[orientation]  # fmt: skip
    stored = photo_image() if back is None else photo_image().transpose(back)
    if format == "tiff":  # every other one as libtiff decodes it
        directory = {ExifTags.Base.Make: "Camera Works", ExifTags.Base.Orientation: orientation}
        return saved(stored, format, tiffinfo=directory, compression="tiff_lzw" if orientation % 2 else None)
    return saved(stored, format, exif=exif(Orientation=orientation))


@cache
def cmyk() -> bytes:
    return saved(photo_image().convert("CMYK"), "jpg")


@cache
def logo_image() -> Image.Image:
    """A red disc on nothing, hard edges, in a palette."""
    image = Image.new("P", SIZE, 0)
    image.putpalette([255, 0, 255, 220, 30, 30, 20, 20, 20])
    draw = ImageDraw.Draw(image)
    draw.ellipse((16, 8, 47, 39), fill=1)
    draw.rectangle((28, 20, 35, 27), fill=2)
    return image


@cache
def logo(format: str = "png") -> bytes:
    if format in ("png", "gif"):
        return saved(logo_image(), format, transparency=0)
    image = logo_image()
    image.info["transparency"] = 0
    return saved(image.convert("RGBA"), format)


@cache
def glass(format: str) -> bytes:
    """A blue plane that lets half of what is behind through, a clear strip on its left."""
    image = Image.new("RGBA", SIZE, (0, 0, 255, 128))
    image.paste((0, 0, 0, 0), (0, 0, 16, 48))
    return saved(image, format)


FRAMES = ((220, 30, 30), (30, 200, 30), (30, 30, 220))


@cache
def film(format: str, *, clear: bool = False) -> bytes:
    """Three frames of 200, 300 and 400 ms: a coloured block that moves, on grey or on nothing; runs three times."""
    frames = []
    for number, colour in enumerate(FRAMES):
        frame = Image.new("RGBA", SIZE, (0, 0, 0, 0) if clear else (128, 128, 128, 255))
        frame.paste((*colour, 255), (number * 20, 8, number * 20 + 16, 40))
        frames.append(frame if clear else frame.convert("RGB"))
    more: dict[str, Any] = {"disposal": 2} if format == "gif" else {"lossless": True} if format == "webp" else {}
    if format != "avif":
        more["loop"] = 2 if format == "gif" else 3
    return saved(frames[0], format, save_all=True, append_images=frames[1:], duration=[200, 300, 400], **more)


@cache
def deep_grey(format: str = "png") -> bytes:
    """16 bits a pixel, from black on the left to white on the right."""
    image = Image.new("I;16", SIZE)
    for x in range(64):
        for y in range(48):
            image.putpixel((x, y), x * 65535 // 63)
    return saved(image, format)


@cache
def deep_colour() -> bytes:
    """A PNG with 16 bits a channel (PNG, third edition), which is not a mode of the library that reads it here."""
    import zlib

    row = b"\0" + struct.pack(">HHH", 0xDC80, 0x1E40, 0x1E10) * 64

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 48, 16, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(row * 48)) + chunk(b"IEND", b"")


@cache
def heic(name: str) -> bytes:
    """A HEIC that was written once, as that needs an extra.

    `photo` is the photo, `ten-bits` is red with 10 bits a channel, `words` and `blank` are those of `recognised`.
    """
    return (SAMPLES / f"{name}.heic").read_bytes()


@cache
def high_colour() -> bytes:
    """A BMP with 16 bits a pixel (5, 6 and 5 for red, green and blue), its rows from the top down."""
    pixels = b"".join(
        struct.pack("<H", (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3)
        for red, green, blue in photo_image().get_flattened_data()
    )
    masks = struct.pack("<III", 0xF800, 0x07E0, 0x001F)
    head = struct.pack("<IiiHHIIiiII", 40, 64, -48, 1, 16, 3, len(pixels), 3780, 3780, 0, 0)
    offset = 14 + len(head) + len(masks)
    return struct.pack("<2sIHHI", b"BM", offset + len(pixels), 0, 0, offset) + head + masks + pixels


@cache
def scan() -> bytes:
    """A TIFF of three pages, as a scanner makes them: black and white, grey, colour, of different sizes."""
    grey = photo_image().convert("L")
    pages = [grey.convert("1").resize((32, 32)), grey, photo_image().copy()]
    return saved(pages[0], "tiff", save_all=True, append_images=pages[1:], dpi=(200, 200), compression="tiff_lzw")


@cache
def icon() -> bytes:
    """An icon with four sizes, the largest 64 pixels."""
    image = Image.new("RGBA", (64, 64), (0, 0, 0, 0))
    ImageDraw.Draw(image).rectangle((16, 16, 47, 47), fill=(220, 30, 30, 255))
    return saved(image, "ico", sizes=[(16, 16), (24, 24), (32, 32), (64, 64)])


SVG_HEAD = b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
DRAWING = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n'
    + SVG_HEAD
    + b'width="64" height="48" viewBox="0 0 64 48">'
    + b"".join(
        b'<rect x="%d" y="%d" width="16" height="16" fill="rgb(%d,%d,%d)"/>' % (x - 8, y - 8, *colour)
        for (x, y), colour in CORNERS.items()
    )
    + b'<text x="20" y="30" font-size="12" font-family="sans-serif">Aa</text></svg>'
)
TRAPPED = (
    SVG_HEAD
    + b'width="64" height="48" onload="alert(1)"><script>alert(1)</script>'
    + b'<image href="file:///etc/passwd" width="9" height="9"/>'
    + b'<image xlink:href="https://example.org/a.png" width="9" height="9"/>'
    + b'<rect width="64" height="48" fill="rgb(220,30,30)"/></svg>'
)


def half(data: bytes) -> bytes:
    return data[: len(data) * 3 // 5]


def start(data: bytes) -> bytes:
    """The first bytes of a picture, by which its format is known and no row of pixels."""
    return data[:12]
