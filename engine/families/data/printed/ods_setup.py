"""The page setup of OpenDocument sheets (OpenDocument 1.3, part 3, 16.5 and 16.9)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area
from engine.families.data.printed.looks import Setup
from engine.families.data.printed.ods_styles import Styles, points
from engine.toolkit.xml_elements import child, children, given, local, number

_SHEET = r"\$?(?:'(?:[^']|'')*+'|[^ '.:]*+)"
_RANGE = re.compile(rf"{_SHEET}\.(\$?[A-Z]+\$?\d+):(?:{_SHEET})?\.(\$?[A-Z]+\$?\d+)")
_CODES = {"page-number": "&P", "page-count": "&N", "sheet-name": "&A", "date": "&D", "time": "&T", "file-name": "&F"}
_LONGEST = 4_000
_TWO_CM = 56.7


def areas(text: str) -> tuple[Area, ...]:
    """The print ranges of a table (19.685)."""
    found = (places.area(f"{first}:{last}") for first, last in _RANGE.findall(text[:_LONGEST]))
    return tuple(each for each in found if each)


def setup(styles: Styles, table: str) -> Setup:
    """The page setup of a table by the name of its style."""
    masters = [name for each in styles.chain("table", table) if (name := given(each, "master-page-name"))]
    master = styles.masters.get(masters[-1] if masters else "Default")
    if master is None:
        master = next(iter(styles.masters.values()), None)
    layout = None if master is None else styles.layouts.get(given(master, "page-layout-name") or "")
    properties = child(layout, "page-layout-properties")
    found = Setup(margins=(_TWO_CM,) * 4)
    if properties is None:
        return found
    sides = [
        given(properties, f"margin-{side}") or given(properties, "margin")
        for side in ("top", "right", "bottom", "left")
    ]
    top, right, bottom, left = (min(max(points(each, _TWO_CM), 0.0), 3600.0) for each in sides)
    wide, high = (points(given(properties, each)) for each in ("page-width", "page-height"))
    heads, above = _head(master, layout, "header")
    feet, below = _head(master, layout, "footer")
    scale = number((given(properties, "scale-to") or "100%").rstrip("%"), 100) / 100
    pages = int(number(given(properties, "scale-to-pages")))
    across, down = (int(number(given(properties, f"scale-to-{each}"))) for each in "XY")
    printed = (given(properties, "print") or "").split()
    centred = given(properties, "table-centering") or ""
    first = given(properties, "first-page-number") or ""
    return replace(
        found,
        paper=(wide, high) if 28 < wide < 14_400 and 28 < high < 14_400 else None,
        landscape=wide > high,
        margins=(top + above, right, bottom + below, left),
        head_margin=top,
        foot_margin=bottom,
        scale=min(max(scale, 0.1), 4.0) if scale > 0 else 1.0,
        fit=(max(across, 0), max(down, 0)) if across or down else (1, pages) if pages == 1 else None,
        centred=(centred in ("both", "horizontal"), centred in ("both", "vertical")),
        gridlines="grid" in printed,
        headings="headers" in printed,
        over_first=given(properties, "print-page-order") == "ltr",
        first_number=int(first) if first.isdigit() and len(first) < 6 else None,
        heads=heads,
        feet=feet,
        same_even=heads[1] == heads[0] and feet[1] == feet[0],
        head_scales=False,
    )


def _head(master: Any, layout: Any, kind: str) -> tuple[tuple[str, str, str], float]:
    """The codes of a header or footer, and the room that it takes."""
    element, left = child(master, kind), child(master, f"{kind}-left")
    if element is None or given(element, "display") == "false":
        return ("", "", ""), 0.0
    style = child(layout, f"{kind}-style", "header-footer-properties")
    room = 0.0 if style is None else points(given(style, "min-height")) or points(given(style, "height"))
    odd = _codes(element)
    even = odd if left is None or given(left, "display") == "false" else _codes(left)
    return (odd, even, odd), room


def _codes(element: Any) -> str:
    regions = {local(each): each for each in children(element, "region-left", "region-center", "region-right")}
    if not regions:
        return f"&C{_text(element)}"
    return "".join(f"&{name[7].upper()}{_text(regions[name])}" for name in regions)[:_LONGEST]


def _text(element: Any) -> str:
    found = []
    for at, paragraph in enumerate(children(element, "p")):
        found.append("\n" if at else "")
        found.append((paragraph.text or "").replace("&", "&&"))
        for each in paragraph.iter():
            if each is paragraph or not isinstance(each.tag, str):
                continue
            code = _CODES.get(local(each))
            found.append(code if code else " " if local(each) == "s" else (each.text or "").replace("&", "&&"))
            found.append((each.tail or "").replace("&", "&&"))
    return "".join(found)
