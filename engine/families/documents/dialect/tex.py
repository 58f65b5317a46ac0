"""Convert TeX formulas to MathML Core."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

from latex2mathml.converter import convert_to_element

_UNREAD = re.compile(r"\\[A-Za-z]+|[{}&]")
"""What the library passes on as an identifier: commands that it doesn't know, and marks without a partner."""
_KEPT = frozenset((
    "display", "mathvariant", "linethickness", "stretchy", "fence", "form", "accent", "columnalign", "displaystyle",
    "width",
))  # fmt: skip
"""Attributes that formulas need; the library also writes addresses and sizes of the author's."""
_BELOW = frozenset(("lim", "max", "min", "sup", "inf"))
"""Operators with their limits below them in a formula on its own line."""
_DEEPEST = 100


def mathml(tex: str, *, display: bool) -> str | None:
    """The formula as an element `math`, on its own line if `display`; None if it can't be read as TeX."""
    try:
        root = convert_to_element(tex, display="block" if display else "inline")
    except (Exception, RecursionError):  # the library has no common class for what is wrong in a formula
        return None
    parts: list[str] = []
    return "".join(parts) if _written(root, parts, display, 0) else None


def _written(element: Any, parts: list[str], display: bool, depth: int) -> bool:
    text = unescape(element.text or "")
    if depth > _DEEPEST or (element.tag == "mi" and _UNREAD.fullmatch(text)):
        return False
    name = element.tag
    if display and name == "msub" and unescape(element[0].text or "") in _BELOW:
        name = "munder"
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in element.attrib.items() if key in _KEPT)
    if name == "math":
        attributes = f' xmlns="http://www.w3.org/1998/Math/MathML"{attributes}'
    parts.append(f"<{name}{attributes}>{escape(text, quote=False)}")
    if not all(_written(each, parts, display, depth + 1) for each in element):
        return False
    parts.append(f"</{name}>")
    return True
