"""List markers as text (CSS Lists 3)."""

from __future__ import annotations

from engine.families.html_pdf.css.counters import number
from engine.families.html_pdf.source.cleaning import Element

_SIGNS = {"disc": "•", "circle": "◦", "square": "▪", "none": ""}
_TYPES = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_DEFAULTS = {"ul": "disc", "ol": "decimal", "menu": "disc"}
_PLACES = frozenset(("inside", "outside"))


def named(element: Element, own: dict[str, str]) -> str:
    """The marker type that an element requests, or nothing."""
    value = own.get("list-style-type") or own.get("list-style") or ""
    kind = next((each for each in value.split() if each not in _PLACES), "")
    attribute = (element.get("type") or "").strip() if element.tag in ("ul", "ol", "li") else ""
    return kind or _TYPES.get(attribute, attribute.lower()) or _DEFAULTS.get(element.tag, "")


def mark(item: Element, kind: str, counted: dict[Element, dict[Element, int]]) -> str:
    """The marker of an item; `counted` holds the current number of each list."""
    if kind in _SIGNS:
        return _SIGNS[kind]
    parent = item.getparent()
    if parent not in counted:
        counted[parent] = _numbers(parent)
    return number(counted[parent].get(item, 1), kind) + "."


def _numbers(parent: Element) -> dict[Element, int]:
    at = _number(parent.get("start"), 1)
    found = {}
    for each in parent:
        if each.tag == "li":
            found[each] = at = _number(each.get("value"), at)
            at += 1
    return found


def _number(text: str | None, otherwise: int) -> int:
    text = (text or "").strip()
    return int(text[:9]) if text.removeprefix("-")[:9].isdecimal() else otherwise
