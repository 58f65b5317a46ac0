"""Parse GDAL's well-known binary (ISO 13249-3): geometry types and coordinates."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import Literal

POINT, LINE, POLYGON, POINTS, LINES, POLYGONS, COLLECTION = range(1, 8)
NAMES = ("Unknown", "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon",
         "GeometryCollection")  # fmt: skip

Leaf = Literal["point", "line", "ring"]


def kind(data: bytes) -> tuple[int, bool]:
    """One of the kinds above, 0 for any other, and whether it has heights."""
    return _kind(data, 0)


def _kind(data: bytes, start: int) -> tuple[int, bool]:
    (code,) = struct.unpack_from("<I", data, start + 1)
    plain = code & 0x0FFFFFFF
    found = plain % 1000
    return (found if found <= COLLECTION else 0), bool(code & 0x80000000) or plain // 1000 in (1, 3)


def simple_parts(data: bytes) -> Iterator[tuple[Leaf, int, int, int]]:
    """The simple parts of a geometry: the kind, data offset, number of positions and dimensions of each."""
    yield from _walk(data, [0])


def _walk(data: bytes, place: list[int]) -> Iterator[tuple[Leaf, int, int, int]]:
    found, high = _kind(data, place[0])
    size = 3 if high else 2
    place[0] += 5
    if found == POINT:
        yield "point", place[0], 1, size
        place[0] += 8 * size
        return
    (count,) = struct.unpack_from("<I", data, place[0])
    place[0] += 4
    if found == LINE:
        yield "line", place[0], count, size
        place[0] += 8 * size * count
    elif found == POLYGON:
        for _ in range(count):
            (length,) = struct.unpack_from("<I", data, place[0])
            yield "ring", place[0] + 4, length, size
            place[0] += 4 + 8 * size * length
    else:
        for _ in range(count):
            yield from _walk(data, place)


def without_empty_parts(data: bytes) -> bytes | None:
    """A geometry without its empty parts, with lines of one position as points; None if nothing is left.

    One of an unknown kind is returned unchanged.
    """
    return _solid(data, [0]) if kind(data)[0] else data


def short_lines(data: bytes) -> int:
    """The number of lines of one position in a geometry of a known kind."""
    return sum(leaf == "line" and count == 1 for leaf, _, count, _ in simple_parts(data)) if kind(data)[0] else 0


def _solid(data: bytes, place: list[int]) -> bytes | None:
    start = place[0]
    found, _ = _kind(data, start)
    if found in (POINT, LINE, POLYGON):
        parts = list(_walk(data, place))
        if not parts or not parts[0][2]:
            return None
        _, at, count, size = parts[0]
        if found == POINT and all(map(math.isnan, struct.unpack_from(f"<{size}d", data, at))):
            return None
        if found == LINE and count == 1:
            return _headed(data, start, POINT) + data[at : place[0]]
        return data[start : place[0]]
    (count,) = struct.unpack_from("<I", data, start + 5)
    place[0] += 9
    kept = [each for _ in range(count) if (each := _solid(data, place)) is not None]
    if not kept:
        return None
    mixed = found == LINES and any(kind(each)[0] == POINT for each in kept)
    return _headed(data, start, COLLECTION if mixed else found) + struct.pack("<I", len(kept)) + b"".join(kept)


def _headed(data: bytes, start: int, other: int) -> bytes:
    """A geometry header of another kind, with the same dimensions."""
    (code,) = struct.unpack_from("<I", data, start + 1)
    return data[start : start + 1] + struct.pack("<I", code - (code & 0x0FFFFFFF) % 1000 + other)
