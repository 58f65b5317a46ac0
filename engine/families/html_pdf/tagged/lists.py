"""Lists of a structure tree, and the kinds of their labels (ISO 32000-1, 14.8.4.3.3 and 14.8.5.5)."""

from __future__ import annotations

import re

from engine.families.html_pdf.tagged.nodes import Node

_NUMBERING = (
    ("Decimal", re.compile(r"\W*\d+\W*")),
    ("UpperRoman", re.compile(r"\W*[IVXLCDM]+\W*")),
    ("LowerRoman", re.compile(r"\W*[ivxlcdm]+\W*")),
    ("UpperAlpha", re.compile(r"\W*[A-Z]{1,2}\W*")),
    ("LowerAlpha", re.compile(r"\W*[a-z]{1,2}\W*")),
    ("Disc", re.compile(r"\s*[•●]\s*")),
    ("Circle", re.compile(r"\s*[◦○]\s*")),
    ("Square", re.compile(r"\s*[▪■]\s*")),
)


def number(made: Node, label: str) -> None:
    """Set the kind of a list by its first label."""
    kind = next((name for name, pattern in _NUMBERING if pattern.fullmatch(label)), "None")
    made.own.setdefault("List", {}).setdefault("ListNumbering", kind)


def at_level(place: Node, level: int) -> Node:
    """The list at a level, from 1, in which an item comes next to those before; none of an element of the page."""
    for _ in range(level):
        if place.role == "L":
            place = _last(_last(place, "LI"), "LBody")
        last = place.kids[-1] if place.kids else None
        place = last if isinstance(last, Node) and last.role == "L" and last.element is None else place.add("L")
    return place


def _last(node: Node, role: str) -> Node:
    """The last element in another one, which gets one of this role if it has none."""
    last = node.kids[-1] if node.kids else None
    return last if isinstance(last, Node) and last.role == role else node.add(role)
