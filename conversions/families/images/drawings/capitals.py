"""Capitals: the letters of texts that a style asks for in another case, which the engine does not know."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from conversions.families.images.drawings.letters import SPANS
from conversions.families.images.drawings.said import forget, styled
from conversions.families.images.drawings.styles import name_of

_KEY = "text-transform"
_NO_CHANGE = ("none", "initial")
_ABOVE = ("inherit", "unset")


def write(root: Element) -> None:
    """Write texts as `text-transform` says (CSS Text 3, 2.1), where it asks for large, small or first large letters."""
    if not any(_KEY in each.attrib or _KEY in each.get("style", "") for each in root.iter()):
        return
    left = [(root, "none", False)]
    while left:
        element, around, within = left.pop()
        within = within or name_of(element) == "text"
        case = _said(element, around)
        if within:
            element.text = _cased(element.text, case)
        for child in element:
            left.append((child, case, within))
            if within and name_of(child) in SPANS:
                child.tail = _cased(child.tail, case)


def _said(element: Element, around: str) -> str:
    """The case of an element, which no longer says it."""
    said = styled(element).get(_KEY, element.get(_KEY, around)).strip().lower()
    said = around if said in _ABOVE else said
    if said in _CASES or said in _NO_CHANGE:
        forget(element, (_KEY,))
    return said


def _cased(text: str | None, case: str) -> str | None:
    return _CASES[case](text) if text and case in _CASES else text


def _capitalized(text: str) -> str:
    """With the first letter of each word large, and all others as they are."""
    found = list(text)
    for at, char in enumerate(found):
        if char.isalpha() and (at == 0 or not (found[at - 1].isalnum() or found[at - 1] in "'’")):
            found[at] = char.upper() if len(char.upper()) == 1 else char
    return "".join(found)


_CASES = {"uppercase": str.upper, "lowercase": str.lower, "capitalize": _capitalized}
