"""Give boxes with a ratio of their sides (`aspect-ratio`, CSS Sizing 4, 4) the length that it asks for.

PlutoPrint has no such ratios. Where the width is not a plain length, it is measured.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.families.html_pdf.css.ignored import KIND
from engine.families.html_pdf.paper import PT
from engine.families.html_pdf.plutoprint.declared import Declared, in_order, of_page
from engine.families.html_pdf.plutoprint.grid_measure import Draw, rooms
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Warn

MOST = 2_000
"""The boxes of a page whose width is measured: two marks each, 0.1 ms."""
_ASKED = re.compile(r"(?<![\w-])aspect-ratio\s*+:")
_RATIO = re.compile(r"(?:auto\s++)?(\d++(?:\.\d++)?|\.\d++)(?:\s*+/\s*+(\d++(?:\.\d++)?|\.\d++))?")
_NATURAL = re.compile(r"(?<![\w-])auto(?![\w-])")
_LENGTH = re.compile(r"(\d++(?:\.\d++)?|\.\d++)(px|pt|pc|in|cm|mm|q)")
_SHARE = re.compile(r"(\d++(?:\.\d++)?|\.\d++)%")
_NAMES = ("aspect-ratio", "width", "height", "display")
_PICTURES = frozenset(("img", "svg"))
_INLINE = frozenset(("inline", "contents", "none"))
_CELLS = frozenset(("td", "th", "tr", "thead", "tbody", "tfoot", "table", "html", "body"))
_LARGEST = 20_000.0
_LEAST = 0.0001


@dataclass(frozen=True)
class Box:
    """An element, its width divided by its height, and the width and height that it declares."""

    element: Element
    ratio: float
    width: str
    height: str


def found(page: Page, sheets: Sequence[str], *, media: str) -> list[Box]:
    """The boxes with such a ratio that decides one of their sides."""
    if not any(_ASKED.search(each) for each in sheets):
        return []
    said = of_page(page, sheets, _NAMES, media=media, merged=in_order)
    return [box for element in said if (box := _box(element, said)) is not None]


def lower(root: Element, boxes: Sequence[Box], draw: Draw, warn: Warn) -> None:
    """Set the other side of each box; name those whose width is unknown."""
    open_ones: list[Box] = []
    unknown: list[Box] = []
    for box in boxes:
        width, height = _pixels(box.width), _pixels(box.height)
        if height is not None:
            add_style(box.element, f"width:{min(height * box.ratio, _LARGEST):.2f}px")
        elif width is not None:
            _set_height(box, width)
        elif len(open_ones) < MOST and (box.element.tag not in _PICTURES or _SHARE.fullmatch(box.width)):
            open_ones.append(box)
        else:
            unknown.append(box)
    # An outer box first, as the height of another inside it is of no matter to its width.
    measured = list(dict.fromkeys(map(_measured, open_ones)))
    room = dict(zip(measured, rooms(root, measured, draw), strict=True)) if measured and draw.affords() else {}
    for box in open_ones:
        width = room.get(_measured(box))
        if width is None:
            unknown.append(box)
        elif box.element.tag in _PICTURES:
            share = _SHARE.fullmatch(box.width)
            _set_height(box, width * (float(share[1]) / 100 if share else 1.0))
        else:
            _set_height(box, width)
    warn.tally(KIND, len(unknown), ["aspect-ratio"] * len(unknown), part="ratios")


def _box(element: Element, said: Declared) -> Box | None:
    own = {name: value.replace("!important", "").strip().lower() for name, value in said[element].items()}
    ratio = _RATIO.fullmatch(own.get("aspect-ratio", ""))
    if ratio is None or element.tag in _CELLS or own.get("display", "") in _INLINE:
        return None
    if element.tag == "img" and _NATURAL.search(own["aspect-ratio"]):
        return None  # its own ratio comes first
    value = float(ratio[1]) / max(float(ratio[2] or 1), _LEAST)
    width, height = (own.get(name) or _attribute(element, name) for name in ("width", "height"))
    is_either = (_given(width) and _given(height)) or value < _LEAST
    return None if is_either else Box(element, value, width, height)


def _attribute(element: Element, name: str) -> str:
    value = (element.get(name) or "").strip() if element.tag in _PICTURES else ""
    return f"{value}px" if value.isdecimal() else value


def _given(value: str) -> bool:
    return value not in ("", "auto", "initial", "unset", "inherit")


def _pixels(value: str) -> float | None:
    match = _LENGTH.fullmatch(value)
    return float(match[1]) * PT[match[2]] / PT["px"] if match else None


def _measured(box: Box) -> Element:
    """The box whose room is measured: that around a picture, else the box itself."""
    return box.element.getparent() if box.element.tag in _PICTURES else box.element


def _set_height(box: Box, width: float) -> None:
    height = f"{min(width / box.ratio, _LARGEST):.2f}px"
    # More text makes a box higher; the shares of boxes and pictures in it need its height.
    is_open = box.element.tag not in _PICTURES and "".join(box.element.itertext()).strip()
    add_style(box.element, f"min-height:{height}" if is_open else f"height:{height}")
