"""Resolve `text-anchor` of spans, which the engine only reads from the text element."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from engine.families.images.drawings.glyph_positions import SPANS
from engine.families.images.drawings.style_attribute import forget, styled
from engine.families.images.drawings.styles import name_of

_KEY = "text-anchor"
_PLACES = {"x", "y"}


def copy_anchors(root: Element) -> None:
    """Copy to each text in one piece the `text-anchor` of the part with its first character (SVG 2, 11.10.1)."""
    for text in [each for each in root.iter() if name_of(each) == "text"]:
        parts = [each for each in text.iter() if each is not text]
        if any(name_of(each) not in SPANS or not _PLACES.isdisjoint(each.attrib) for each in parts):
            continue
        first, anchor = text, ""
        while not (first.text or "").strip() and len(first):
            first = first[0]
            anchor = _anchor_of(first) or anchor
        if anchor:
            forget(text, (_KEY,))
            text.set(_KEY, anchor)


def _anchor_of(element: Element) -> str:
    anchor = styled(element).get(_KEY, element.get(_KEY, "")).strip()
    return anchor if anchor in ("start", "middle", "end") else ""
