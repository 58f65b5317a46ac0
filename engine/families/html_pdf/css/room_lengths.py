"""Read lengths that may have a share of the room around them (CSS Values 4, 6 and 10)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.families.html_pdf.paper import PT

_PIXELS = {unit: points / PT["px"] for unit, points in PT.items()}
_MOST = 1e7
"""The largest number of pixels, or of a sum: beside larger ones, a thousandth of a pixel is lost in rounding."""
_MOST_SHARE = 1e4
_OF_TEXT = {"em": 1.0, "ex": 0.5, "ch": 0.5}
"""The size of a unit in that of the text, about: PlutoPrint measures none either."""


@dataclass(frozen=True)
class TextSizes:
    """The text sizes of an element and of the page's root, in CSS pixels, and the factor of its lengths."""

    own: float = 16.0
    root: float = 16.0
    zoom: float = 1.0


@dataclass(frozen=True)
class Length:
    """A share of the room, 1.0 being all of it, and CSS pixels."""

    share: float = 0.0
    pixels: float = 0.0

    def __add__(self, other: Length) -> Length:
        return Length(self.share + other.share, self.pixels + other.pixels)

    def times(self, factor: float) -> Length:
        return Length(self.share * factor, self.pixels * factor)


def length(token: Any, sizes: TextSizes) -> Length | None:
    """The length that a token of tinycss2 means; None for anything else, such as a share of the window.

    It is bounded, as in browsers (CSS Values 4, 10.9).
    """
    found = _length(token, sizes)
    return found and Length(_bounded(found.share, _MOST_SHARE), _bounded(found.pixels, _MOST))


def _bounded(number: float, most: float) -> float:
    return 0.0 if math.isnan(number) else max(-most, min(number, most))


def _length(token: Any, sizes: TextSizes) -> Length | None:
    if token.type == "percentage":
        return Length(share=token.value / 100)
    if token.type == "number" and token.value == 0:
        return Length()
    if token.type == "dimension":
        unit = token.lower_unit
        if unit in _PIXELS:
            return Length(pixels=token.value * _PIXELS[unit] * sizes.zoom)
        if unit == "rem":
            return Length(pixels=token.value * sizes.root * sizes.zoom)
        return Length(pixels=token.value * sizes.own * _OF_TEXT[unit] * sizes.zoom) if unit in _OF_TEXT else None
    if token.type == "function" and token.lower_name == "calc":
        found = _sum(token.arguments, sizes)
        return found if isinstance(found, Length) else None
    return None


def _sum(tokens: Sequence[Any], sizes: TextSizes) -> Length | float | None:
    """A sum of products; a number if it has no unit."""
    terms: list[tuple[float, list[Any]]] = [(1.0, [])]
    for each in tokens:
        if each == "+" or each == "-":
            terms.append((1.0 if each == "+" else -1.0, []))
        elif each.type not in ("whitespace", "comment"):
            terms[-1][1].append(each)
    total: Length | float | None = None
    for sign, term in terms:
        found = _product(term, sizes)
        if isinstance(found, Length) and (total is None or isinstance(total, Length)):
            total = (total or Length()) + found.times(sign)
        elif isinstance(found, float) and not isinstance(total, Length):
            total = (total or 0.0) + found * sign
        else:
            return None
    return total


def _product(tokens: list[Any], sizes: TextSizes) -> Length | float | None:
    total: Length | float = 1.0
    divided = False
    for at, each in enumerate(tokens):
        if at % 2:
            if each not in ("*", "/"):
                return None
            divided = each == "/"
            continue
        found = _operand(each, sizes)
        if found is None or (divided and (not isinstance(found, float) or not found)):
            return None
        if isinstance(found, float):
            factor = 1 / found if divided else found
            total = total.times(factor) if isinstance(total, Length) else total * factor
        elif isinstance(total, float):
            total = found.times(total)
        else:
            return None
    return total if len(tokens) % 2 else None


def _operand(token: Any, sizes: TextSizes) -> Length | float | None:
    if token.type == "number":
        return _bounded(token.value, _MOST)
    if token.type == "() block":
        return _sum(token.content, sizes)
    return length(token, sizes)
