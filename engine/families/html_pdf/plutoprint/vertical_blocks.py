"""Draw vertical boxes as horizontal ones that are rotated within boxes of exchanged sides (CSS Writing Modes 4, 7.3).

PlutoPrint writes from left to right only, but rotates boxes. What is in a vertical box goes into one as wide as the
vertical one is high; how high that becomes is the width of the vertical one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.families.html_pdf.plutoprint.declared import word_of
from engine.families.html_pdf.plutoprint.grid_measure import Draw
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.plutoprint.vertical_measures import (
    LEVEL,
    TURNED,
    WIDE,
    Box,
    Measure,
    as_high,
    as_wide,
    endless,
    filled,
)
from engine.families.html_pdf.plutoprint.writing_modes import PICTURES, Modes, Turned
from engine.families.html_pdf.source.cleaning import Element

_SPARE = 0.05
"""CSS pixels that lines of a declared length have more, as letters that fill them are rounded."""
_LONGER = 0.5
"""CSS pixels that lines as long as their text have more."""
_PLACES = {"center": "center", "right": "flex-end", "end": "flex-end"}
_CELLS = frozenset(("td", "th"))
_INLINE = frozenset((
    "span", "a", "b", "i", "em", "strong", "small", "code", "label", "cite", "q", "u", "s", "font", "fc-run", "mark",
    "time", "abbr", "big", "sub", "sup", "tt", "var", "kbd", "samp", "del", "ins", "bdi", "bdo",
))  # fmt: skip


@dataclass
class Blocks:
    """The vertical boxes of a page. `room` is the height and width that a page has, in CSS pixels."""

    root: Element
    modes: Modes
    draw: Draw
    room: tuple[float, float]
    restorable: Collection[Element] = ()
    """Boxes that can be horizontal as well."""

    def __post_init__(self) -> None:
        self._measured = Measure(self.root, self.draw, self.room[0])

    def turn(self) -> list[Element]:
        """Turn the boxes, from the innermost to the outermost; returns those that would be wider than the page."""
        too_wide: list[Element] = []
        found = self.modes.turned
        for depth in sorted({each.depth for each in found}, reverse=True):
            too_wide += self._level([each for each in found if each.depth == depth])
        return too_wide

    def _level(self, level: Sequence[Turned]) -> list[Element]:
        boxes = [self._box(each) for each in level]
        lengths = self._measured(boxes, endless)
        limits = self._limits(boxes, lengths)
        for at, box in enumerate(boxes):
            limit, longest = limits.get(at), lengths.get(at, 0.0) + _LONGER
            box.length = longest if not limit else limit + _SPARE if box.limited else min(longest, limit)
        given = [box for box in boxes if box.given]
        for at, width in self._measured(given, as_wide).items():
            given[at].least = width
        too_wide: list[Element] = []
        across = self._measured(boxes, as_high)
        for at, box in enumerate(boxes):
            box.across = max(across.get(at, 1.0) - 1, 0.0)
            is_drawn = at in across or at not in lengths
            if (box.across > self.room[1] + 2 or not is_drawn) and box.element in self.restorable:
                too_wide.append(box.element)
            else:
                _place(box)
        return too_wide

    def _box(self, turned: Turned) -> Box:
        element = turned.element
        if turned.outside:
            element = _around(element, self._word(element, "display"))
        inner = _wrapped(element)
        across, along = ("height", "width") if turned.around else ("width", "height")
        back = turned.mode == "up" or turned.around in ("rl", "down")
        mirrored = "lr" in (turned.mode, turned.around)
        if turned.outside:
            return Box(element, inner, back, mirrored, limited=False, given=False, sized=turned.element.tag in PICTURES)
        placed = self._word(element, "position") in ("absolute", "fixed")
        apart = placed or self._word(element, "float") not in ("", "none") or self._is_flex(element.getparent())
        display = self._word(element, "display")
        inline = display.startswith("inline") or (not display and element.tag in _INLINE)
        if inline and not apart:
            add_style(element, "display:inline-block!important")
        logical = ("inline-size", "block-size") if turned.around else ("block-size", "inline-size")
        given = self._is_sized(element, across) or self._is_sized(element, logical[0])
        limited = (
            self._is_sized(element, along)
            or self._is_sized(element, logical[1])
            or (placed and not turned.around and all(self._is_sized(element, each) for each in ("top", "bottom")))
        )
        if self._is_flex(element.getparent()) and not limited:
            self._centre(element, turned)
        cell = element.tag in _CELLS or display == "table-cell"
        return Box(element, inner, back, mirrored, limited=limited, given=given, sized=given or apart or inline or cell)

    def _centre(self, element: Element, turned: Turned) -> None:
        """Place the text of a flex item, which may be higher than it, where its lines would be aligned."""
        aligned = (self._word(each, "text-align") for each in (element, *element.iterancestors()))
        place = _PLACES.get(next((each for each in aligned if each), ""))
        if place is not None and turned.mode != "up" and not turned.around:
            add_style(element, f"display:flex!important;flex-direction:column;justify-content:{place}")

    def _word(self, element: Element, name: str) -> str:
        return word_of(self.modes.said, element, name)

    def _is_flex(self, element: Element) -> bool:
        return self._word(element, "display") in ("flex", "inline-flex", "grid", "inline-grid")

    def _is_sized(self, element: Element, name: str) -> bool:
        return self._word(element, name) not in ("", "auto")

    def _limits(self, boxes: Sequence[Box], lengths: dict[int, float]) -> dict[int, float]:
        """The length of lines for each box whose height is declared or may be more than the page has."""
        styles = {}
        most = self.room[0]
        for at, box in enumerate(boxes):
            bounds = (self._word(box.element, each) for each in ("max-height", "max-inline-size"))
            bounded = any(each not in ("", "none") for each in bounds)
            if box.limited:
                styles[at] = ""
            elif bounded:
                styles[at] = f"height:{WIDE}px!important"
            elif lengths.get(at, 0.0) > 0.7 * most:
                styles[at] = f"height:{most:.2f}px!important;box-sizing:border-box!important"
        found = self._measured([box for at, box in enumerate(boxes) if at in styles], filled, [*styles.values()])
        limits = {}
        for index, at in enumerate(styles):
            length = found.get(index, 0.0)
            if length > 2:
                limits[at] = length
            else:
                boxes[at].limited = False
                limits[at] = most
        return limits


def _around(element: Element, display: str) -> Element:
    """A box of ours around a picture, or around what is no plain box."""
    plain = element.tag in PICTURES or display.startswith("inline")
    style = "display:inline-block;vertical-align:middle" if plain else "display:block"
    box = element.makeelement("fc-run", style=style)
    box.tail, element.tail = element.tail, None
    element.getparent().replace(element, box)
    box.append(element)
    return box


def _wrapped(element: Element) -> Element:
    """All that is in an element within a box of ours."""
    inner = element.makeelement("fc-run", style=LEVEL)
    inner.text, element.text = element.text, None
    inner.extend(list(element))
    element.append(inner)
    return inner


def _place(box: Box) -> None:
    """Rotate the inner box within one of exchanged sides."""
    outer = box.inner.makeelement("fc-run")
    box.element.replace(box.inner, outer)
    outer.append(box.inner)
    least = "" if box.given else f"min-width:{box.across:.2f}px;"
    outer.set("style", f"display:block;position:relative;{least}height:{box.length:.2f}px")
    high = f"min-height:{box.least:.2f}px;" if box.least else ""
    start = "left:0;top:100%" if box.back else "left:100%;top:0"
    turn = f"rotate({'-' if box.back else ''}90deg)"
    if box.mirrored:
        start, turn = "left:0;top:0", "matrix(0,1,1,0,0,0)"
    box.inner.set(TURNED, "")
    box.inner.set(
        "style",
        f"{LEVEL};display:inline-block;position:absolute;{start};{high}width:{box.length:.2f}px;transform-origin:0 0;"
        f"transform:{turn}",
    )
    add_style(box.element, "break-inside:avoid")
    if not box.sized:
        add_style(box.element, f"width:{box.across:.2f}px;box-sizing:content-box;height:auto!important")
