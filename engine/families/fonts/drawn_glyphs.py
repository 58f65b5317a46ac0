"""Count the glyphs of TrueType outlines that draw something (OpenType 1.9, `glyf`; WOFF 2.0, 5.1)."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Sequence

_LEAST_POINTS = 3
"""Points of a contour that encloses an area; one of a single point marks a place."""
_WORDS, _SCALE, _MORE, _TWO_SCALES, _FOUR_SCALES = 0x01, 0x08, 0x20, 0x40, 0x80
_SIZES = ((_SCALE, 2), (_TWO_SCALES, 4), (_FOUR_SCALES, 8))
_LONG_NUMBER = 253
"""The first byte from which a number of WOFF2 takes more than one."""


def plain(data: bytes, starts: Sequence[int]) -> int:
    """Return how many glyphs of a `glyf` table draw something; `starts` has the offset of each, and the end."""
    drawn: list[bool | list[int]] = []
    for start, end in itertools.pairwise(starts):
        contours = struct.unpack_from(">h", data, start)[0] if start < end else 0
        if contours < 0:
            drawn.append(_components(data, start + 10)[0])
        else:
            ends = (-1, *struct.unpack_from(f">{contours}H", data, start + 10)) if contours else ()
            drawn.append(any(last - first >= _LEAST_POINTS for first, last in itertools.pairwise(ends)))
    return drawing(drawn)


def transformed(data: bytes) -> int:
    """Return how many glyphs of a transformed `glyf` table of WOFF2 draw something."""
    (count,) = struct.unpack_from(">H", data, 4)
    contours_size, points_size, flags_size, glyphs_size = struct.unpack_from(">4I", data, 8)
    points_at = 36 + contours_size
    composites_at = points_at + points_size + flags_size + glyphs_size
    points = _numbers(data[points_at : points_at + points_size])
    drawn: list[bool | list[int]] = []
    at = 0
    for contours in struct.unpack_from(f">{count}h", data, 36):
        if contours < 0:
            used, composites_at = _components(data, composites_at)
            drawn.append(used)
        else:
            drawn.append(max(points[at : at + contours], default=0) >= _LEAST_POINTS)
            at += contours
    return drawing(drawn)


def _components(data: bytes, at: int) -> tuple[list[int], int]:
    """Return the glyphs that a composite one consists of, and the offset after them."""
    used: list[int] = []
    flags = _MORE
    while flags & _MORE:
        flags, glyph = struct.unpack_from(">2H", data, at)
        used.append(glyph)
        at += 8 if flags & _WORDS else 6
        at += next((size for flag, size in _SIZES if flags & flag), 0)
    return used, at


def drawing(drawn: Sequence[bool | list[int]]) -> int:
    """Count the glyphs that draw, composite ones if a glyph that they consist of does."""
    users: dict[int, list[int]] = {}
    for at, each in enumerate(drawn):
        for used in each if isinstance(each, list) else ():
            users.setdefault(used, []).append(at)
    ahead = [at for at, each in enumerate(drawn) if each is True]
    sure = set(ahead)
    while ahead:
        for user in users.pop(ahead.pop(), ()):
            if user not in sure:
                sure.add(user)
                ahead.append(user)
    return len(sure)


def _numbers(data: bytes) -> Sequence[int]:
    """Read 255UInt16 numbers (WOFF 2.0, 6.1.1)."""
    if not data or max(data) < _LONG_NUMBER:
        return data
    found: list[int] = []
    at = 0
    while at < len(data):
        match data[at]:
            case 253:
                found.append(int.from_bytes(data[at + 1 : at + 3], "big"))
                at += 3
            case 254:
                found.append(data[at + 1] + 2 * _LONG_NUMBER)
                at += 2
            case 255:
                found.append(data[at + 1] + _LONG_NUMBER)
                at += 2
            case number:
                found.append(number)
                at += 1
    return found
