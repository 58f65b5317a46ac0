"""What pictures of a page show, in words (HTML-AAM 1.0, 4.1.10; ISO 14289-1, 7.3)."""

from __future__ import annotations

from engine.families.html_pdf.source.cleaning import Element
from engine.families.html_pdf.tagged.nodes import Node

_NAMELESS = "Image"


def describe(root: Node) -> int:
    """Set the descriptions of pictures, and return how many have none of their own."""
    nameless = 0
    for node in root.within():
        if node.role == "Figure" and node.element is not None:
            node.alt = _described(node.element)
            if not node.alt:
                nameless += 1
                node.alt = _NAMELESS
    return nameless


def _described(element: Element) -> str:
    for name in ("aria-label", "alt", "title"):
        if given := " ".join((element.get(name) or "").split()):
            return given[:1000]
    for name in ("title", "desc"):
        found = next((each for each in element.iter() if each.tag == name), None) if element.tag == "svg" else None
        if found is not None and (given := " ".join("".join(found.itertext()).split())):
            return given[:1000]
    return _captioned(element)


def _captioned(element: Element) -> str:
    """The caption of a figure that has nothing but this picture."""
    figure = next(element.iterancestors("figure"), None)
    if figure is None or sum(1 for _ in figure.iter("img", "svg")) != 1:
        return ""
    caption = next(figure.iter("figcaption"), None)
    return "" if caption is None else " ".join("".join(caption.itertext()).split())[:1000]
