"""Pictures in formats that are read and not written: made by hand, or by the library that reads them all."""

from __future__ import annotations

import io
import struct
from functools import cache
from typing import Any

from PIL import Image

from tests.families.images import files as pictures

READ_ONLY = ("psd", "jp2", "tga", "qoi", "pcx", "dds", "icns", "ppm", "sgi")
NAMES = {
    "jp2": "JPEG2000", "tga": "TGA", "qoi": "QOI", "pcx": "PCX", "dds": "DDS", "ppm": "PPM", "sgi": "SGI",
}  # fmt: skip
ICON = (64, 64)
"""The size of the photo in an Apple icon, which is a square."""


def saved(image: Image.Image, format: str, **settings: Any) -> bytes:
    """`image` as a file of the format with this id."""
    if format == "psd":
        return photoshop(image)
    if format == "icns":
        return icns({64: image.resize(ICON)})
    file = io.BytesIO()
    image.copy().save(file, NAMES[format], **settings)
    data = file.getvalue()
    # The library always writes 100 dots an inch into a PCX.
    return data[:12] + struct.pack("<HH", 96, 96) + data[16:] if format == "pcx" else data


@cache
def photo(format: str) -> bytes:
    return saved(pictures.photo_image(), format)


def photoshop(
    image: Image.Image,
    *,
    layers: int = 0,
    transparent: bool = False,
    resources: tuple[tuple[int, bytes], ...] = (),
    bits: int = 8,
    selections: tuple[Image.Image, ...] = (),
) -> bytes:
    """A Photoshop document whose flattened picture is `image`, packed row by row, with as many empty layers.

    `selections` are saved ones, each a channel behind those of the picture.
    Of a `transparent` one the number of layers is negative, as Adobe's specification has it.
    """
    mode = {"1": 0, "L": 1, "LA": 1, "P": 2, "RGB": 3, "RGBA": 3, "CMYK": 4, "LAB": 9}[image.mode]
    channels = (*image.split(), *selections)
    head = struct.pack(">4sH6xHIIHH", b"8BPS", 1, len(channels), image.height, image.width, bits, mode)
    blocks = b"".join(
        struct.pack(">4sHHI", b"8BIM", id, 0, len(data)) + data + bytes(len(data) % 2) for id, data in resources
    )
    records = b""
    for _ in range(layers):
        records += struct.pack(">4iH", 0, 0, 0, 0, 0) + b"8BIMnorm" + struct.pack(">BBBBI", 255, 0, 0, 0, 12)
        records += bytes(12)
    info = struct.pack(">h", -layers if transparent else layers) + records if layers else b""
    section = struct.pack(">I", len(info)) + info if layers else b""
    counts, rows = [], []
    for number, channel in enumerate(channels):
        inverted = image.mode == "CMYK" and number < 4
        data = channel.point(lambda value: 255 - value).tobytes() if inverted else channel.tobytes()
        for y in range(image.height):
            row = data[y * image.width : (y + 1) * image.width]
            packed = b"".join(
                bytes([len(part) - 1]) + part for part in (row[at : at + 128] for at in range(0, len(row), 128))
            )
            counts.append(len(packed))
            rows.append(packed)
    return b"".join(
        (
            head, bytes(4), struct.pack(">I", len(blocks)), blocks, struct.pack(">I", len(section)), section,
            struct.pack(">H", 1), struct.pack(f">{len(counts)}H", *counts), *rows,
        )
    )  # fmt: skip


@cache
def layered() -> bytes:
    """The disc on nothing, in two layers; its colours are mixed with white, as Photoshop writes them."""
    disc = pictures.logo_image()
    disc.info["transparency"] = 0
    disc = disc.convert("RGBA")
    white = Image.new("RGBA", disc.size, (255, 255, 255, 255))
    mixed = Image.alpha_composite(white, disc)
    mixed.putalpha(disc.getchannel("A"))
    return photoshop(mixed, layers=2, transparent=True)


def icns(found: dict[int, Image.Image]) -> bytes:
    """An Apple icon of PNG pictures, by their edge."""
    kinds = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08"}
    entries = b""
    for edge, image in found.items():
        data = pictures.saved(image, "png")
        entries += kinds[edge] + struct.pack(">I", 8 + len(data)) + data
    return b"icns" + struct.pack(">I", 8 + len(entries)) + entries


@cache
def apple_icon() -> bytes:
    """A red square on nothing, in three sizes."""
    square = Image.new("RGBA", (64, 64), (0, 0, 0, 0))
    square.paste((220, 30, 30, 255), (16, 16, 48, 48))
    return icns({edge: square.resize((edge, edge), Image.Resampling.NEAREST) for edge in (16, 32, 64)})


@cache
def deep(format: str) -> bytes:
    """All red, with 16 bits a channel: a PPM, or an SGI picture."""
    values = (0xDC80, 0x1E40, 0x1E10)
    count = pictures.SIZE[0] * pictures.SIZE[1]
    if format == "ppm":
        return b"P6 # wide\n%d %d\n65535\n" % pictures.SIZE + struct.pack(">3H", *values) * count
    head = struct.pack(">HBBHHHHII", 474, 0, 2, 3, *pictures.SIZE, 3, 0, 65_535)
    return head.ljust(512, b"\0") + b"".join(struct.pack(">H", value) * count for value in values)


@cache
def surface() -> bytes:
    """The disc on nothing as a compressed texture (DXT5)."""
    disc = pictures.logo_image()
    disc.info["transparency"] = 0
    return saved(disc.convert("RGBA"), "dds", pixel_format="DXT5")


@cache
def targa() -> bytes:
    """The disc on nothing, in runs, its rows from the bottom up."""
    disc = pictures.logo_image()
    disc.info["transparency"] = 0
    return saved(disc.convert("RGBA"), "tga", compression="tga_rle", orientation=-1)


@cache
def indexed() -> bytes:
    """A PCX with a palette of 256 colours."""
    return saved(pictures.photo_image().quantize(256), "pcx")
