"""Read and write 16-bit pictures with libvips, including their metadata."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from PIL import ExifTags

from engine.families.images import described_profiles
from engine.families.images.coding import PNG_LEVEL, Coding
from engine.families.images.metadata import Metadata
from engine.families.images.tiff_directories import nest
from engine.families.images.vips import Picture

_COMPRESSION = {"lzw": "lzw", "deflate": "deflate", "none": "none"}
_HEAD = 33
"""The length of a PNG's signature and header chunk."""

_METRE = 0.0254
_INCH_MM = 25.4
_NESTED = (ExifTags.IFD.Exif, ExifTags.IFD.GPSInfo)


def PNG(picture: Picture, target: Path, profile: bytes | None, metadata: Metadata, coding: Coding) -> None:
    """Write a PNG with 16 bits per channel."""
    plain = target.with_name("plain.png")
    picture.pngsave(str(plain), bitdepth=16, compression=PNG_LEVEL[coding.effort], keep="none")
    with plain.open("rb") as source, target.open("wb") as file:
        file.write(source.read(_HEAD))
        file.writelines(_chunks(profile, metadata))
        while block := source.read(1 << 20):
            file.write(block)
    plain.unlink()


def _chunks(profile: bytes | None, metadata: Metadata) -> Iterator[bytes]:
    """The chunks before the pixels (PNG, third edition, 5.6)."""
    if metadata.points:
        yield _chunk(*described_profiles.chunk(metadata.points))
    if profile:
        yield _chunk(b"iCCP", b"ICC Profile\0\0" + zlib.compress(profile))
    if metadata.dpi:
        across, down = (round(dots / _METRE) for dots in metadata.dpi)
        yield _chunk(b"pHYs", struct.pack(">IIB", across, down, 1))
    if metadata.exif:
        yield _chunk(b"eXIf", metadata.exif_data().removeprefix(b"Exif\0\0"))
    if metadata.xmp:
        yield _text("XML:com.adobe.xmp", metadata.xmp.decode("utf-8", "replace"))
    for key, value in metadata.text:
        yield _text(key, value)


def _text(key: str, value: str) -> bytes:
    name = key.encode("latin-1", "replace")[:79]
    return _chunk(b"iTXt", name + b"\0\0\0\0\0" + value.encode("utf-8", "replace"))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def TIFF(picture: Picture, target: Path, profile: bytes | None, metadata: Metadata, coding: Coding) -> None:
    """Write a TIFF with 16 bits per channel."""
    picture = picture.copy()
    for name in picture.get_fields():
        if name.endswith("-data"):
            picture.remove(name)
    if profile:
        picture.set_type(_blob(), "icc-profile-data", profile)
    if metadata.xmp:
        picture.set_type(_blob(), "xmp-data", metadata.xmp)
    dots = metadata.dpi or (0.0, 0.0)
    picture.tiffsave(
        str(target),
        compression=_COMPRESSION[coding.compression],
        predictor="none" if coding.compression == "none" else "horizontal",
        resunit="inch",
        **({"xres": dots[0] / _INCH_MM, "yres": dots[1] / _INCH_MM} if metadata.dpi else {}),
    )
    exif = metadata.exif
    if exif:
        nested = {int(tag): dict(exif[tag]) for tag in _NESTED if tag in exif}
        nest(target, nested, {int(tag): value for tag, value in exif.items() if tag not in _NESTED})


def _blob() -> int:
    from pyvips import GValue

    blob: int = GValue.blob_type
    return blob
