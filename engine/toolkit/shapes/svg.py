"""Write the form of a shape as SVG, with its fill and line."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterable
from dataclasses import replace

from engine.toolkit.shapes.geometry import SHADES, Form, Outline
from engine.toolkit.shapes.lines import Line, heads

_COLOURS = re.compile(r"#([0-9a-f]{6})([0-9a-f]{2})?")
_GRADIENT = re.compile(r"linear-gradient\((-?[0-9.]{1,12})deg,")
_PICTURE = re.compile(r"url\((data:[^)]*+)\)")
_PLACES = re.compile(r" (-?[0-9.]{1,12})%")


def svg(form: Form, size: tuple[float, float], *, ground: str, line: Line | None) -> str:
    """A form at its size in points, placed over its box, with the colours of a CSS background and with its line."""
    fill, gradient = _filled(ground)
    pictured = _PICTURE.search(ground)
    parts = []
    for each in form.outlines:
        path = data(each)
        if pictured is not None and each.fill != "none":
            parts.append(_clipped(path, pictured[1], size))
        inside = 'fill="none"' if each.fill == "none" else fill
        around = line.attributes() if line is not None and each.stroked else ""
        if around or inside != 'fill="none"':
            parts.append(f'<path d="{path}" {inside}{around}/>')
        if inside != 'fill="none"' and (shade := SHADES.get(each.fill)):
            parts.append(f'<path d="{path}" fill="{"#ffffff" if shade[0] else "#000000"}" fill-opacity="{shade[1]}"/>')
        if around and line is not None:
            parts += [_head(line, head) for head in heads(line, each)]
    left, top, wide, high = _extent(form.outlines, size, line)
    return (
        f'<svg class="at" style="left:{left:.2f}pt;top:{top:.2f}pt" width="{wide:.2f}pt" height="{high:.2f}pt" '
        f'viewBox="{left:.2f} {top:.2f} {wide:.2f} {high:.2f}">{gradient}{"".join(parts)}</svg>'
    )


def _head(line: Line, head: Outline) -> str:
    solid = replace(line, dashes=())
    painted = f'fill="none"{solid.attributes()}' if head.stroked else f'fill="{line.colour[:7]}"'
    return f'<path d="{data(head)}" {painted}/>'


def _clipped(path: str, picture: str, size: tuple[float, float]) -> str:
    """A picture that fills a path."""
    name = f"c{zlib.crc32(path.encode()):x}"
    sides = f'width="{size[0]:.2f}" height="{size[1]:.2f}" preserveAspectRatio="none"'
    return (
        f'<defs><clipPath id="{name}"><path d="{path}"/></clipPath></defs>'
        f'<image href="{picture}" {sides} clip-path="url(#{name})"/>'
    )


def data(outline: Outline) -> str:
    """The path data of an outline (SVG 2, 9.3)."""
    return "".join(kind + " ".join(f"{each:.2f}" for each in points) for kind, points in outline.steps)


def _extent(
    outlines: Iterable[Outline], size: tuple[float, float], line: Line | None
) -> tuple[float, float, float, float]:
    """The left, top, width and height of what is drawn, with the room that heads and joins of a line may take."""
    points = [points for each in outlines for _, points in each.steps]
    across, down = ([at for each in points for at in each[axis::2]] for axis in (0, 1))
    room = 0.0 if line is None else line.thick * 5 + 2 if line.first or line.last else line.thick
    left, top = min([0.0, *across]) - room, min([0.0, *down]) - room
    return left, top, max([size[0], *across]) + room - left, max([size[1], *down]) + room - top


def _filled(ground: str) -> tuple[str, str]:
    """The attributes that fill a path with a CSS background, and the gradient that they name."""
    found = [(f"#{digits}", int(alpha or "ff", 16) / 255) for digits, alpha in _COLOURS.findall(ground)]
    if not found:
        return 'fill="none"', ""
    angle = _GRADIENT.search(ground)
    places = [min(max(float(each), 0.0), 100.0) for each in _PLACES.findall(ground)]
    if angle is None or len(places) != len(found):
        return f'fill="{found[0][0]}" fill-opacity="{found[0][1]:.3f}"', ""
    turn = math.radians(float(angle[1]))
    across, down = math.sin(turn) / 2, -math.cos(turn) / 2
    stops = "".join(
        f'<stop offset="{place:g}%" stop-color="{colour}" stop-opacity="{alpha:.3f}"/>'
        for place, (colour, alpha) in zip(places, found, strict=True)
    )
    name = f"g{zlib.crc32(ground.encode()):x}"
    ends = f'x1="{0.5 - across:.3f}" y1="{0.5 - down:.3f}" x2="{0.5 + across:.3f}" y2="{0.5 + down:.3f}"'
    return f'fill="url(#{name})"', f'<defs><linearGradient id="{name}" {ends}>{stops}</linearGradient></defs>'
