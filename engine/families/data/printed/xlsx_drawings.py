"""Pictures and charts on an xlsx sheet (ECMA-376, part 1, 20.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.families.data.printed import text_boxes
from engine.families.data.printed.looks import Anchor, Placed
from engine.families.data.printed.xlsx_colours import Colours
from engine.families.data.printed.xlsx_parts import Parts
from engine.toolkit.shapes.groups import Box, Room
from engine.toolkit.xml_elements import child, children, given, is_on, local, number

_EMU = 12_700.0
_SHARE = 100_000.0
_WHOLE = (0.0, 0.0, 1.0, 1.0)
_DEEPEST = 30
_ITEMS = ("pic", "graphicFrame", "sp", "cxnSp", "contentPart")

Part = tuple[float, float, float, float]
"""The left, top, width and height of a member of a group, as shares of the place of the group."""


def placed(parts: Parts, drawing: str, colours: Colours) -> tuple[list[Placed], int, int, int]:
    """What a drawing places, and how many of its shapes, charts and pictures are not among it."""
    found: list[Placed] = []
    lost = {"shape": 0, "chart": 0, "picture": 0}
    root = parts.xml(drawing)
    for each in children(root, "twoCellAnchor", "oneCellAnchor", "absoluteAnchor"):
        anchor = _anchor(each)
        for item, part, box in _items(each):
            kind = local(item)
            described = next((inner for inner in item.iter() if local(inner) == "cNvPr"), None)
            if described is not None and is_on(described.get("hidden")):
                continue
            if kind == "pic":
                one = _picture(parts, drawing, item, anchor, part, box)
                lost["picture"] += one is None
            elif kind == "graphicFrame":
                chart = child(item, "graphic", "graphicData", "chart")
                target = parts.relations(drawing).get(given(chart, "id") or "") if chart is not None else None
                tree = parts.chart(target[1]) if target else None
                one = Placed(anchor, chart=tree, part=part) if tree is not None else None
                lost["chart" if chart is not None else "shape"] += one is None
            elif kind in ("sp", "cxnSp"):
                drawn, known = text_boxes.read(item, colours, box.flipped)
                one = Placed(anchor, box=drawn, turn=box.turned, part=part) if drawn is not None else None
                lost["shape"] += not known
            else:  # ink, or a group that is nested too deeply
                one = None
                lost["shape"] += max(sum(local(inner) in _ITEMS for inner in item.iter()), 1)
            found += [one] if one is not None else []
    return found, lost["shape"], lost["chart"], lost["picture"]


def _items(anchor: Any) -> Iterator[tuple[Any, Part, Box]]:
    """What an anchor holds, with its part of the place and its own box; groups are their members.

    Of alternatives it is the one for newer programs.
    """
    for each in children(anchor):
        name = local(each)
        if name == "AlternateContent":
            choice = child(each, "Choice")
            yield from _items(choice if choice is not None else each)
        elif name in _ITEMS:
            yield each, _WHOLE, Room().box(_position(each)) or Box()
        elif name == "grpSp":
            whole = Room().box(child(each, "grpSpPr", "xfrm"))
            for member, box in _members(each, Room().within(each), 0):
                yield member, _part(box, whole), box


def _members(group: Any, room: Room, depth: int) -> Iterator[tuple[Any, Box]]:
    for each in children(group):
        name = local(each)
        if name == "grpSp" and depth < _DEEPEST:
            yield from _members(each, room.within(each), depth + 1)
        elif name in (*_ITEMS, "grpSp"):
            yield each, room.box(_position(each)) or Box()


def _position(item: Any) -> Any:
    found = child(item, "spPr", "xfrm")
    return child(item, "xfrm") if found is None else found


def _part(box: Box, whole: Box | None) -> Part:
    if whole is None or not (whole.width and whole.height):
        return _WHOLE
    across, down = 1 / whole.width, 1 / whole.height
    return (box.x - whole.x) * across, (box.y - whole.y) * down, box.width * across, box.height * down


def _anchor(element: Any) -> Anchor:
    def corner(name: str) -> tuple[int, float, int, float] | None:
        at = child(element, name)
        if at is None:
            return None
        column, across, row, down = (child(at, each) for each in ("col", "colOff", "row", "rowOff"))
        texts = ["" if each is None else each.text for each in (column, across, row, down)]
        return int(number(texts[0])), number(texts[1]) / _EMU, int(number(texts[2])), number(texts[3]) / _EMU

    size, at = child(element, "ext"), child(element, "pos")
    return Anchor(
        corner("from") or (0, 0.0, 0, 0.0),
        corner("to"),
        None if size is None else (number(size.get("cx")) / _EMU, number(size.get("cy")) / _EMU),
        None if at is None else (number(at.get("x")) / _EMU, number(at.get("y")) / _EMU),
    )


def _picture(parts: Parts, drawing: str, item: Any, anchor: Anchor, part: Part, box: Box) -> Placed | None:
    blip = child(item, "blipFill", "blip")
    target = parts.relations(drawing).get((given(blip, "embed") if blip is not None else None) or "")
    data = parts.picture(target[1]) if target else b""
    if not data:
        return None
    cut = child(item, "blipFill", "srcRect")
    sides = tuple(number(None if cut is None else cut.get(each)) / _SHARE for each in "ltrb")
    crop = (sides[0], sides[1], sides[2], sides[3])
    crop = crop if all(0 <= each < 0.95 for each in crop) else (0.0, 0.0, 0.0, 0.0)
    return Placed(anchor, picture=data, turn=box.turned, crop=crop, part=part)
