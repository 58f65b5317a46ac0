"""The line of a shape as SVG: its width, dashes and heads (ECMA-376, part 1, 20.1.2.2.24)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.toolkit.shapes import arcs
from engine.toolkit.shapes.fills import opacity
from engine.toolkit.shapes.geometry import Outline
from engine.toolkit.xml_elements import child, children, local, number

_HEADS = {"sm": 2.0, "med": 3.0, "lg": 5.0}
_DASHES = {
    "dot": (1, 3), "sysDot": (1, 1), "dash": (4, 3), "sysDash": (3, 1), "lgDash": (8, 3), "dashDot": (4, 3, 1, 3),
    "lgDashDot": (8, 3, 1, 3), "lgDashDotDot": (8, 3, 1, 3, 1, 3), "sysDashDot": (3, 1, 1, 1),
    "sysDashDotDot": (3, 1, 1, 1, 1, 1),
}  # fmt: skip
"""Lengths of strokes and gaps in widths of the line (20.1.10.48)."""
_EMU = 12_700.0
_THINNEST, _THICKEST = 0.25, 1_584.0
"""Points between which the width of a line is."""
_USUAL = 0.75
"""Points of a line without a width (20.1.2.2.24)."""
_CAPS = {"rnd": "round", "sq": "square"}
_CONNECTORS = ("line", "straightConnector", "bentConnector", "curvedConnector")
_SHARE = 100_000.0
_MOST = 16
"""Strokes and gaps of a dash of its own."""


@dataclass(frozen=True)
class Head:
    """What a line ends with: its kind, and its length and width in widths of the line."""

    kind: str
    long: float
    wide: float

    def far(self, thick: float) -> float:
        """The points that it may reach beyond the end of a line of this width."""
        return max(self.long, self.wide) * max(thick, 1.0)


@dataclass(frozen=True)
class Line:
    """A line: its colour as CSS, its width in points, its dashes in widths of it, and its heads."""

    colour: str
    thick: float = 0.75
    dashes: tuple[float, ...] = ()
    first: Head | None = None
    last: Head | None = None
    cap: str = "butt"
    """How its ends and dashes end, as in SVG."""

    @property
    def heads(self) -> tuple[Head, ...]:
        return tuple(each for each in (self.first, self.last) if each is not None)

    def attributes(self) -> str:
        """How an SVG path is drawn with it."""
        opacity = f' stroke-opacity="{int(self.colour[7:9], 16) / 255:.3f}"' if len(self.colour) == 9 else ""
        dashes = " ".join(f"{each * self.thick:.2f}" for each in self.dashes)
        return (
            f' stroke="{self.colour[:7]}" stroke-width="{self.thick:.2f}"{opacity}'
            + (f' stroke-dasharray="{dashes}"' if dashes else "")
            + (f' stroke-linecap="{self.cap}"' if self.cap != "butt" else "")
        )


def is_connector(properties: Any) -> bool:
    """Whether a shape with these properties (`spPr`) is a line, which is black if it has no colour."""
    geometry = child(properties, "prstGeom")
    return geometry is not None and (geometry.get("prst") or "").startswith(_CONNECTORS)


def line_of(
    properties: Any, style: Any, colours: Callable[[Any], str | None], widths: Sequence[float] = ()
) -> Line | None:
    """The line of a shape with these properties (`spPr`) and this style; a connector is black by default.

    `colours` gives the colour of an element such as `a:solidFill` as CSS, `widths` are those of the theme in points.
    """
    own, reference = child(properties, "ln"), child(style, "lnRef")
    if child(own, "noFill") is not None:
        return None
    index = 0 if reference is None else int(number(reference.get("idx")))
    stops = filter(None, map(colours, children(child(own, "gradFill", "gsLst"), "gs")))
    said = child(own, "solidFill"), child(own, "pattFill", "fgClr")
    found = next((colour for each in said if each is not None and (colour := colours(each))), None)
    # A gradient that begins with nothing would be no line.
    found = found or max(stops, key=opacity, default=None)
    found = found or (colours(reference) if index else None) or ("#000000" if is_connector(properties) else None)
    if found is None:
        return None
    thick = widths[index - 1] if 0 < index <= len(widths) else _USUAL
    if own is not None and own.get("w"):
        thick = min(number(own.get("w")) / _EMU, _THICKEST)
    return Line(found, max(thick, _THINNEST), dashes_of(own), *heads_of(own), cap_of(own))


def dashes_of(element: Any) -> tuple[float, ...]:
    """The dashes of an `a:ln`; none for a continuous line."""
    for each in children(element):
        name = local(each)
        if name == "prstDash":
            return _DASHES.get(each.get("val") or "", ())
        if name == "custDash":
            lengths = [
                _share(stop.get(side)) for stop in list(children(each, "ds"))[: _MOST // 2] for side in ("d", "sp")
            ]
            return tuple(lengths) if any(lengths) else ()
    return ()


def heads_of(element: Any) -> tuple[Head | None, Head | None]:
    """The heads of an `a:ln` at its first and last point."""
    found: dict[str, Head] = {}
    for each in children(element, "headEnd", "tailEnd"):
        if (each.get("type") or "none") != "none":
            found[local(each)] = Head(each.get("type"), *(_head_size(each.get(side)) for side in ("len", "w")))
    return found.get("headEnd"), found.get("tailEnd")


def cap_of(element: Any) -> str:
    """How the line of an `a:ln` ends, as in SVG."""
    return _CAPS.get("" if element is None else element.get("cap") or "", "butt")


def _head_size(text: str | None) -> float:
    """Widths of the line, also as the number that heads of OpenDocument have."""
    known = _HEADS.get(text or "med")
    return known if known is not None else min(max(number(text, 3.0), 1.0), 100.0)


def heads(line: Line, outline: Outline) -> Iterator[Outline]:
    """Yield the heads of a line at the ends of a path, in the colour of the line; a closed path has none."""
    if any(kind == "Z" for kind, _ in outline.steps) or len(outline.steps) < 2:
        return
    points = [point for _, point in outline.steps]
    ends = (
        (line.first, points[0][-2:], points[1][:2]),
        (line.last, points[-1][-2:], points[-1][-4:-2] if len(points[-1]) > 2 else points[-2][-2:]),
    )
    for head, at, behind in ends:
        if head is not None:
            yield _head(head, line.thick, at, behind)


def _head(head: Head, thick: float, at: tuple[float, ...], behind: tuple[float, ...]) -> Outline:
    x, y = at
    long, wide = (each * max(thick, 1.0) for each in (head.long, head.wide))
    turn, half = math.atan2(y - behind[1], x - behind[0]), wide / 2

    def place(back: float, aside: float) -> tuple[float, float]:
        along = x - back * math.cos(turn), y - back * math.sin(turn)
        return along[0] + aside * math.sin(turn), along[1] - aside * math.cos(turn)

    if head.kind == "oval":
        start = x + long / 2, y
        round_ = arcs.curves(start, (long / 2, half), 0.0, 2 * math.pi)
        return Outline((("M", start), *(("C", each) for each in round_), ("Z", ())), stroked=False)
    if head.kind == "arrow":
        sides = place(long, half), place(0, 0), place(long, -half)
        return Outline((("M", sides[0]), ("L", sides[1]), ("L", sides[2])), fill="none")
    corners = {
        # The middle of a diamond is where the line ends.
        "diamond": (place(0, half), place(long / 2, 0), place(0, -half), place(-long / 2, 0)),
        "stealth": (place(0, 0), place(long, half), place(long * 0.6, 0), place(long, -half)),
    }.get(head.kind, (place(0, 0), place(long, half), place(long, -half)))
    return Outline((("M", corners[0]), *(("L", each) for each in corners[1:]), ("Z", ())), stroked=False)


def _share(text: str | None) -> float:
    digits = (text or "").removesuffix("%")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 9:
        return 0.0
    return min(int(digits) / (100.0 if digits != text else _SHARE), 100.0)
