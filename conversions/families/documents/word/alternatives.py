"""Spellings of the same thing for programs of different ages (ECMA-376, part 3, 9): the one that is read."""

from __future__ import annotations

from conversions.families.documents.ooxml.package import Element
from conversions.families.documents.word.names import MC


def chosen(element: Element) -> Element:
    """The spelling of an `mc:AlternateContent` that is read: the first one, unless that is one nobody knows."""
    first = element.find(MC + "Choice")
    fallback = element.find(MC + "Fallback")
    if first is not None and (
        fallback is None or (first.get("Requires") or "") in ("wps", "wpg", "wp14", "w14", "w15", "a14")
    ):
        return first
    return fallback if fallback is not None else element
