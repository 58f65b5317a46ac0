"""Parse GIF pictures: their blocks, of which some have metadata."""

from __future__ import annotations

from engine.families.images.counting.traits import Traits, has_colour

_PROFILE = 4_096
"""Bytes of a colour profile that are looked at: its head, and most of its description."""


def gif(data: bytes) -> Traits:
    """Parse GIF 87a and 89a."""
    found = Traits(frames=0, colours=1)
    flags = data[10]
    at = 13
    if flags & 0x80:
        size = 3 << (flags & 7) + 1
        found.colours = 3 if has_colour(data[at : at + size]) else 1
        at += size
    while at < len(data) and data[at] != 0x3B:
        if data[at] == 0x2C and at + 10 <= len(data):
            found.frames += 1
            local = data[at + 9]
            at += 10
            if local & 0x80:
                size = 3 << (local & 7) + 1
                found.colours = 3 if has_colour(data[at : at + size]) else found.colours
                at += size
            _, at = _blocks(data, at + 1)
        elif data[at] == 0x21 and at + 2 <= len(data):
            label = data[at + 1]
            start, (body, at) = at + 2, _blocks(data, at + 2)
            if label == 0xF9 and len(body) >= 4:
                found.clear |= bool(body[0] & 1 and not found.frames)
                found.milliseconds += 10 * int.from_bytes(body[1:3], "little")
            elif label == 0xFE and body.strip(b"\0 "):
                found.remarks["comment"] = 1
            elif label == 0xFF and body[:11] == b"XMP DataXMP":
                found.xmp += 1
            elif label == 0xFF and body[:11] == b"ICCRGBG1012":
                found.note_profile(_joined(data, start + 1 + len(body), _PROFILE))
        else:  # bytes outside any block
            at = min(
                (each for each in (data.find(b"\x2c", at + 1), data.find(b"\x21", at + 1)) if each > 0),
                default=len(data),
            )
    found.frames = max(1, found.frames)
    return found


def _blocks(data: bytes, at: int) -> tuple[bytes, int]:
    """Return the first data sub-block, and the offset after the last one."""
    first = data[at + 1 : at + 1 + data[at]] if at < len(data) else b""
    while at < len(data) and data[at]:
        at += 1 + data[at]
    return first, at + 1


def _joined(data: bytes, at: int, most: int) -> bytes:
    """Return the content of the sub-blocks at an offset, up to this many bytes."""
    found = bytearray()
    while at < len(data) and data[at] and len(found) < most:
        found += data[at + 1 : at + 1 + data[at]]
        at += 1 + data[at]
    return bytes(found)
