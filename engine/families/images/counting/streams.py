"""Parse pictures of chunks or segments: PNG, JPEG and WebP."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator

from engine.families.images.counting import tags
from engine.families.images.counting.traits import Traits, has_colour

_XMP = b"http://ns.adobe.com/xap/1.0/\0"
_GAIN = b"urn:iso:std:iso:ts:21496:-1\0"
_GAIN_XMP = (b"hdrgm:Version", b'Semantic="GainMap"', b"HDRGainMap")
"""XMP that marks the second picture of a file as a gain map."""
_METRE = 0.0254
_SRGB_GAMMA = range(43_000, 48_001)
"""About 1/2.2, in units of 1/100,000: the gamma that programs write for sRGB."""
_SRGB_PLACES = (31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
_MOST_UNPACKED = 8_000_000


def png(data: bytes) -> Traits:
    """Parse PNG and APNG (PNG, third edition)."""
    found = Traits()
    gamma, places = None, None
    meant = False
    for kind, body in _chunks(data):
        match kind:
            case b"IHDR":
                depth, colour = body[8], body[9]
                found.colours = 1 if colour in (0, 4) else 3
                found.bits = 8 if colour == 3 else depth
                found.clear = colour in (4, 6)
            case b"PLTE" if data[25] == 3 and not has_colour(body):
                found.colours = 1
            case b"tRNS":
                found.clear = True
            case b"fcTL":
                found.frames += 1
                delay, parts = struct.unpack_from(">HH", body, 20)
                found.milliseconds += 1000 * delay // (parts or 100)
            case b"acTL":
                found.frames = 0
            case b"cICP":
                meant = True
                found.note_code_points(body[0], body[1])
            case b"iCCP":
                meant = True
                packed = body.partition(b"\0")[2][1:]
                found.note_profile(_inflated(packed))
            case b"sRGB":
                meant = True
            case b"gAMA":
                (gamma,) = struct.unpack(">I", body)
            case b"cHRM":
                places = struct.unpack(">8I", body)
            case b"eXIf":
                tags.exif(body, found)
            case b"pHYs" if body[8] == 1:
                found.note_dpi(*(each * _METRE for each in struct.unpack_from(">II", body)))
            case b"tEXt" | b"zTXt" | b"iTXt":
                key, _, rest = body.partition(b"\0")
                if key == b"XML:com.adobe.xmp":
                    found.note_xmp(rest)
                elif key:
                    found.remarks[key.decode("latin-1")] = 1
    if not meant and gamma:
        unlike = places is not None and any(abs(a - b) > 1000 for a, b in zip(places, _SRGB_PLACES, strict=True))
        found.profiles += gamma not in _SRGB_GAMMA or unlike
    return found


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind = data[at + 4 : at + 8]
        if kind not in (b"IDAT", b"fdAT"):
            yield kind, data[at + 8 : at + 8 + length]
        at += 12 + length
        if kind == b"IEND":
            return


def _inflated(packed: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(packed, _MOST_UNPACKED)
    except zlib.error:
        return b""


_OF_THE_PICTURE = (b"JFIF\0", b"JFXX\0", b"Photoshop 3.0\0", b"Adobe", b"Ducky")
"""Application segments that tell how to decode the picture, or whose other contents are counted."""
_PADDING = 64
"""Bytes after the end of a picture that are not taken for data."""


def jpeg(data: bytes) -> Traits:
    """Parse JPEG (ITU-T T.81), with further pictures by CIPA DC-007."""
    found = Traits()
    profile: dict[int, bytes] = {}
    exif_dpi = Traits()
    brighter = False
    for marker, body in _segments(data):
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            found.bits, found.colours = body[0], body[5]
        elif marker == 0xE0 and body[:5] == b"JFIF\0":
            unit, across, down = struct.unpack_from(">BHH", body, 7)
            if unit in (1, 2):
                found.note_dpi(across * (2.54 if unit == 2 else 1), down * (2.54 if unit == 2 else 1))
        elif marker == 0xE1 and body[:6] == b"Exif\0\0":
            tags.exif(body, found if not found.exif else exif_dpi)
        elif marker == 0xE1 and body.startswith(_XMP):
            found.note_xmp(body[len(_XMP) :])
            brighter |= any(each in body for each in _GAIN_XMP)
        elif marker == 0xE2 and body[:12] == b"ICC_PROFILE\0":
            profile[body[12]] = body[14:]
        elif marker == 0xE2 and body[:4] == b"MPF\0":
            found.pages = max(1, _multiple(body[4:]))
        elif marker == 0xE2 and body.startswith(_GAIN):
            found.gains = 1
        elif marker == 0xED and b"8BIM\4\4" in body:
            found.iptc += 1
        elif 0xE0 <= marker <= 0xEF and not body.startswith(_OF_THE_PICTURE):
            found.makers[_name_of(marker, body)] = 1
        elif marker == 0xFE and body.strip(b"\0 "):
            found.remarks["comment"] = 1
    found.note_profile(b"".join(profile[each] for each in sorted(profile)))
    if found.gains or (brighter and found.pages > 1):
        found.gains = 1
        found.pages = 1
    elif found.pages == 1 and len(_behind(data).strip(b"\0\xff\r\n ")) > _PADDING:
        found.makers["data behind the picture"] = 1
    return found


def _behind(data: bytes) -> bytes:
    """The bytes after the end of a JPEG; none if it is cut off, as its pixels are the last that it has."""
    end = data.rfind(b"\xff\xd9")
    return b"" if end < data.rfind(b"\xff\xda") else data[end + 2 :]


def _name_of(marker: int, body: bytes) -> str:
    """Return what an application segment calls itself, and its number."""
    said = re.match(rb"[\x20-\x7e]{2,40}", body)
    return f"APP{marker - 0xE0}" + (f" {said[0].decode().strip()}" if said else "")


def _segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the segments before the first scan."""
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            at = data.find(b"\xff", at)
            if at < 0:
                return
            continue
        marker = data[at + 1]
        if marker in (0xD9, 0xDA):
            return
        if marker in (0xFF, 0x00, 0x01) or 0xD0 <= marker <= 0xD8:
            at += 1 if marker == 0xFF else 2
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        yield marker, data[at + 4 : at + 2 + length]
        at += 2 + length


def _multiple(data: bytes) -> int:
    """Return the number of pictures in a multi-picture index."""
    try:
        index = tags.Tags(data)
        directory = next(index.chain(), {})
        return next(iter(directory[0xB001].numbers(index.order)), 1) if 0xB001 in directory else 1
    except (ValueError, struct.error):
        return 1


def webp(data: bytes) -> Traits:
    """Parse WebP (RFC 9649)."""
    found = Traits()
    at, moving = 12, 0
    while at + 8 <= len(data):
        kind, length = struct.unpack_from("<4sI", data, at)
        body = data[at + 8 : at + 8 + length]
        match kind:
            case b"VP8X":
                found.clear |= bool(body[0] & 0x10)
            case b"VP8L" if len(body) >= 5:
                found.clear |= bool(body[4] & 0x10)
            case b"ANMF":
                moving += 1
                found.milliseconds += int.from_bytes(body[12:15], "little")
            case b"ICCP":
                found.note_profile(body)
            case b"EXIF":
                tags.exif(body, found)
            case b"XMP ":
                found.note_xmp(body)
        at += 8 + length + length % 2
    found.frames = max(1, moving)
    return found
