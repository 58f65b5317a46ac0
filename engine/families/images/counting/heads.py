"""Parse the fixed headers of BMP, ICO, ICNS, PSD, TGA, QOI, PCX, DDS, PPM and SGI."""

from __future__ import annotations

import re
import struct

from engine.families.images.counting import tags
from engine.families.images.counting.streams import png
from engine.families.images.counting.traits import Traits, has_colour

_COLOUR_MODES = {0: 1, 1: 1, 2: 3, 3: 3, 4: 4, 7: 4, 8: 1, 9: 3}
"""Photoshop's colour modes and their numbers of colour channels."""
_FACES = 0xFC00
_CODES_OF_ONE = (b"ATI1", b"BC4U", b"BC4S")
_DXGI_OF_ONE = frozenset({60, 61, 62, 63, 64, 79, 80, 81})
"""DXGI_FORMAT_R8 and BC4: surfaces of one channel."""
_ICNS_MASKS = frozenset({b"s8mk", b"l8mk", b"h8mk", b"t8mk"})
_ICNS_PICTURES = re.compile(rb"i[cs]\d\d|i[sltch]\d\d|i[ls]32|ih32|it32|icp\d|ic\d\d|SB24|sb24|icsb|icsB")


def bmp(data: bytes) -> Traits:
    """Parse a Windows bitmap."""
    found = Traits()
    (start, size) = struct.unpack_from("<II", data, 10)
    if size == 12:
        bits = struct.unpack_from("<H", data, 24)[0]
        entry = 3
    else:
        bits, packed = struct.unpack_from("<HI", data, 28)
        entry = 4
        across, down = struct.unpack_from("<ii", data, 38)
        found.note_dpi(across * 0.0254, down * 0.0254)
        masks = struct.unpack_from("<4I", data, 54) if packed in (3, 6) or size >= 56 else (0, 0, 0, 0)
        if packed == 3 and size < 56:
            masks = (*masks[:3], 0)
        if packed in (3, 6):
            found.bits = max(8, *(each.bit_count() for each in masks))
        if bits == 32 and masks[3] == 0xFF000000 and packed in (3, 6):
            found.clear = bool(data[start + 3 :: 4].strip(b"\0"))
        if size == 124 and data[70:74] == b"DEBM":
            place, length = struct.unpack_from("<II", data, 126)
            found.note_profile(data[14 + place : 14 + place + length])
    if bits in (1, 2, 4, 8):
        table = data[14 + size : start]
        plain = bytes(byte for at in range(0, len(table) - entry + 1, entry) for byte in table[at : at + 3])
        found.colours = 3 if has_colour(plain) else 1
        found.bits = 8
    return found


def ico(data: bytes) -> Traits:
    """Parse a Windows icon: each size is a page."""
    count = struct.unpack_from("<H", data, 4)[0]
    found, colours = Traits(pages=max(1, count)), 0
    for number in range(count):
        bits, length, place = struct.unpack_from("<HII", data, 6 + 16 * number + 6)
        inside = data[place : place + length]
        if inside[:8] == b"\x89PNG\r\n\x1a\n":
            each = png(inside)
            found.clear |= each.clear
            colours = max(colours, each.colours)
        else:
            found.clear |= bits == 32
            colours = 3
    found.colours = colours or 3
    return found


def icns(data: bytes) -> Traits:
    """Parse a macOS icon: each size is a page."""
    at, sizes, clear = 8, 0, False
    while at + 8 <= len(data):
        kind, length = struct.unpack_from(">4sI", data, at)
        if length < 8:
            break
        if kind in _ICNS_MASKS:
            clear = True
        elif kind != b"icnV" and _ICNS_PICTURES.fullmatch(kind):
            sizes += 1
        at += length
    return Traits(pages=max(1, sizes), clear=clear)


def psd(data: bytes) -> Traits:
    """Parse a Photoshop document; the first extra channel of a transparent picture is alpha, the rest are others."""
    channels, bits, mode = struct.unpack_from(">H8xHH", data, 12)
    found = Traits(bits=bits, colours=_COLOUR_MODES.get(mode, channels))
    (length,) = struct.unpack_from(">I", data, 26)
    if mode == 2:
        table = data[30 : 30 + 768]
        plain = bytes(byte for row in zip(table[:256], table[256:512], table[512:], strict=False) for byte in row)
        found.colours = 3 if has_colour(plain) else 1
    at = 30 + length
    (resources,) = struct.unpack_from(">I", data, at)
    _resources(data[at + 4 : at + 4 + resources], found)
    at += 4 + resources
    section, layers = struct.unpack_from(">II", data, at) if at + 8 <= len(data) else (0, 0)
    count = struct.unpack_from(">h", data, at + 8)[0] if section and layers else 0
    extra = max(0, channels - _COLOUR_MODES.get(mode, channels))
    if extra and count < 0:
        found.clear = True
        extra -= 1
    found.others = extra
    return found


def _resources(data: bytes, found: Traits) -> None:
    at = 0
    while at + 12 <= len(data) and data[at : at + 4] == b"8BIM":
        (number,) = struct.unpack_from(">H", data, at + 4)
        at += 6 + (data[at + 6] + 2) // 2 * 2
        (length,) = struct.unpack_from(">I", data, at)
        body = data[at + 4 : at + 4 + length]
        at += 4 + length + length % 2
        if number == 1039:
            found.note_profile(body)
        elif number == 1058:
            tags.exif(body, found)
        elif number == 1060:
            found.note_xmp(body)
        elif number == 1028:
            found.iptc += bool(body)
        elif number == 1005 and len(body) >= 12:
            across, down = struct.unpack_from(">I4xI", body)
            found.note_dpi(across / 65_536, down / 65_536)


def tga(data: bytes) -> Traits:
    """Parse a Targa picture."""
    found = Traits()
    kind, bits, flags = data[2], data[16], data[17]
    found.colours = 1 if kind in (3, 11) else 3
    if kind in (1, 9):
        count, depth = struct.unpack_from("<HB", data, 5)
        step = (depth + 7) // 8
        table = data[18 + data[0] : 18 + data[0] + count * step]
        if step >= 3:
            rows = (table[at : at + 3] for at in range(0, len(table) - 2, step))
            found.colours = 3 if has_colour(b"".join(rows)) else 1
    found.clear = bits == 32 and bool(flags & 15)
    if data[18 : 18 + data[0]].strip(b"\0 "):
        found.remarks["image id"] = 1
    return found


def qoi(data: bytes) -> Traits:
    """Parse a Quite OK Image."""
    return Traits(clear=data[12] == 4)


def pcx(data: bytes) -> Traits:
    """Parse a PC Paintbrush picture."""
    bits, planes = data[3], data[65]
    found = Traits(colours=3 if planes >= 3 else 1, bits=1 if planes * bits == 1 else 8)
    if bits == 8 and planes == 1:
        found.colours = 3 if data[-769:-768] == b"\x0c" and has_colour(data[-768:]) else 1
    elif planes * bits in (2, 4):
        found.colours = 3 if has_colour(data[16:64]) else 1
    across, down = struct.unpack_from("<HH", data, 12)
    if (across, down) != (data[8] + 256 * data[9] + 1, data[10] + 256 * data[11] + 1):  # some write the size there
        found.note_dpi(across, down)
    return found


def dds(data: bytes) -> Traits:
    """Parse a DirectDraw surface: each face of a cube, slice of a volume and element of an array is a page."""
    flags, depth = struct.unpack_from("<I12xI", data, 8)
    pixel_flags, code, bits = struct.unpack_from("<I4sI", data, 80)
    caps = struct.unpack_from("<I", data, 112)[0]
    found = Traits()
    if caps & 0x200:
        found.pages = max(1, (caps & _FACES).bit_count())
    elif flags & 0x800000 and caps & 0x200000:
        found.pages = max(1, depth)
    if code == b"DX10" and pixel_flags & 4:
        misc, row = struct.unpack_from("<II", data, 136)
        found.pages = max(1, row) * (6 if misc & 4 else 1)
    found.clear = bool(pixel_flags & 1) and bits in (16, 32)
    packed = struct.unpack_from("<I", data, 128)[0] if code == b"DX10" and pixel_flags & 4 else 0
    if pixel_flags & 0x20000 or packed in _DXGI_OF_ONE or (pixel_flags & 4 and code in _CODES_OF_ONE):
        found.colours = 1
    return found


def ppm(data: bytes) -> Traits:
    """Parse a Netpbm picture."""
    kind = data[1:2]
    found = Traits(colours=3 if kind in b"36F" else 1)
    words = re.sub(rb"#[^\r\n]*", b"", data[2:2048]).split()
    if kind in b"14":
        found.bits = 1
    elif kind in b"2356" and len(words) > 2 and words[2].isdigit():
        found.bits = int(words[2]).bit_length()
    elif kind in b"Ff":
        found.bits = 32
    return found


def sgi(data: bytes) -> Traits:
    """Parse a Silicon Graphics picture."""
    each, channels = data[3], struct.unpack_from(">H", data, 10)[0]
    return Traits(
        bits=8 * each, colours=1 if channels < 3 else 3, clear=channels in (2, 4), others=max(0, channels - 4)
    )
