"""Dashes without a length and without ends, of which the engine draws the corners: there is no line then."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from conversions.families.images.drawings import values
from conversions.families.images.drawings.said import styled
from conversions.families.images.drawings.styles import name_of

_DASHES, _CAP = "stroke-dasharray", "stroke-linecap"
_SHAPES = {"path", "line", "polyline", "polygon", "rect", "circle", "ellipse"}


def hide(root: Element) -> None:
    """Draw no line where all of its dashes have no length and its ends are not drawn (SVG 2, 13.5.6)."""
    if not any(_DASHES in each.attrib or _DASHES in each.get("style", "") for each in root.iter()):
        return
    left = [(root, "none", "butt")]
    while left:
        element, dashes, cap = left.pop()
        said = element.attrib | styled(element)
        dashes, cap = _given(said, _DASHES, dashes), _given(said, _CAP, cap)
        if cap == "butt" and name_of(element) in _SHAPES and _are_nothing(dashes):
            element.set("style", f"{element.get('style', '')};stroke:none".lstrip(";"))
        left += [(child, dashes, cap) for child in element]


def _given(said: dict[str, str], key: str, around: str) -> str:
    given = said.get(key, "inherit").strip()
    return around if given == "inherit" else given


def _are_nothing(dashes: str) -> bool:
    lengths = values.numbers(dashes)
    lengths *= 1 + len(lengths) % 2
    return sum(lengths) > 0 and min(lengths) >= 0 and not any(lengths[::2])
