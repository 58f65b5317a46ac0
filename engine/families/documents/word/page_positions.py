"""Positions of drawings on their page, which the text around them tells only after layout (ECMA-376, part 1, 20.4)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import WP, emu, pt
from engine.families.documents.word.sections import Paper

# XML has none of these characters.
_MARK = re.compile("\x03(\\w+):(\\w+):(-?[0-9.]+):([0-9.]+):(\\w*):(-?[0-9.]+)\x04")

_EDGE = 0.1
"""Points of rounding."""
_ABOVE = 1.0
"""Points between the room of a drawing and the end of the text, as a float that ends there may begin another page."""

Find = Callable[[str], tuple[int, float] | None]
"""Finds a place, an id of the body: the index of its page, and how many points it is below the upper edge."""


@dataclass(frozen=True)
class TakenRoom:
    """What is kept free of text for a drawing that is anchored at a place: its side, and where it begins and ends."""

    place: str
    side: str
    top: float
    bottom: float

    def floor(self, side: str) -> float:
        """How far down the next float at a side begins at least, on the same page: floats keep their order."""
        return self.bottom if side == self.side or "both" in (side, self.side) else self.top


def from_top(place: Element, paper: Paper, high: float) -> float:
    """The points from the upper edge of the paper to a drawing of this height with this `wp:positionV`."""
    start, room = _region(place, (0.0, paper.height), (paper.top, paper.bottom))
    return _within(place, start, room, high, {"center": 0.5, "bottom": 1.0, "outside": 1.0})


def from_margin(place: Element, paper: Paper, wide: float) -> float:
    """The points from the left margin to a drawing of this width with this `wp:positionH`.

    The text has one column.
    """
    start, room = _region(place, (0.0, paper.width), (paper.left, paper.right))
    return _within(place, start, room, wide, {"center": 0.5, "right": 1.0, "outside": 1.0}) - paper.left


def _region(place: Element, whole: tuple[float, float], margins: tuple[float, float]) -> tuple[float, float]:
    """Where the region that a position refers to begins, and its length."""
    before, after = margins
    origin = place.get("relativeFrom") or ""
    if origin in ("leftMargin", "topMargin", "insideMargin"):
        return 0.0, before
    if origin in ("rightMargin", "bottomMargin", "outsideMargin"):
        return whole[1] - after, after
    return whole if origin == "page" else (before, whole[1] - before - after)


def _within(place: Element, start: float, room: float, length: float, shares: dict[str, float]) -> float:
    align = (place.findtext(WP + "align") or "").strip()
    if align:
        return start + shares.get(align, 0.0) * (room - length)
    return start + emu(place.findtext(WP + "posOffset"))


def mark(place: str) -> str:
    """A placeholder for the distance from a `place`, an id of the body, to the upper edge of its paper."""
    return f"\x03from:{place}:0:0::0\x04"


def room(place: str, side: str, top: float, high: float, before: TakenRoom | None) -> tuple[str, str]:
    """Placeholders for the distance and the height of the room that a drawing takes below a `place`.

    The distance is from the room that was taken `before`, if that is on the same page and lower than the place.
    """
    other, floor = ("", 0.0) if before is None else (before.place, before.floor(side))
    return (
        f"\x03down:{place}:{top:.2f}:0:{other}:{floor:.2f}\x04",
        f"\x03high:{place}:{top:.2f}:{high:.2f}:{other}:{floor:.2f}\x04",
    )


def text_height(place: str, bottom: float) -> str:
    """A placeholder for the height of a page down to the end of its text, which is at most at the `bottom`."""
    return f"\x03page:{place}:{bottom:.2f}:0::0\x04"


def asked(markup: str) -> list[str]:
    """The places whose distances the placeholders ask for."""
    return [match[2] for match in _MARK.finditer(markup)]


def moves_text(markup: str) -> bool:
    """Whether a drawing takes room from the text, so that a layout with it differs from one without."""
    return "\x03high:" in markup


def filled(markup: str, find: Find, end: float = inf) -> str:
    """The same markup with lengths for its placeholders; the text of a page has an `end` below its upper edge."""

    def written(match: re.Match[str]) -> str:
        kind, place, top, high, before, floor = match.groups()
        if kind == "page":
            return pt(min(float(top), end - _EDGE))
        at = find(place)
        if at is None:
            return "0pt"
        earlier = find(before) if before else None
        begins = at[1]
        if earlier is not None and earlier[0] == at[0]:
            begins = max(begins, float(floor))
        down = float(top) - begins
        if kind != "high":
            return pt(down if kind == "from" else max(down, 0.0))
        return pt(max(min(float(high), end - _ABOVE - float(top)) + min(down, 0.0), 0.0))

    return _MARK.sub(written, markup)
