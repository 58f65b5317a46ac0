"""Pictures and charts on an xlsx sheet (ECMA-376, part 1, 20.5)."""

from __future__ import annotations

from typing import Any

from engine.families.data.printed import text_boxes
from engine.families.data.printed.looks import Anchor, Placed
from engine.families.data.printed.xlsx_colours import Colours
from engine.families.data.printed.xlsx_parts import Parts
from engine.toolkit.xml_elements import child, children, given, is_on, local, number

_EMU = 12_700.0
_SHARE = 100_000.0


def placed(parts: Parts, drawing: str, colours: Colours) -> tuple[list[Placed], int, int, int]:
    """What a drawing places, and how many of its shapes, charts and pictures are not among it."""
    found: list[Placed] = []
    lost = {"shape": 0, "chart": 0, "picture": 0}
    root = parts.xml(drawing)
    for each in children(root, "twoCellAnchor", "oneCellAnchor", "absoluteAnchor"):
        anchor = _anchor(each)
        for item in _items(each):
            kind = local(item)
            described = next((inner for inner in item.iter() if local(inner) == "cNvPr"), None)
            if described is not None and is_on(described.get("hidden")):
                continue
            if kind == "pic":
                one = _picture(parts, drawing, item, anchor)
                lost["picture"] += one is None
            elif kind == "graphicFrame":
                chart = child(item, "graphic", "graphicData", "chart")
                target = parts.relations(drawing).get(given(chart, "id") or "") if chart is not None else None
                tree = parts.chart(target[1]) if target else None
                one = Placed(anchor, chart=tree) if tree is not None else None
                lost["chart" if chart is not None else "shape"] += one is None
            elif kind == "sp" and local(item.getparent()) != "grpSp":
                box, other = text_boxes.read(item, colours)
                one = Placed(anchor, box=box) if box is not None else None
                lost["shape"] += other
            else:
                one = None
                lost["shape"] += 1
            found += [one] if one is not None else []
    return found, lost["shape"], lost["chart"], lost["picture"]


def _items(anchor: Any) -> list[Any]:
    """What an anchor holds; of alternatives the one for older programs, and the members of a group alone."""
    found = []
    for each in children(anchor):
        name = local(each)
        if name == "AlternateContent":
            choice = child(each, "Choice")
            found += _items(choice if choice is not None else each)
        elif name in ("pic", "graphicFrame", "sp", "cxnSp", "contentPart"):
            found.append(each)
        elif name == "grpSp":
            found += [inner for inner in each.iter() if local(inner) in ("sp", "cxnSp", "pic", "graphicFrame")]
    return found


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


def _picture(parts: Parts, drawing: str, item: Any, anchor: Anchor) -> Placed | None:
    blip = child(item, "blipFill", "blip")
    target = parts.relations(drawing).get((given(blip, "embed") if blip is not None else None) or "")
    data = parts.picture(target[1]) if target else b""
    if not data:
        return None
    cut = child(item, "blipFill", "srcRect")
    sides = tuple(number(None if cut is None else cut.get(each)) / _SHARE for each in "ltrb")
    place = child(item, "spPr", "xfrm")
    turn = number(None if place is None else place.get("rot")) / 60_000
    crop = (sides[0], sides[1], sides[2], sides[3])
    return Placed(anchor, picture=data, turn=turn, crop=crop if all(0 <= each < 0.95 for each in crop) else (0.0,) * 4)
