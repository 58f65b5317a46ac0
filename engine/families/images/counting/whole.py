"""Count a picture file of any format by its headers."""

from __future__ import annotations

from pathlib import Path

from engine.families.images.counting import boxes, gif_blocks, heads, streams, tags
from engine.toolkit.census import Census
from engine.toolkit.formats import (
    AVIF,
    BMP,
    DDS,
    GIF,
    HEIC,
    ICNS,
    ICO,
    JP2,
    JPG,
    JXL,
    PCX,
    PNG,
    PPM,
    PSD,
    QOI,
    SGI,
    TGA,
    TIFF,
    WEBP,
    Format,
)

_HEADS = {
    PNG: streams.png,
    JPG: streams.jpeg,
    GIF: gif_blocks.gif,
    WEBP: streams.webp,
    AVIF: boxes.isobmff,
    HEIC: boxes.isobmff,
    JP2: boxes.jpeg2000,
    JXL: boxes.jpegxl,
    TIFF: tags.tiff,
    BMP: heads.bmp,
    ICO: heads.ico,
    ICNS: heads.icns,
    PSD: heads.psd,
    TGA: heads.tga,
    QOI: heads.qoi,
    PCX: heads.pcx,
    DDS: heads.dds,
    PPM: heads.ppm,
    SGI: heads.sgi,
}


def count(path: Path, format: Format) -> Census:
    """Return the census of a picture file."""
    return _HEADS[format](path.read_bytes()).census()
