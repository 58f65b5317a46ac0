"""Draw vertical boxes as horizontal ones that are rotated within boxes of exchanged sides (CSS Writing Modes 4, 7.3).

PlutoPrint writes from left to right only, but rotates boxes. What is in a vertical box goes into one as wide as the
vertical one is high; how high that becomes is the width of the vertical one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from io import BytesIO

from engine.families.html_pdf.plutoprint import output
from engine.families.html_pdf.plutoprint.declared import word_of
from engine.families.html_pdf.plutoprint.finishing import destinations
from engine.families.html_pdf.plutoprint.grid_measure import Draw
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.plutoprint.writing_modes import PICTURES, Modes, Turned
from engine.families.html_pdf.source.cleaning import Element

LAYOUTS = 4
"""What it takes to measure the boxes of one depth."""
TURNED = "data-fc-turned"
UNTURNED = f"fc-run[{TURNED}]{{transform:none!important}}"
"""A rule for copies of the page in which only places across the page are measured."""
LEVEL = "writing-mode:horizontal-tb"
"""PlutoPrint obeys the mode where it says what the block side of a margin is, which default styles name."""
_HERE = "data-fc-vertical"
_PX = 4 / 3
_WIDE = 12_000
"""CSS pixels of a line that is longer than any page."""
_SPARE = 0.05
"""CSS pixels that lines have more, as letters that fill them are rounded."""
_BARE = "margin:0!important;border:0!important;padding:0!important"
_MARK = f"display:block!important;width:1px!important;height:1px!important;{_BARE}"
_END = f"display:block!important;text-align:right!important;text-indent:0!important;height:1px!important;{_BARE}"
_SPOT = f"display:inline-block!important;width:1px!important;height:1px!important;{_BARE}"
_CELLS = frozenset(("td", "th"))
_INLINE = frozenset((
    "span", "a", "b", "i", "em", "strong", "small", "code", "label", "cite", "q", "u", "s", "font", "fc-run", "mark",
    "time", "abbr", "big", "sub", "sup", "tt", "var", "kbd", "samp", "del", "ins", "bdi", "bdo",
))  # fmt: skip


@dataclass(frozen=True)
class _Place:
    page: int
    left: float
    top: float


@dataclass
class _Box:
    """A vertical box: the element, and the box of ours that holds what was in it."""

    element: Element
    inner: Element
    back: bool
    """Whether it is rotated to the left."""
    mirrored: bool
    """Whether it is mirrored at its diagonal instead."""
    limited: bool
    """Whether its height is declared."""
    given: bool
    """Whether its width is."""
    sized: bool
    """Whether its width is, or what is around it decides it."""
    length: float = 0.0
    across: float = 0.0
    least: float = 0.0
    """The width that is given."""


@dataclass
class Blocks:
    """The vertical boxes of a page. `room` is the height and width that a page has, in CSS pixels."""

    root: Element
    modes: Modes
    draw: Draw
    room: tuple[float, float]
    restorable: Collection[Element] = ()
    """Boxes that can be horizontal as well."""

    def turn(self) -> list[Element]:
        """Turn the boxes, from the innermost to the outermost; returns those that would be wider than the page."""
        too_wide: list[Element] = []
        found = self.modes.turned
        for depth in sorted({each.depth for each in found}, reverse=True):
            too_wide += self._level([each for each in found if each.depth == depth])
        return too_wide

    def _level(self, level: Sequence[Turned]) -> list[Element]:
        boxes = [self._box(each) for each in level]
        lengths = self._measured(boxes, _endless)
        limits = self._limits(boxes, lengths)
        for at, box in enumerate(boxes):
            limit, most = limits.get(at), lengths.get(at, 0.0)
            box.length = min(most + 0.5, limit) if limit and not box.limited else (limit or most + 0.45) + _SPARE
        given = [box for box in boxes if box.given]
        for at, width in self._measured(given, _as_wide).items():
            given[at].least = width
        too_wide: list[Element] = []
        across = self._measured(boxes, _as_high)
        for at, box in enumerate(boxes):
            box.across = max(across.get(at, 1.0) - 1, 0.0)
            is_drawn = at in across or at not in lengths
            if (box.across > self.room[1] + 2 or not is_drawn) and box.element in self.restorable:
                too_wide.append(box.element)
            else:
                _place(box)
        return too_wide

    def _box(self, turned: Turned) -> _Box:
        element = turned.element
        if turned.outside:
            element = _around(element, self._word(element, "display"))
        inner = _wrapped(element)
        across, along = ("height", "width") if turned.around else ("width", "height")
        sides = ("left", "right") if turned.around else ("top", "bottom")
        back = turned.mode == "up" or turned.around in ("rl", "down")
        mirrored = "lr" in (turned.mode, turned.around)
        if turned.outside:
            return _Box(
                element, inner, back, mirrored, limited=False, given=False, sized=turned.element.tag in PICTURES
            )
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
            or (placed and all(self._is_sized(element, each) for each in sides))
        )
        cell = element.tag in _CELLS or display == "table-cell"
        return _Box(
            element, inner, back, mirrored, limited=limited, given=given, sized=given or apart or inline or cell
        )

    def _word(self, element: Element, name: str) -> str:
        return word_of(self.modes.said, element, name)

    def _is_flex(self, element: Element) -> bool:
        return self._word(element, "display") in ("flex", "inline-flex", "grid", "inline-grid")

    def _is_sized(self, element: Element, name: str) -> bool:
        return self._word(element, name) not in ("", "auto")

    def _limits(self, boxes: Sequence[_Box], lengths: dict[int, float]) -> dict[int, float]:
        """The length of lines for each box whose height is declared or may be more than the page has."""
        styles = {}
        most = self.room[0]
        for at, box in enumerate(boxes):
            bounds = (self._word(box.element, each) for each in ("max-height", "max-inline-size"))
            bounded = any(each not in ("", "none") for each in bounds)
            if box.limited:
                styles[at] = ""
            elif bounded:
                styles[at] = f"height:{_WIDE}px!important"
            elif lengths.get(at, 0.0) > 0.7 * most:
                styles[at] = f"height:{most:.2f}px!important;box-sizing:border-box!important"
        found = self._measured([box for at, box in enumerate(boxes) if at in styles], _filled, [*styles.values()])
        limits = {}
        for index, at in enumerate(styles):
            length = found.get(index, 0.0)
            if length > 2:
                limits[at] = length
            else:
                boxes[at].limited = False
                limits[at] = most
        return limits

    def _measured(
        self, boxes: Sequence[_Box], mark: Callable[[Element, Element, list[Element], _Box, str], float],
        styles: Sequence[str] = (),
    ) -> dict[int, float]:  # fmt: skip
        """What the marks say that `mark` puts into a copy of each box."""
        if not boxes:
            return {}
        for at, box in enumerate(boxes):
            box.element.set(_HERE, str(at))
        copied = copy.deepcopy(self.root)
        for box in boxes:
            del box.element.attrib[_HERE]
        links = copied.makeelement("div", hidden="")
        across: dict[int, bool] = {}
        for element in list(copied.iterfind(f".//*[@{_HERE}]")):
            at = int(element.attrib.pop(_HERE))
            marks = [element.makeelement("fc-run", id=f"fc-v-{at}-{end}") for end in (0, 1)]
            for each in marks:
                links.append(element.makeelement("a", href=f"#{each.get('id')}"))
            add_style(element, "break-inside:avoid!important;transform:none!important")
            across[at] = bool(mark(element, element[0], marks, boxes[at], styles[at] if styles else ""))
        copied.find("body").append(links)
        places = self._places(copied)
        found = {}
        for at, is_across in across.items():
            first, last = places.get(f"fc-v-{at}-0"), places.get(f"fc-v-{at}-1")
            if first is not None and last is None and is_across:
                found[at] = float(_WIDE)
            elif first is not None and last is not None:
                down = last.top - first.top + (last.page - first.page) * self.room[0]
                found[at] = max((last.left + 1 - first.left) if is_across else down, 0.0)
        return found

    def _places(self, copied: Element) -> dict[str, _Place]:
        with output.opened(BytesIO(self.draw(copied))) as pdf:
            pages = {page.obj.objgen: at for at, page in enumerate(pdf.pages)}
            return {
                name: _Place(pages[place[0].objgen], float(place[2]) * _PX, -float(place[3]) * _PX)
                for name, place in destinations(pdf).items()
                if name.startswith("fc-v-")
            }


def _endless(element: Element, inner: Element, marks: list[Element], box: _Box, style: str) -> float:
    """Let a box be as wide as its longest line, and mark both ends."""
    wide = element.makeelement("fc-run", style=f"display:block;position:absolute;width:{_WIDE}px;text-align:left")
    inner.set("style", f"{LEVEL};display:inline-block;min-width:1px")
    end = element.makeelement("fc-run", style=_END)
    marks[0].set("style", _MARK)
    marks[1].set("style", _SPOT)
    end.append(marks[1])
    element[:] = [wide]
    wide.append(inner)
    add_style(element, "position:static!important;float:none!important")
    _enclose(inner, marks[0], end)
    return 1.0


def _filled(element: Element, inner: Element, marks: list[Element], box: _Box, style: str) -> float:
    """Let an empty box be as high as it is declared."""
    for each in marks:
        each.set("style", _MARK)
    filler = element.makeelement("fc-run", style="display:block;height:100%")
    marks[1].set("style", f"{_MARK};margin-bottom:-1px!important")
    add_style(marks[0], "margin-bottom:-1px!important")
    element[:] = [marks[0], filler, marks[1]]
    add_style(element, style)
    return 0.0


def _as_high(element: Element, inner: Element, marks: list[Element], box: _Box, style: str) -> float:
    """Let a box have lines of its length, and mark its top and bottom."""
    for each in marks:
        each.set("style", _MARK)
    inner.set("style", f"{LEVEL};display:inline-block;width:{box.length:.2f}px;vertical-align:top")
    add_style(element, "height:auto!important;min-height:0!important;max-height:none!important")
    narrow = element.makeelement("fc-run", style="display:block;width:1px")
    element.replace(inner, narrow)  # lest what is beside it goes beyond the page, where places are unknown
    narrow.append(inner)
    _enclose(inner, *marks)
    return 0.0


def _as_wide(element: Element, inner: Element, marks: list[Element], box: _Box, style: str) -> float:
    """Mark both sides of an empty box."""
    end = element.makeelement("fc-run", style=_END)
    marks[0].set("style", _MARK)
    marks[1].set("style", _SPOT)
    end.append(marks[1])
    element[:] = [marks[0], end]
    return 1.0


def _enclose(inner: Element, first: Element, last: Element) -> None:
    first.tail, inner.text = inner.text, None
    inner.insert(0, first)
    inner.append(last)


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


def _place(box: _Box) -> None:
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
