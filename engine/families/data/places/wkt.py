"""Convert GeoJSON geometries (RFC 7946, 3.1) to well-known text (OGC 06-103r4, 7) and back."""

from __future__ import annotations

import re
from typing import Any

from engine.families.data.values import Number, Value, number, text

Geometry = dict[str, Any]

DEPTHS = {
    "Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3,
}  # fmt: skip
"""Nesting depth of the coordinates of each geometry type."""
_TYPES = {name.upper(): name for name in (*DEPTHS, "GeometryCollection")}
_MAX_NESTED = 50
_TOKEN = re.compile(r"\s*+([A-Za-z]++|[-+]?(?:\d++\.?+\d*+|\.\d++)(?:[eE][-+]?\d++)?+|[(),])")
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")


class NoGeometry(ValueError):
    """The value is not a geometry."""


def coordinate(value: Value) -> Value:
    """Return a number with its digits; text counts if it spells one. Raises NoGeometry."""
    if isinstance(value, bool):
        raise NoGeometry
    if isinstance(value, int | float):
        return value
    digits = str(value).strip() if value is not None else ""
    if _JSON_NUMBER.fullmatch(digits):
        return int(digits) if digits.lstrip("-").isdigit() and len(digits) < 20 else number(digits)
    try:
        found = float(digits)
    except ValueError:
        raise NoGeometry from None
    if found != found or abs(found) == float("inf"):
        raise NoGeometry
    return found


def check(geometry: Any, depth: int = 0) -> None:
    """Raise NoGeometry for a value that is not a GeoJSON geometry."""
    if not isinstance(geometry, dict) or depth > _MAX_NESTED:
        raise NoGeometry
    kind = geometry.get("type")
    if kind == "GeometryCollection":
        members = geometry.get("geometries")
        if not isinstance(members, list):
            raise NoGeometry
        for each in members:
            check(each, depth + 1)
        return
    if kind not in DEPTHS or "coordinates" not in geometry:
        raise NoGeometry
    _check_positions(geometry["coordinates"], DEPTHS[kind])


def _check_positions(value: Any, depth: int) -> None:
    if not isinstance(value, list):
        raise NoGeometry
    if depth:
        for each in value:
            _check_positions(each, depth - 1)
    elif value and (len(value) < 2 or any(type(each) not in (int, float, Number) for each in value)):
        raise NoGeometry


def written(geometry: Geometry) -> str:
    """A checked geometry as text; a position has two or three numbers, more are left out."""
    kind = geometry["type"]
    if kind == "GeometryCollection":
        members = ", ".join(map(written, geometry["geometries"]))
        return f"GEOMETRYCOLLECTION ({members})" if members else "GEOMETRYCOLLECTION EMPTY"
    coordinates = geometry["coordinates"]
    if not coordinates:
        return f"{kind.upper()} EMPTY"
    size = _size(coordinates, DEPTHS[kind])
    body = _written(coordinates, DEPTHS[kind], size)
    return f"{kind.upper()}{' Z' if size == 3 else ''} {body if DEPTHS[kind] else f'({body})'}"


def _size(value: Any, depth: int) -> int:
    if not depth:
        return min(3, max(2, len(value)))
    return max((_size(each, depth - 1) for each in value), default=2)


def _written(value: Any, depth: int, size: int) -> str:
    if not depth:
        return " ".join(map(text, [*value[:size], *[0] * (size - len(value))]))
    if not value:
        return "EMPTY"
    return f"({', '.join(_written(each, depth - 1, size) for each in value)})"


def parsed(given: str) -> Geometry:
    """The geometry that a text spells, the reference system before it (`SRID=4326;`) left out. Raises NoGeometry."""
    tokens: list[str] = []
    source = re.sub(r"^\s*SRID=\d+;", "", given, count=1)
    at = 0
    while source[at:].strip():
        match = _TOKEN.match(source, at)
        if match is None:
            raise NoGeometry
        tokens.append(match[1])
        at = match.end()
    reader = _Reader(tokens)
    geometry = reader.geometry(0)
    if reader.at != len(tokens):
        raise NoGeometry
    return geometry


class _Reader:
    """Reads geometries off a list of tokens."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = [*tokens, ""]
        self.at = 0
        self.tokens.pop()

    def peek(self) -> str:
        return self.tokens[self.at].upper() if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def expect(self, *wanted: str) -> str:
        token = self.take()
        if token not in wanted:
            raise NoGeometry
        return token

    def geometry(self, nested: int) -> Geometry:
        kind = _TYPES.get(self.take())
        if kind is None or nested > _MAX_NESTED:
            raise NoGeometry
        measured = self.take() if self.peek() in ("Z", "M", "ZM") else ""
        if kind == "GeometryCollection":
            return {"type": kind, "geometries": self.members(lambda: self.geometry(nested + 1))}
        if kind == "Point":
            found = self.members(lambda: self.position(measured))
            if len(found) > 1:
                raise NoGeometry
            return {"type": kind, "coordinates": found[0] if found else []}
        depth = DEPTHS[kind]
        return {"type": kind, "coordinates": self.positions(depth, measured, bare=kind == "MultiPoint")}

    def positions(self, depth: int, measured: str, *, bare: bool) -> list[Any]:
        if depth > 1:
            return self.members(lambda: self.positions(depth - 1, measured, bare=False))
        if bare:
            return self.members(lambda: self.point(measured))
        return self.members(lambda: self.position(measured))

    def point(self, measured: str) -> list[Value]:
        """Parse one of several points, with or without its own brackets."""
        if self.peek() != "(":
            return self.position(measured)
        self.take()
        position = self.position(measured)
        self.expect(")")
        return position

    def members(self, member: Any) -> list[Any]:
        if self.expect("(", "EMPTY") == "EMPTY":
            return []
        found = [member()]
        while self.expect(",", ")") == ",":
            found.append(member())
        return found

    def position(self, measured: str) -> list[Value]:
        found = []
        while self.peek() not in (",", ")", "("):
            found.append(coordinate(self.take()))
        if not 2 <= len(found) <= 4:
            raise NoGeometry
        # RFC 7946, section 3.1.1, has no measures.
        return found[:2] if measured == "M" else found[:3]
