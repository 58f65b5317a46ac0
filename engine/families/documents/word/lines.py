"""Draw lines and connectors with their bends and arrowheads (ECMA-376, part 1, 20.1.9)."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A, emu

STRAIGHT = frozenset(("line", "straightConnector1"))
BENT = frozenset(f"{kind}Connector{bends}" for kind in ("bent", "curved") for bends in (2, 3, 4, 5))
_HEADS = {"sm": 2.0, "med": 3.0, "lg": 5.0}
_DASHES = {
    "dot": (1, 1),
    "sysDot": (1, 1),
    "dash": (4, 3),
    "sysDash": (3, 1),
    "lgDash": (8, 3),
    "dashDot": (4, 3, 1, 3),
}
_Points = list[tuple[float, float]]


def drawn(
    properties: Element | None,
    style: Element | None,
    size: tuple[float, float],
    colour_of: Callable[[Element | None], str | None],
) -> str:
    """A line from corner to corner of its box, or a connector, as an SVG; empty if the shape is neither.

    `properties` and `style` are those of the shape, `size` is its width and height in points, and `colour_of` gives the
    colour of an element.
    """
    width, height = size
    geometry = None if properties is None else properties.find(A + "prstGeom")
    kind = "" if geometry is None else geometry.get("prst") or ""
    if properties is None or geometry is None or kind not in STRAIGHT | BENT:
        return ""
    line, reference = properties.find(A + "ln"), None if style is None else style.find(A + "lnRef")
    if line is not None and line.find(A + "noFill") is not None:
        return ""
    colour = None if line is None else colour_of(line.find(A + "solidFill"))
    colour = (colour or colour_of(reference) or "#000000")[:7]
    thick = max(emu(line.get("w")) if line is not None and line.get("w") else 0.75, 0.25)
    place = properties.find(A + "xfrm")
    across, down = (place is not None and place.get(each) in ("1", "true") for each in ("flipH", "flipV"))
    points = [
        (width - x if across else x, height - y if down else y) for x, y in _points(kind, geometry, width, height)
    ]
    heads = "".join(_head(line, end, points, thick, colour) for end in ("headEnd", "tailEnd"))
    path = " L".join(f"{x:.2f} {y:.2f}" for x, y in points)
    if kind.startswith("curved") and len(points) == 4:
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = points
        middle = f"{(x2 + x3) / 2:.2f} {(y2 + y3) / 2:.2f}"
        path = f"{x1:.2f} {y1:.2f} Q{x2:.2f} {y2:.2f} {middle} Q{x3:.2f} {y3:.2f} {x4:.2f} {y4:.2f}"
    pad = thick * 5 + 2
    wide, high = width + 2 * pad, height + 2 * pad
    return (
        f'<svg class="at" style="left:{-pad:.2f}pt;top:{-pad:.2f}pt" width="{wide:.2f}pt" height="{high:.2f}pt" '
        f'viewBox="{-pad:.2f} {-pad:.2f} {wide:.2f} {high:.2f}"><path d="M{path}" fill="none" stroke="{colour}" '
        f'stroke-width="{thick:.2f}"{_dashes(line, thick)}/>{heads}</svg>'
    )


def _points(kind: str, geometry: Element, width: float, height: float) -> _Points:
    if kind in STRAIGHT:
        return [(0, 0), (width, height)]
    if kind.endswith("2"):
        return [(0, 0), (width, 0), (width, height)]
    shares = [0.5, 0.5, 0.5]
    for at, each in enumerate(list(geometry.iterfind(f"{A}avLst/{A}gd"))[:3]):
        text = (each.get("fmla") or "").removeprefix("val ").strip()
        shares[at] = max(-10.0, min(int(text) / 100_000, 10.0)) if text.lstrip("-").isdigit() else 0.5
    x = width * shares[0]
    if kind.endswith("3"):
        return [(0, 0), (x, 0), (x, height), (width, height)]
    y = height * shares[1]
    if kind.endswith("4"):
        return [(0, 0), (x, 0), (x, y), (width, y), (width, height)]
    after = width * shares[2]
    return [(0, 0), (x, 0), (x, y), (after, y), (after, height), (width, height)]


def _head(line: Element | None, end: str, points: _Points, thick: float, colour: str) -> str:
    """Return the arrowhead at one end; all kinds but ovals are drawn as a triangle."""
    said = None if line is None else line.find(A + end)
    if said is None or said.get("type", "none") == "none":
        return ""
    (x, y), (x0, y0) = (points[0], points[1]) if end == "headEnd" else (points[-1], points[-2])
    long, wide = (_HEADS.get(said.get(each) or "med", 3.0) * max(thick, 1.0) for each in ("len", "w"))
    if said.get("type") == "oval":
        return f'<ellipse cx="{x:.2f}" cy="{y:.2f}" rx="{long / 2:.2f}" ry="{wide / 2:.2f}" fill="{colour}"/>'
    turn = math.atan2(y - y0, x - x0)
    back = x - long * math.cos(turn), y - long * math.sin(turn)
    aside = wide / 2 * math.sin(turn), -wide / 2 * math.cos(turn)
    corners = ((x, y), (back[0] + aside[0], back[1] + aside[1]), (back[0] - aside[0], back[1] - aside[1]))
    return f'<path d="M{" L".join(f"{a:.2f} {b:.2f}" for a, b in corners)}Z" fill="{colour}"/>'


def _dashes(line: Element | None, thick: float) -> str:
    said = None if line is None else line.find(A + "prstDash")
    lengths = _DASHES.get("" if said is None else said.get("val") or "")
    return f' stroke-dasharray="{" ".join(f"{each * thick:.2f}" for each in lengths)}"' if lengths else ""
