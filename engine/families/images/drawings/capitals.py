"""Apply `text-transform`, which the engine ignores."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from engine.families.images.drawings.glyph_positions import SPANS
from engine.families.images.drawings.style_attribute import forget, styled
from engine.families.images.drawings.styles import name_of

_KEY = "text-transform"
_NO_CHANGE = ("none", "initial")
_ABOVE = ("inherit", "unset")


def apply_text_transform(root: Element) -> None:
    """Write texts as `text-transform` displays them (CSS Text 3, 2.1): upper case, lower case or capitalised."""
    if not any(_KEY in each.attrib or _KEY in each.get("style", "") for each in root.iter()):
        return
    left = [(root, "none", False)]
    while left:
        element, around, within = left.pop()
        within = within or name_of(element) == "text"
        case = _case_of(element, around)
        if within:
            element.text = _cased(element.text, case)
        for child in element:
            left.append((child, case, within))
            if within and name_of(child) in SPANS:
                child.tail = _cased(child.tail, case)


def _case_of(element: Element, around: str) -> str:
    """The `text-transform` of an element, which is removed from it."""
    value = styled(element).get(_KEY, element.get(_KEY, around)).strip().lower()
    value = around if value in _ABOVE else value
    if value in _CASES or value in _NO_CHANGE:
        forget(element, (_KEY,))
    return value


def _cased(text: str | None, case: str) -> str | None:
    return _CASES[case](text) if text and case in _CASES else text


def _capitalized(text: str) -> str:
    """The text with the first letter of each word in upper case, and all others unchanged."""
    found = list(text)
    for at, char in enumerate(found):
        if char.isalpha() and (at == 0 or not (found[at - 1].isalnum() or found[at - 1] in "'’")):
            found[at] = char.upper() if len(char.upper()) == 1 else char
    return "".join(found)


_CASES = {"uppercase": str.upper, "lowercase": str.lower, "capitalize": _capitalized}
