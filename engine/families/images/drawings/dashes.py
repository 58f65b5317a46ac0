"""Remove zero-length dashes without caps, whose corners the engine draws."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from engine.families.images.drawings import values
from engine.families.images.drawings.style_attribute import styled
from engine.families.images.drawings.styles import name_of

_DASHES, _CAP = "stroke-dasharray", "stroke-linecap"
_SHAPES = {"path", "line", "polyline", "polygon", "rect", "circle", "ellipse"}


def drop_empty_dashes(root: Element) -> None:
    """Draw no line whose dashes all have zero length and no caps (SVG 2, 13.5.6)."""
    if not any(_DASHES in each.attrib or _DASHES in each.get("style", "") for each in root.iter()):
        return
    left = [(root, "none", "butt")]
    while left:
        element, dashes, cap = left.pop()
        declared = element.attrib | styled(element)
        dashes, cap = _given(declared, _DASHES, dashes), _given(declared, _CAP, cap)
        if cap == "butt" and name_of(element) in _SHAPES and _are_nothing(dashes):
            element.set("style", f"{element.get('style', '')};stroke:none".lstrip(";"))
        left += [(child, dashes, cap) for child in element]


def _given(declared: dict[str, str], key: str, around: str) -> str:
    given = declared.get(key, "inherit").strip()
    return around if given == "inherit" else given


def _are_nothing(dashes: str) -> bool:
    lengths = values.numbers(dashes)
    lengths *= 1 + len(lengths) % 2
    return sum(lengths) > 0 and min(lengths) >= 0 and not any(lengths[::2])
