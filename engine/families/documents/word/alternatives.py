"""Choose among alternate content for different program versions (ECMA-376, part 3, 9)."""

from __future__ import annotations

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import MC


def choice_of(element: Element) -> Element:
    """The branch of an `mc:AlternateContent` to read: the first one, unless its requirements are unknown."""
    first = element.find(MC + "Choice")
    fallback = element.find(MC + "Fallback")
    if first is not None and (
        fallback is None or (first.get("Requires") or "") in ("wps", "wpg", "wp14", "w14", "w15", "a14")
    ):
        return first
    return fallback if fallback is not None else element
