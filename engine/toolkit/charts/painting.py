"""The colours, lines and letters that a chart part names (ECMA-376, part 1, 20.1.2, 20.1.8 and 21.1.2)."""

from __future__ import annotations

import colorsys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.toolkit.charts.model import Lettering, Paint, Place, Stroke
from engine.toolkit.charts.stored import ValuesOf, value
from engine.toolkit.shapes.lines import dashes_of
from engine.toolkit.xml_elements import child, children, is_on, local

_EMU = 12_700.0
_FILLS = ("solidFill", "gradFill", "pattFill", "blipFill", "noFill", "grpFill")
_VARIANTS = ((1.0, 0.0), (0.6, 0.0), (0.8, 0.2), (0.8, 0.0), (0.6, 0.4), (0.5, 0.0), (0.7, 0.3), (0.7, 0.0), (0.5, 0.5))
"""How the lightness of the accents changes in each further round of them (MS-ODRAWXML, 2.24.3.8: `variation`)."""

_GREYS = ("#555555", "#9e9e9e", "#727272", "#464646", "#838383", "#c1c1c1")
"""The tints of black of the first style (21.2.2.227)."""


@dataclass(frozen=True)
class Surroundings:
    """What a chart takes from its file: colours by element as CSS has them, and the accents of the theme."""

    colour: Callable[[Any], str | None]
    accents: Sequence[str]
    text: str = "#000000"
    size: float = 10.0
    """The size of text for which the chart says none."""
    font: str = ""
    """The font of text for which the chart says none."""
    framed: bool = False
    """Whether it has a white ground and a frame unless it says otherwise."""
    values_of: ValuesOf = field(default=lambda reference: [])


class Painter:
    """Reads looks, and counts in `undrawn` what is drawn in a simpler way, by its name."""

    def __init__(self, around: Surroundings, *, style: int = 2, count: int = 1) -> None:
        self._around, self._style, self._count = around, (max(style, 1) - 1) % 8, max(count, 1)
        self.undrawn: Counter[str] = Counter()

    def colour(self, element: Any) -> Paint | None:
        """The colour of an element such as `solidFill`."""
        found = self._around.colour(element) if element is not None else None
        if not found:
            return None
        opacity = int(found[7:9], 16) / 255 if len(found) == 9 else 1.0
        return Paint(found[:7].lower(), opacity)

    def fill(self, properties: Any, otherwise: Paint | None) -> Paint | None:
        """The fill of an element with an `spPr`; `otherwise` if it says nothing."""
        chosen = next(children(child(properties, "spPr"), *_FILLS), None)
        return otherwise if chosen is None else self._filled(chosen, otherwise)

    def _filled(self, chosen: Any, otherwise: Paint | None) -> Paint | None:
        kind = local(chosen)
        if kind == "noFill":
            return None
        if kind == "solidFill":
            return self.colour(chosen) or otherwise
        self.undrawn[{"gradFill": "gradient", "pattFill": "pattern"}.get(kind, "picture fill")] += 1
        if kind == "pattFill":
            return self.colour(child(chosen, "fgClr")) or otherwise
        if kind == "gradFill":
            stops = [each for each in map(self.colour, children(child(chosen, "gsLst"), "gs")) if each]
            return _mean(stops) if stops else otherwise
        return otherwise or Paint("#bfbfbf")

    def stroke(self, properties: Any, otherwise: Stroke | None, *, width: float = 0.75) -> Stroke | None:
        """The line of an element with an `spPr`; `otherwise` as far as it says nothing."""
        return self.line(child(properties, "spPr", "ln"), otherwise, width=width)

    def line(self, line: Any, otherwise: Stroke | None, *, width: float = 0.75) -> Stroke | None:
        if line is None:
            return otherwise
        chosen = next(children(line, *_FILLS), None)
        paint = otherwise.paint if otherwise else None
        if chosen is not None:
            paint = self._filled(chosen, paint)
        if paint is None:
            return None
        given = value(line.get("w"))
        thick = min(given / _EMU, 100.0) if given is not None else otherwise.width if otherwise else width
        return Stroke(paint, max(thick, 0.25), tuple(each * max(thick, 0.5) for each in dashes_of(line)))

    def lettering(self, properties: Any, otherwise: Lettering) -> Lettering:
        """The letters of an element with a `txPr` or `rich`."""
        body = next(children(properties, "txPr", "rich"), None)
        if body is None:
            return otherwise
        found = otherwise
        turned = child(body, "bodyPr")
        if turned is not None and (turn := value(turned.get("rot"))) is not None and abs(turn) <= 5_400_000:
            found = _with(found, turn=turn / 60_000)
        if turned is not None and (turned.get("vert") or "horz") in ("vert", "vert270", "eaVert"):
            found = _with(found, turn=90.0 if turned.get("vert") != "vert270" else -90.0)
        paragraph = child(body, "p")
        for own in (child(paragraph, "pPr", "defRPr"), child(paragraph, "r", "rPr")):
            found = self._run(own, found)
        return found

    def _run(self, own: Any, found: Lettering) -> Lettering:
        if own is None:
            return found
        size = value(own.get("sz"))
        paint = self.colour(child(own, "solidFill"))
        return Lettering(
            min(max(size / 100, 1.0), 400.0) if size is not None else found.size,
            is_on(own.get("b"), found.bold),
            is_on(own.get("i"), found.italic),
            paint or found.paint,
            found.turn,
        )

    def accent(self, number: int, count: int | None = None) -> Paint:
        """The automatic colour of a series or point by its number (21.2.2.227).

        Of each eight styles the first has shades of grey, the second all accents, and the others shades of one, for
        `count` series or points.
        """
        accents = self._around.accents
        if self._style != 1:
            if not self._style:
                return Paint(_GREYS[number % len(_GREYS)])
            base, most = accents[self._style - 2], count or self._count
            return Paint(_faded(base, (number % most + 1) / (most + 1) * 1.4 - 0.7))
        times, added = _VARIANTS[number // len(accents) % len(_VARIANTS)]
        plain = accents[number % len(accents)].lstrip("#")
        if times == 1.0:
            return Paint(f"#{plain.lower()}")
        red, green, blue = (int(plain[at : at + 2], 16) / 255 for at in (0, 2, 4))
        hue, light, full = colorsys.rgb_to_hls(red, green, blue)
        parts = colorsys.hls_to_rgb(hue, min(light * times + added, 1.0), full)
        return Paint("#" + "".join(f"{round(each * 255):02x}" for each in parts))


def place(element: Any) -> Place | None:
    """The place of an element with a `layout`, if it is not automatic (21.2.2.95)."""
    found = child(element, "layout", "manualLayout")
    given = {local(each): each.get("val") or "" for each in children(found)}
    x, y, width, height = (value(given.get(each)) for each in "xywh")
    if x is None or y is None or not (-1 <= x <= 1 and -1 <= y <= 1):
        return None
    if given.get("xMode") != "edge" or given.get("yMode") != "edge":
        return None
    if width is not None and height is not None:
        if given.get("wMode") == "edge":
            width -= x
        if given.get("hMode") == "edge":
            height -= y
        if not (0 < width <= 1 and 0 < height <= 1):
            return None
    return Place(x, y, width, height, given.get("layoutTarget") == "inner")


def _with(found: Lettering, *, turn: float) -> Lettering:
    return Lettering(found.size, found.bold, found.italic, found.paint, turn)


def _faded(colour: str, share: float) -> str:
    """A colour darker by a share below zero, or lighter by one above it."""
    parts = [int(colour.lstrip("#")[at : at + 2], 16) for at in (0, 2, 4)]
    changed = [each * (1 + share) if share < 0 else each + (255 - each) * share for each in parts]
    return "#" + "".join(f"{round(each):02x}" for each in changed)


def _mean(stops: Sequence[Paint]) -> Paint:
    parts = [[int(each.colour[at : at + 2], 16) for each in stops] for at in (1, 3, 5)]
    colour = "#" + "".join(f"{round(sum(each) / len(each)):02x}" for each in parts)
    return Paint(colour, sum(each.opacity for each in stops) / len(stops))
