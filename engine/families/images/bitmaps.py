"""Windows bitmap variants beyond Pillow's: bit fields, 2 bits per pixel, RLE, long palettes, profiles."""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import BmpImagePlugin, Image, ImageMath

from engine.families.images import bitmap_runs
from engine.toolkit.picture_limits import check_pixels

# Compressions of BITMAPINFOHEADER (Windows GDI, [MS-WMF] 2.1.1.7).
_RGB, _BITFIELDS, _ALPHABITFIELDS = 0, 3, 6
_RUNS = {1: 8, 2: 4, 4: 24}
"""The bits per pixel of run-length encodings (the last one: OS/2 2.0)."""
_INSIDE = {4: "JPEG", 5: "PNG"}
"""For zero bits per pixel: the format of the embedded file."""
_HEADERS = (40, 52, 56, 108, 124)
_OS2, _OS2_SHORT = 64, 16
_EMBEDDED = b"DEBM"  # the colour space PROFILE_EMBEDDED of BITMAPV5HEADER
_KNOWN = {
    16: {(0xF800, 0x7E0, 0x1F, 0), (0x7C00, 0x3E0, 0x1F, 0)},
    32: {
        (0xFF0000, 0xFF00, 0xFF, 0),
        (0xFF000000, 0xFF0000, 0xFF00, 0),
        (0xFF000000, 0xFF0000, 0xFF00, 0xFF),
        (0xFF, 0xFF00, 0xFF0000, 0xFF000000),
        (0xFF0000, 0xFF00, 0xFF, 0xFF000000),
        (0, 0, 0, 0),
    },
}
"""Bits per pixel to the bit fields (red, green, blue, alpha) that the decoder reads itself, and faster."""

_STRIP = 1_000_000
"""The number of pixels unpacked at once."""


@dataclass(frozen=True)
class _Header:
    """The pixel layout of a bitmap: `start` is the data offset, `masks` are those of red, green, blue, alpha."""

    size: int
    width: int
    height: int
    upward: bool
    bits: int
    compression: int
    colours: int
    start: int
    masks: tuple[int, int, int, int]

    @property
    def stride(self) -> int:
        return (self.width * self.bits + 31) // 32 * 4


def opened(source: Path) -> Image.Image:
    """Open the bitmap in `source`; one that Pillow's decoder does not support is returned decoded.

    Raises what decoders raise for a damaged one, OverLimit for too many pixels.
    """
    with source.open("rb") as file:
        header = _header(file.read(14 + 124))
    if header is None:
        return Image.open(_with_whole_header(source), formats=["BMP"])
    if header.compression in (_BITFIELDS, _ALPHABITFIELDS) and header.masks not in _KNOWN.get(header.bits, ()):
        image = _taken_apart(source.read_bytes(), header)
    elif header.bits == 2 and header.compression == _RGB:
        image = _four_colours(source.read_bytes(), header)
    elif header.bits and header.bits == _RUNS.get(header.compression):
        image = _of_runs(source.read_bytes(), header)
    elif header.bits == 0 and header.compression in _INSIDE:
        inside = io.BytesIO(source.read_bytes()[header.start :])
        image = Image.open(inside, formats=[_INSIDE[header.compression]])
        check_pixels(*image.size)
        image = _named(image)
    elif header.bits <= 8 and header.colours > 1 << header.bits:
        data = bytearray(source.read_bytes())
        struct.pack_into("<I", data, 46, 1 << header.bits)
        image = Image.open(io.BytesIO(data), formats=["BMP"])
    else:
        image = Image.open(source, formats=["BMP"])
    if header.masks[3] and image.mode == "RGBA":
        check_pixels(*image.size)
        if image.getchannel("A").getextrema() == (0, 0):  # a fully transparent picture is not intended
            image = _named(image.convert("RGB"))
    profile = _profile(source)
    if profile:
        image.info["icc_profile"] = profile
    return image


def _header(head: bytes) -> _Header | None:
    """The header, or None if only the decoder can judge its kind."""
    if len(head) < 54 or head[:2] != b"BM":
        return None
    start, size, width, height, _, bits, compression = struct.unpack_from("<10xIIiiHHI", head)
    runs = size == _OS2 and bits == _RUNS.get(compression)
    if not (size in _HEADERS or runs) or width <= 0 or height == 0:
        return None
    (colours,) = struct.unpack_from("<I", head, 46)
    masks = [0, 0, 0, 0]
    if compression in (_BITFIELDS, _ALPHABITFIELDS):
        count = 4 if size >= 56 or compression == _ALPHABITFIELDS else 3
        masks[:count] = struct.unpack_from(f"<{count}I", head, 54)
    red, green, blue, alpha = masks
    return _Header(size, width, abs(height), height > 0, bits, compression, colours, start, (red, green, blue, alpha))


def _profile(source: Path) -> bytes | None:
    """The embedded colour profile (BITMAPV5HEADER)."""
    with source.open("rb") as file:
        head = file.read(14 + 124)
        if len(head) < 14 + 124 or head[14] != 124 or head[70:74] != _EMBEDDED:
            return None
        place, length = struct.unpack_from("<II", head, 14 + 112)
        file.seek(14 + place)
        return file.read(min(length, 16_000_000)) or None


def _taken_apart(data: bytes, header: _Header) -> Image.Image:
    """The pixels of a bitmap with arbitrary bit fields in 16 or 32 bits."""
    if header.bits not in (16, 32):
        raise ValueError("bit fields are for 16 and 32 bits a pixel")
    check_pixels(header.width, header.height)
    fields = [_field(mask) for mask in header.masks]
    mode = "RGBA" if header.masks[3] else "RGB"
    image = Image.new(mode, (header.width, header.height))
    rows = max(1, _STRIP // header.width)
    for top in range(0, header.height, rows):
        count = min(rows, header.height - top)
        first = header.height - top - count if header.upward else top
        at = header.start + first * header.stride
        strip = data[at : at + count * header.stride]
        if len(strip) < count * header.stride:
            raise EOFError("the pixels end early")
        packed = Image.frombytes(
            "I",
            (header.width, count),
            strip,
            "raw",
            "I;32" if header.bits == 32 else "I;16",
            header.stride,
            -1 if header.upward else 1,
        )
        image.paste(Image.merge(mode, [_channel(packed, *field) for field in fields[: len(mode)]]), (0, top))
    image.info["bit_depth"] = max(mask.bit_count() for mask in header.masks)
    return _named(image)


def _field(mask: int) -> tuple[int, int]:
    """The right shift of a channel and its maximum value after it; at most 8 bits are kept."""
    if not mask:
        return 0, 0
    shift = (mask & -mask).bit_length() - 1
    bits = mask.bit_count()
    if mask >> shift != (1 << bits) - 1:
        raise ValueError("the bits of a channel are not side by side")
    return shift + max(0, bits - 8), (1 << min(bits, 8)) - 1


def _channel(packed: Image.Image, shift: int, largest: int) -> Image.Image:
    if not largest:
        return Image.new("L", packed.size)

    def spread(values: dict[str, Any]) -> Any:
        return ((values["packed"] >> shift & largest) * 255 + largest // 2) / largest

    return ImageMath.lambda_eval(spread, packed=packed).convert("L")  # type: ignore[no-any-return]


def _four_colours(data: bytes, header: _Header) -> Image.Image:
    """A bitmap with two bits per pixel, as in Windows CE."""
    check_pixels(header.width, header.height)
    count = header.colours or 4
    palette = data[14 + header.size : 14 + header.size + 4 * min(count, 4)]
    direction = -1 if header.upward else 1
    rows = data[header.start : header.start + header.stride * header.height]
    if len(rows) < header.stride * header.height:
        raise EOFError("the pixels end early")
    image = Image.frombytes("P", (header.width, header.height), rows, "raw", "P;2", header.stride, direction)
    image.putpalette(palette, "BGRX")
    return _named(image)


def _of_runs(data: bytes, header: _Header) -> Image.Image:
    check_pixels(header.width, header.height)
    pixels = bitmap_runs.rows(data, header.start, header.width, header.height, header.bits)
    direction = -1 if header.upward else 1
    size = (header.width, header.height)
    if header.bits == 24:
        return _named(Image.frombytes("RGB", size, pixels, "raw", "BGR", 0, direction))
    image = Image.frombytes("P", size, pixels, "raw", "P", 0, direction)
    count = min(header.colours or 256, 1 << header.bits)
    image.putpalette(data[14 + header.size : 14 + header.size + 4 * count], "BGRX")
    return _named(image)


def _with_whole_header(source: Path) -> Any:
    """The file, with the header fields that OS/2 2.0 may omit added as zeros."""
    with source.open("rb") as file:
        head = file.read(14 + _OS2_SHORT)
        if len(head) < 14 + _OS2_SHORT or head[:2] != b"BM" or head[14] != _OS2_SHORT or any(head[15:18]):
            return source
        start = struct.unpack_from("<I", head, 10)[0] + 40 - _OS2_SHORT
        fields = struct.pack("<I", start) + struct.pack("<I", 40) + head[18:] + bytes(40 - _OS2_SHORT)
        return io.BytesIO(head[:10] + fields + file.read())


def _named(image: Image.Image) -> Image.Image:
    image.format = BmpImagePlugin.BmpImageFile.format
    return image
