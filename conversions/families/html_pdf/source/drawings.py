"""SVG drawings: how large one is when all that it refers to is drawn, whichever engine draws it."""

from __future__ import annotations

from typing import Any

MOST_SVG_ELEMENTS = 20_000
MOST_SVG_DEPTH = 100
HREFS = ("href", "xlink:href", "{http://www.w3.org/1999/xlink}href")
"""The attribute that refers to something, as XML and as HTML read it."""


def local_name(element: Any) -> str:
    """An element's name without its namespace; a parser that recovers lets through names that XML does not know."""
    return str(element.tag).rpartition("}")[2]


def expanded(root: Any) -> int:
    """How many elements a drawing has when every `<use>` is what it refers to; deep or circular is too many."""
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
