"""Rewrite filter functions that the engine evaluates incorrectly."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element

from engine.families.images.drawings import values
from engine.families.images.drawings.styles import name_of

_LEVELS = 256


def clamp(root: Element) -> None:
    """Clamp the resulting opacity before colours are multiplied by it."""
    for element in root.iter():
        if name_of(element) == "feFuncA":
            _bound(element)


def _bound(element: Element) -> None:
    function = _function(element)
    if function is None:
        return
    found = [function(level / (_LEVELS - 1)) for level in range(_LEVELS)]
    if min(found) < 0 or max(found) > 1:
        bound = (min(max(each, 0), 1) for each in found)
        element.attrib |= {"type": "table", "tableValues": " ".join(f"{each:.6g}" for each in bound)}


def _function(element: Element) -> Callable[[float], float] | None:
    """The transfer function in the attributes (Filter Effects 1, 9.6), or None if it needs no clamping."""

    def number(key: str, usual: float) -> float:
        return (*values.numbers(element.get(key, "")), usual)[0]

    if element.get("type") == "linear":
        slope, intercept = number("slope", 1), number("intercept", 0)
        return lambda level: slope * level + intercept
    if element.get("type") == "gamma":
        amplitude, exponent, offset = number("amplitude", 1), number("exponent", 1), number("offset", 0)
        if 0 <= exponent <= 100 and abs(amplitude) < 1e6:
            return lambda level: float(amplitude * level**exponent + offset)
    return None
