"""Measure grids and their items with PlutoPrint, by the positions of named marks in a PDF."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO

from engine.families.html_pdf.plutoprint import output
from engine.families.html_pdf.plutoprint.finishing import destinations
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.plutoprint.laying_again import Work
from engine.families.html_pdf.source.cleaning import Element

Draw = Work[[Element], bytes]
"""Draws a tree as a PDF at page size, on paper with MARGIN additional points at its right."""
_PX = 4 / 3
_BARE = "margin:0!important;border:0!important;padding:0!important"
_MARK = f"display:block!important;flex:none!important;width:1px!important;height:1px!important;{_BARE}"
_HERE = "data-fc-grid"
_WIDE = 20_000
LAYOUTS = 3
"""What `measure` takes, of the whole page; `rooms` takes one."""
MARGIN = 16_500.0
"""Points of additional paper: positions beyond its edge are unknown."""


@dataclass(frozen=True)
class Measured:
    """The width of a grid, and the minimum and maximum width of each item with its margins; in CSS pixels."""

    room: float
    least: tuple[float, ...]
    most: tuple[float, ...]


def measure(root: Element, grids: Sequence[tuple[Element, Sequence[Element]]], draw: Draw) -> list[Measured | None]:
    """Measure each grid and its items with PlutoPrint; None for one that is not drawn."""
    inside = rooms(root, [grid for grid, _ in grids], draw)
    for at, (grid, items) in enumerate(grids):
        grid.set(_HERE, str(at))
        for index, item in enumerate(items):
            item.set(_HERE, f"{at}.{index}")
    try:
        most = _drawn(root, draw, lambda grid, items, marks: _line(grid, items, marks, f"width:{_WIDE}px", "0 0 auto"))
        least = _drawn(root, draw, lambda grid, items, marks: _line(grid, items, marks, "width:0", "0 1 auto"))
    finally:
        for grid, items in grids:
            for each in (grid, *items):
                each.attrib.pop(_HERE, None)
    found: list[Measured | None] = []
    for at, ((_, items), room) in enumerate(zip(grids, inside, strict=True)):
        sizes = _sizes(least, at, len(items)), _sizes(most, at, len(items))
        found.append(None if room is None else Measured(room, *sizes))
    return found


def rooms(root: Element, parents: Sequence[Element], draw: Draw) -> list[float | None]:
    """The width inside each of these boxes in CSS pixels; None for one that is not drawn."""
    for at, parent in enumerate(parents):
        parent.set(_HERE, str(at))
    try:
        places = _drawn(root, draw, _room)
    finally:
        for parent in parents:
            parent.attrib.pop(_HERE, None)
    ends = [(places.get(f"fc-m-{at}-0"), places.get(f"fc-m-{at}-1")) for at in range(len(parents))]
    return [None if left is None or right is None else right + 1 - left for left, right in ends]


def widths(root: Element, boxes: Sequence[Element], draw: Draw) -> list[float | None]:
    """The widths of boxes in lines in CSS pixels; None for one that is not drawn, infinite beyond the page."""
    for at, box in enumerate(boxes):
        box.set(_HERE, str(at))
    try:
        places = _drawn(root, draw, _around)
    finally:
        for box in boxes:
            box.attrib.pop(_HERE, None)
    ends = [(places.get(f"fc-m-{at}-0"), places.get(f"fc-m-{at}-1")) for at in range(len(boxes))]
    return [None if left is None else math.inf if right is None else right - left - 1 for left, right in ends]


def least_widths(root: Element, items: Sequence[Element], styles: Sequence[str], draw: Draw) -> list[float | None]:
    """The widths of flex items with one more style each, without margins, in CSS pixels; None for one not drawn."""
    own = dict(zip(map(str, range(len(items))), styles, strict=True))
    for at, item in enumerate(items):
        item.set(_HERE, str(at))
    try:
        places = _drawn(root, draw, lambda item, _, marks: _alone(item, marks, own[item.get(_HERE)]))
    finally:
        for item in items:
            item.attrib.pop(_HERE, None)
    ends = [(places.get(f"fc-m-{at}-0"), places.get(f"fc-m-{at}-1")) for at in range(len(items))]
    return [None if left is None or right is None else max(right - left - 1, 0.0) for left, right in ends]


def _sizes(places: dict[str, float], at: int, count: int) -> tuple[float, ...]:
    found = []
    for index in range(count):
        before, after = places.get(f"fc-m-{at}-{index}"), places.get(f"fc-m-{at}-{index + 1}")
        found.append(max(after - before - 1, 0.0) if before is not None and after is not None else 0.0)
    return tuple(found)


def _drawn(
    root: Element, draw: Draw, mark: Callable[[Element, list[Element], list[Element]], None]
) -> dict[str, float]:
    """The horizontal positions of the marks that `mark` inserts into a copy of each grid."""
    copied = copy.deepcopy(root)
    links = copied.makeelement("div", hidden="")
    grids = {}
    items: dict[str, list[Element]] = {}
    for element in copied.iter():
        name = element.get(_HERE) if isinstance(element.tag, str) else None
        if name is not None and "." in name:
            items.setdefault(name.partition(".")[0], []).append(element)
        if name is not None and "." not in name:
            grids[name] = element
    for name, grid in grids.items():
        own = items.get(name, [])
        marks = [grid.makeelement("fc-run", id=f"fc-m-{name}-{each}", style=_MARK) for each in range(len(own) + 2)]
        for each in marks:
            links.append(grid.makeelement("a", href=f"#{each.get('id')}"))
        mark(grid, own, marks)
    copied.find("body").append(links)
    with output.opened(BytesIO(draw(copied))) as pdf:
        return {name: float(place[2]) * _PX for name, place in destinations(pdf).items() if name.startswith("fc-m-")}


def _room(grid: Element, items: list[Element], marks: list[Element]) -> None:
    row = grid.makeelement("fc-run", style=f"display:flex!important;width:100%!important;height:1px;{_BARE}")
    filler = grid.makeelement("fc-run", style="flex:1 1 0")
    row[:] = [marks[0], filler, marks[1]]
    add_style(grid, "display:block!important")
    grid.insert(0, row)


def _around(box: Element, items: list[Element], marks: list[Element]) -> None:
    """Place marks at both ends of what is in a box."""
    for each in marks:
        each.set("style", f"display:inline-block!important;width:1px!important;height:1px!important;{_BARE}")
    marks[0].tail, box.text = box.text, None
    box.insert(0, marks[0])
    box.append(marks[1])


def _alone(item: Element, marks: list[Element], style: str) -> None:
    """Place marks beside a flex item, which neither grows nor shrinks."""
    line = "flex-flow:row nowrap!important;gap:0!important;justify-content:flex-start!important"
    add_style(item.getparent(), line)
    item.addprevious(marks[0])
    marks[1].tail, item.tail = item.tail, None
    item.addnext(marks[1])
    add_style(item, f"flex:none!important;order:0!important;min-width:0!important;margin:0!important;{style}")


def _line(grid: Element, items: list[Element], marks: list[Element], width: str, flex: str) -> None:
    add_style(
        grid,
        f"display:flex!important;flex-flow:row nowrap!important;{width}!important;max-width:none!important;"
        "min-width:0!important;gap:0!important;justify-content:flex-start!important;position:absolute!important",
    )
    for index, item in enumerate(items):
        add_style(item, f"flex:{flex}!important;order:0!important")
        grid.insert(grid.index(item), marks[index])
    grid.append(marks[len(items)])
