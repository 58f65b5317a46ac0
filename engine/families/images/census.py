"""Register what is counted in pictures, by format."""

from __future__ import annotations

import functools
from pathlib import Path

from engine.toolkit.census import TAGS, Census, Counting
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
from engine.toolkit.thumbnails import Thumbnail

KINDS = TAGS | {"frames", "pages", "channels", "bits", "transparency", "profiles", "ranges", "gains", "looks"}
_MODULES = ("engine.families.images.counting.whole", "engine.families.images.counting.thumbnails")


def _count(path: Path, *, format: Format) -> Census:
    from engine.families.images.counting import whole

    return whole.count(path, format)


def _thumbnails(path: Path, *, format: Format) -> list[Thumbnail]:
    from engine.families.images.counting import thumbnails

    return thumbnails.thumbnails(path, format)


def _counting(format: Format, kinds: frozenset[str] = KINDS) -> Counting:
    thumbnails = functools.partial(_thumbnails, format=format)
    return Counting(functools.partial(_count, format=format), kinds, modules=_MODULES, thumbnails=thumbnails)


COUNTINGS = {
    each: _counting(each)
    for each in (PNG, JPG, GIF, WEBP, AVIF, HEIC, JP2, TIFF, BMP, ICO, ICNS, PSD, TGA, QOI, PCX, DDS, PPM, SGI)
} | {JXL: _counting(JXL, frozenset({"exif", "xmp", "gains", "looks"}))}
