"""Choose among alternate content for different program versions (ECMA-376, part 3, 9)."""

from __future__ import annotations

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import MC

_KNOWN = frozenset(("wps", "wpg", "wp14", "w14", "w15", "a14", "p14", *(f"cx{at}" for at in ("", *range(1, 9)))))
"""The prefixes of extensions that are read: `cx1` and those after it are charts of later kinds."""


def is_known(requirement: str) -> bool:
    """Whether a branch with this requirement can be read."""
    return requirement in _KNOWN


def choice_of(element: Element) -> Element:
    """The branch of an `mc:AlternateContent` to read: the first one, unless its requirements are unknown."""
    first = element.find(MC + "Choice")
    fallback = element.find(MC + "Fallback")
    if first is not None and (fallback is None or is_known(first.get("Requires") or "")):
        return first
    return fallback if fallback is not None else element
