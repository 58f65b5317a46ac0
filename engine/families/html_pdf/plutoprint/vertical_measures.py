"""Measure vertical boxes by the positions of named marks in copies of the page that are drawn horizontally."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO

from engine.families.html_pdf.plutoprint import measured_places, output
from engine.families.html_pdf.plutoprint.grid_measure import Draw
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element

LAYOUTS = 4
"""What it takes to measure the boxes of one depth."""
TURNED = "data-fc-turned"
UNTURNED = f"fc-run[{TURNED}]{{transform:none!important}}"
"""A rule for copies of the page in which only places across the page are measured."""
LEVEL = "writing-mode:horizontal-tb"
"""PlutoPrint obeys the mode where it says what the block side of a margin is, which default styles name."""
_HERE = "data-fc-vertical"
WIDE = 12_000
"""CSS pixels of a line that is longer than any page."""
_BARE = "margin:0!important;border:0!important;padding:0!important"
_MARK = f"display:block!important;width:1px!important;height:1px!important;{_BARE}"
_END = f"display:block!important;text-align:right!important;text-indent:0!important;height:1px!important;{_BARE}"
_SPOT = f"display:inline-block!important;width:1px!important;height:1px!important;{_BARE}"


@dataclass
class Box:
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


Mark = Callable[[Element, Element, list[Element], Box, str], bool]
"""Puts marks into a copy of a box, by its element and the inner box; returns whether they are beside each other."""


@dataclass
class Measure:
    """Measures boxes of a page whose paper has room of a height, in CSS pixels."""

    root: Element
    draw: Draw
    high: float

    def __call__(self, boxes: Sequence[Box], mark: Mark, styles: Sequence[str] = ()) -> dict[int, float]:
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
            across[at] = mark(element, element[0], marks, boxes[at], styles[at] if styles else "")
        copied.find("body").append(links)
        with output.opened(BytesIO(self.draw(copied))) as pdf:
            places = measured_places.places(pdf, "fc-v-")
        found = {}
        for at, is_across in across.items():
            first, last = places.get(f"fc-v-{at}-0"), places.get(f"fc-v-{at}-1")
            if first is not None and last is None and is_across:
                found[at] = float(WIDE)
            elif first is not None and last is not None:
                down = last.top - first.top + (last.page - first.page) * self.high
                found[at] = max((last.left + 1 - first.left) if is_across else down, 0.0)
        return found


def endless(element: Element, inner: Element, marks: list[Element], box: Box, style: str) -> bool:
    """Let a box be as wide as its longest line, and mark both ends."""
    wide = element.makeelement("fc-run", style=f"display:block;position:absolute;width:{WIDE}px;text-align:left")
    inner.set("style", f"{LEVEL};display:inline-block;min-width:1px")
    end = element.makeelement("fc-run", style=_END)
    marks[0].set("style", _MARK)
    marks[1].set("style", _SPOT)
    end.append(marks[1])
    element[:] = [wide]
    wide.append(inner)
    add_style(element, "position:static!important;float:none!important")
    _enclose(inner, marks[0], end)
    return True


def filled(element: Element, inner: Element, marks: list[Element], box: Box, style: str) -> bool:
    """Let an empty box be as high as it is declared."""
    for each in marks:
        each.set("style", _MARK)
    filler = element.makeelement("fc-run", style="display:block;height:100%")
    marks[1].set("style", f"{_MARK};margin-bottom:-1px!important")
    add_style(marks[0], "margin-bottom:-1px!important")
    element[:] = [marks[0], filler, marks[1]]
    add_style(element, style)
    return False


def as_high(element: Element, inner: Element, marks: list[Element], box: Box, style: str) -> bool:
    """Let a box have lines of its length, and mark its top and bottom."""
    for each in marks:
        each.set("style", _MARK)
    inner.set("style", f"{LEVEL};display:inline-block;width:{box.length:.2f}px;vertical-align:top")
    add_style(element, "height:auto!important;min-height:0!important;max-height:none!important")
    narrow = element.makeelement("fc-run", style="display:block;width:1px")
    element.replace(inner, narrow)  # lest what is beside it goes beyond the page, where places are unknown
    narrow.append(inner)
    _enclose(inner, *marks)
    return False


def as_wide(element: Element, inner: Element, marks: list[Element], box: Box, style: str) -> bool:
    """Mark both sides of an empty box."""
    end = element.makeelement("fc-run", style=_END)
    marks[0].set("style", _MARK)
    marks[1].set("style", _SPOT)
    end.append(marks[1])
    element[:] = [marks[0], end]
    return True


def _enclose(inner: Element, first: Element, last: Element) -> None:
    first.tail, inner.text = inner.text, None
    inner.insert(0, first)
    inner.append(last)
