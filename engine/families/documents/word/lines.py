"""Draw lines and connectors with their bends and arrowheads (ECMA-376, part 1, 20.1.9)."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A, emu
from engine.families.documents.word.outlines import flips_of

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
    *,
    flipped: tuple[bool, bool] | None = None,
) -> str:
    """A line from corner to corner of its box, or a connector, as an SVG; empty if the shape is neither.

    `properties` and `style` are those of the shape, `size` is its width and height in points, and `colour_of` gives the
    colour of an element. `flipped` is whether it is turned over across and down, by default as they say.
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
    across, down = flipped or flips_of(properties.find(A + "xfrm"))
    points = [
        (width - x if across else x, height - y if down else y) for x, y in _points(kind, geometry, width, height)
    ]
    heads = "".join(_head(line, end, points, thick, colour) for end in ("headEnd", "tailEnd"))
    path = " L".join(f"{x:.2f} {y:.2f}" for x, y in points)
    if kind.startswith("curved"):
        path = _curve(points)
    pad = thick * 5 + 2
    wide, high = width + 2 * pad, height + 2 * pad
    return (
        f'<svg class="at" style="left:{-pad:.2f}pt;top:{-pad:.2f}pt" width="{wide:.2f}pt" height="{high:.2f}pt" '
        f'viewBox="{-pad:.2f} {-pad:.2f} {wide:.2f} {high:.2f}"><path d="M{path}" fill="none" stroke="{colour}" '
        f'stroke-width="{thick:.2f}"{_dashes(line, thick)}/>{heads}</svg>'
    )


def _curve(points: _Points) -> str:
    """A connector with its bends rounded: it turns at each corner between the middles of the lines beside it."""
    middles = [((x + x2) / 2, (y + y2) / 2) for (x, y), (x2, y2) in pairwise(points)]
    ends = [*middles[1:-1], points[-1]]
    turns = "".join(f" Q{x:.2f} {y:.2f} {x2:.2f} {y2:.2f}" for (x, y), (x2, y2) in zip(points[1:-1], ends, strict=True))
    return f"{points[0][0]:.2f} {points[0][1]:.2f}{turns}"


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
    """Return the arrowhead at one end."""
    said = None if line is None else line.find(A + end)
    if said is None or said.get("type", "none") == "none":
        return ""
    (x, y), (x0, y0) = (points[0], points[1]) if end == "headEnd" else (points[-1], points[-2])
    long, wide = (_HEADS.get(said.get(each) or "med", 3.0) * max(thick, 1.0) for each in ("len", "w"))
    if said.get("type") == "oval":
        return f'<ellipse cx="{x:.2f}" cy="{y:.2f}" rx="{long / 2:.2f}" ry="{wide / 2:.2f}" fill="{colour}"/>'
    turn = math.atan2(y - y0, x - x0)

    def at(back: float, aside: float) -> str:
        along = x - back * math.cos(turn), y - back * math.sin(turn)
        return f"{along[0] + aside * math.sin(turn):.2f} {along[1] - aside * math.cos(turn):.2f}"

    kind, half = said.get("type"), wide / 2
    if kind == "arrow":
        sides = f"M{at(long, half)} L{at(0, 0)} L{at(long, -half)}"
        return f'<path d="{sides}" fill="none" stroke="{colour}" stroke-width="{thick:.2f}"/>'
    corners = {
        "diamond": (at(long / 2, half), at(long, 0), at(long / 2, -half), at(0, 0)),
        "stealth": (at(0, 0), at(long, half), at(long * 0.6, 0), at(long, -half)),
    }.get(kind or "", (at(0, 0), at(long, half), at(long, -half)))
    # The middle of a diamond is where the line ends.
    moved = f' transform="translate({(long / 2) * math.cos(turn):.2f} {(long / 2) * math.sin(turn):.2f})"'
    return f'<path d="M{" L".join(corners)}Z" fill="{colour}"{moved if kind == "diamond" else ""}/>'


def _dashes(line: Element | None, thick: float) -> str:
    said = None if line is None else line.find(A + "prstDash")
    lengths = _DASHES.get("" if said is None else said.get("val") or "")
    return f' stroke-dasharray="{" ".join(f"{each * thick:.2f}" for each in lengths)}"' if lengths else ""
