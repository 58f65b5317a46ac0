"""Anchors: texts whose first part says that they are centred, or end, at their place; the engine asks the text."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from conversions.families.images.drawings.letters import SPANS
from conversions.families.images.drawings.said import forget, styled
from conversions.families.images.drawings.styles import name_of

_KEY = "text-anchor"
_PLACES = {"x", "y"}


def lift(root: Element) -> None:
    """Say of each text that stands in one place what the part with its first letter says (SVG 2, 11.10.1)."""
    for text in [each for each in root.iter() if name_of(each) == "text"]:
        parts = [each for each in text.iter() if each is not text]
        if any(name_of(each) not in SPANS or not _PLACES.isdisjoint(each.attrib) for each in parts):
            continue
        first, said = text, ""
        while not (first.text or "").strip() and len(first):
            first = first[0]
            said = _said(first) or said
        if said:
            forget(text, (_KEY,))
            text.set(_KEY, said)


def _said(element: Element) -> str:
    said = styled(element).get(_KEY, element.get(_KEY, "")).strip()
    return said if said in ("start", "middle", "end") else ""
