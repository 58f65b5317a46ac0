"""Measure SVG drawings with all references expanded."""

from __future__ import annotations

import re
from typing import Any

MOST_SVG_ELEMENTS = 20_000
MOST_SVG_DEPTH = 100
HREFS = ("href", "xlink:href", "{http://www.w3.org/1999/xlink}href")
"""The reference attribute, as parsed in XML and in HTML."""

DRAWN = frozenset((
    "a", "circle", "clippath", "defs", "ellipse", "g", "image", "line", "lineargradient", "marker", "mask", "path",
    "pattern", "polygon", "polyline", "radialgradient", "rect", "stop", "style", "svg", "symbol", "text", "textpath",
    "tspan", "use",
))  # fmt: skip
"""The elements of SVG that PlutoPrint draws, in small letters, as a parser of HTML has them."""
_UNSEEN = frozenset((
    "color-profile", "cursor", "desc", "font-face", "metadata", "mpath", "script", "title", "view",
))  # fmt: skip
_NOT_DRAWN_PARTS = re.compile(r"fe[a-z]+")
"""The children of filters, which are reported by name."""


def is_drawn(name: str) -> bool:
    """Return whether an element in a drawing is supported, or has no effect in any reader; covers HTML in text."""
    small = name.lower()
    return small in DRAWN or small in _UNSEEN or _NOT_DRAWN_PARTS.fullmatch(small) is not None


def local_name(element: Any) -> str:
    """An element's local name; a recovering parser lets through names that are invalid in XML."""
    return str(element.tag).rpartition("}")[2]


def expanded(root: Any) -> int:
    """The number of elements of an SVG with every `<use>` expanded; nested too deep or circular counts as too many."""
    by_id = {each.get("id"): each for each in root.iter() if isinstance(each.tag, str) and each.get("id")}
    sizes: dict[Any, int] = {}

    def size(element: Any, depth: int) -> int:
        if depth > MOST_SVG_DEPTH:
            return MOST_SVG_ELEMENTS + 1
        if element in sizes:
            return sizes[element]
        total = 1
        for child in element:
            if isinstance(child.tag, str):
                total += size(child, depth + 1)
        if local_name(element) == "use":
            target = by_id.get(next((element.get(name) for name in HREFS if element.get(name)), "")[1:])
            total += size(target, depth + 1) if target is not None else 0
        sizes[element] = total
        return total

    return size(root, 0)
