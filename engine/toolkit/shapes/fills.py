"""What fills a shape, as SVG and, where it can draw it, as CSS (ECMA-376, part 1, 20.1.8)."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass, field

from engine.toolkit.shapes import patterns

Size = tuple[float, float]


@dataclass(frozen=True)
class Solid:
    """A colour as CSS: six or, with its opacity, eight hex digits."""

    colour: str

    def css(self) -> str:
        return f"background-color:{self.colour};"

    def svg(self, _: Size) -> tuple[str, str]:
        return f'fill="{self.colour[:7]}" fill-opacity="{opacity(self.colour):.3f}"', ""


@dataclass(frozen=True)
class Gradient:
    """Colours by their place in percent, along a line at a CSS angle or outwards from a middle in shares of the box."""

    stops: tuple[tuple[float, str], ...]
    angle: float = 180.0
    middle: tuple[float, float] | None = None

    def css(self) -> str | None:
        if self.middle is not None:
            return None
        stops = ",".join(f"{colour} {place:g}%" for place, colour in self.stops)
        return f"background:linear-gradient({self.angle:g}deg,{stops});"

    def svg(self, _: Size) -> tuple[str, str]:
        stops = "".join(
            f'<stop offset="{place:g}%" stop-color="{colour[:7]}" stop-opacity="{opacity(colour):.3f}"/>'
            for place, colour in self.stops
        )
        name = _name(stops, self.angle, self.middle)
        if self.middle is not None:
            x, y = self.middle
            far = math.hypot(max(x, 1 - x), max(y, 1 - y))
            kind, ends = "radial", f'cx="{x:.3f}" cy="{y:.3f}" r="{far:.3f}"'
        else:
            turn = math.radians(self.angle)
            across, down = math.sin(turn) / 2, -math.cos(turn) / 2
            kind = "linear"
            ends = f'x1="{0.5 - across:.3f}" y1="{0.5 - down:.3f}" x2="{0.5 + across:.3f}" y2="{0.5 + down:.3f}"'
        return f'fill="url(#{name})"', f'<{kind}Gradient id="{name}" {ends}>{stops}</{kind}Gradient>'


@dataclass(frozen=True)
class Pattern:
    """A preset pattern in two colours."""

    name: str
    front: str
    back: str

    def css(self) -> None:
        return None

    def svg(self, _: Size) -> tuple[str, str]:
        name, side = _name(self.name, self.front, self.back), patterns.SIDE * patterns.PIXEL
        behind, before = (
            f'fill="{colour[:7]}" fill-opacity="{opacity(colour):.3f}"' for colour in (self.back, self.front)
        )
        return f'fill="url(#{name})"', (
            f'<pattern id="{name}" width="{side}" height="{side}" patternUnits="userSpaceOnUse">'
            f'<rect width="{side}" height="{side}" {behind}/>'
            f'<path transform="scale({patterns.PIXEL})" d="{patterns.path(self.name)}" {before}/></pattern>'
        )


@dataclass(frozen=True)
class Picture:
    """A picture as a `data:` URI that is stretched over the shape, or repeated in tiles of a size in points."""

    uri: str = field(repr=False)
    tile: Size | None = None
    offset: Size = (0.0, 0.0)
    opaque: float = 1.0
    cut: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """How far inside the left, top, right and bottom edge of the shape it ends, in shares of its size."""

    def css(self) -> str | None:
        plain = self.tile is None and self.opaque == 1 and not any(self.cut)
        return f"background-image:url({self.uri});background-size:100% 100%;" if plain else None

    def svg(self, size: Size) -> tuple[str, str]:
        left, top, right, bottom = self.cut
        x, y = size[0] * left, size[1] * top
        wide, high = self.tile or (max(size[0] * (1 - left - right), 0.01), max(size[1] * (1 - top - bottom), 0.01))
        name = _name(self.uri, wide, high, self.offset, self.cut)
        if self.tile is not None:
            x, y = self.offset
        area = f'x="{x:.2f}" y="{y:.2f}"'
        if self.tile is None:  # drawn once, and what is around it stays empty
            area, wide_, high_ = 'x="0" y="0"', max(size[0], 0.01), max(size[1], 0.01)
        else:
            x, y, wide_, high_ = 0.0, 0.0, wide, high
        return f'fill="url(#{name})"', (
            f'<pattern id="{name}" {area} width="{wide_:.2f}" height="{high_:.2f}" patternUnits="userSpaceOnUse">'
            f'<image href="{self.uri}" x="{x:.2f}" y="{y:.2f}" width="{wide:.2f}" height="{high:.2f}" '
            f'preserveAspectRatio="none" opacity="{self.opaque:.3f}"/></pattern>'
        )


Fill = Solid | Gradient | Pattern | Picture


def opacity(colour: str) -> float:
    return int(colour[7:9], 16) / 255 if len(colour) == 9 else 1.0


def _name(*parts: object) -> str:
    return f"f{zlib.crc32(repr(parts).encode()):x}"
