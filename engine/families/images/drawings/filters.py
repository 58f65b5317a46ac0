"""Rewrite filters in a form the engine draws correctly."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from engine.families.images.drawings import references, values
from engine.families.images.drawings.styles import name_of
from engine.families.images.drawings.text_measurement import length

WHOLE = "whole-drawing-"
"""The prefix of filter ids that cover the whole drawing, wherever the filtered element is."""

_SVG = "{http://www.w3.org/2000/svg}"
_FUNCTION = re.compile(r"\s*([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)\s*", re.IGNORECASE)
_AMOUNT = re.compile(r"\s*+(\+?(?:\d++\.?\d*+|\.\d++)(?:e[+-]?\d{1,3})?)(%?)\s*", re.IGNORECASE)
_ANGLE = re.compile(r"\s*+([+-]?(?:\d++\.?\d*+|\.\d++))(deg|grad|rad|turn)\s*|\s*+[+-]?0++\.?0*+\s*+", re.IGNORECASE)
_DEGREES = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
_FAR = {"filterUnits": "userSpaceOnUse", "x": "-99999", "y": "-99999", "width": "199998", "height": "199998"}
_AT_MOST_ONE = {"grayscale", "sepia", "invert", "opacity"}
_AMOUNTS = {*_AT_MOST_ONE, "brightness", "contrast", "saturate"}
_REGION = ("x", "y", "width", "height")
_SOURCES = {"SourceGraphic", "SourceAlpha"}
_REACH = 5.0
"""Pixels of morphology radius per step: the engine applies 10 at most, and drawing at twice the size doubles it."""

_MOST_STEPS = 40
_NARROWER = {"x": "-0.09999", "y": "-0.09999", "width": "1.19998", "height": "1.19998"}
"""The default region, slightly narrower: the engine rounds a region that ends on a whole pixel up by one."""


def rewrite(root: Element, scale: float) -> None:
    """Rewrite the filters of a drawing whose user unit is `scale` pixels."""
    for each in [each for each in root.iter() if name_of(each) == "filter"]:
        _mend_parts(each, scale)
    made: dict[str, Element] = {}
    for element in root.iter():
        if "(" in element.get("filter", ""):
            value = _named(element.attrib["filter"], made)
            element.attrib["filter"] = value
        style = element.get("style", "")
        if "filter" in style:
            declarations = (
                (key, _named(value, made) if key == "filter" and "(" in value else value)
                for key, value, _ in values.declarations(style)
            )
            element.set("style", ";".join(f"{key}:{value}" for key, value in declarations))
    if made:
        references.define(root, made.values())


def _named(value: str, made: dict[str, Element]) -> str:
    """A filter list with functions replaced by references to new filters; none if it has an error (CSS 2.1, 4.2)."""
    written, at = [], 0
    while match := _FUNCTION.match(value, at):
        at = match.end()
        name, argument = match[1].lower(), match[2]
        if name in ("url", "drop-shadow"):
            if name == "drop-shadow" and "%" in re.sub(r"\([^()]*\)", "", argument):
                return "none"
            written.append(match[0].strip())
            continue
        function = f"{name}({argument.strip()})"
        if function not in made:
            parts = _parts(name, argument)
            if parts is None:
                return "none"
            made[function] = Element(
                f"{_SVG}filter", {"id": f"{WHOLE}{len(made)}", **_FAR, "color-interpolation-filters": "sRGB"}
            )
            made[function].extend(parts)
        written.append(f"url(#{made[function].get('id')})")
    return " ".join(written) if at == len(value) else value


def _parts(name: str, argument: str) -> list[Element] | None:
    """The primitives that a function is short for (Filter Effects 1, 13), or None for an error."""
    if name == "blur":
        if "%" in argument or argument.strip().startswith("-"):
            return None
        return [_part("feGaussianBlur", stdDeviation=f"{length(argument, 16.0, 0.0):g}")]
    if name == "hue-rotate":
        angle = _ANGLE.fullmatch(argument or "0")
        if not angle:
            return None
        turned = float(angle[1]) * _DEGREES[angle[2].lower()] if angle[2] else 0.0
        return [_part("feColorMatrix", type="hueRotate", values=f"{turned:g}")]
    if name not in _AMOUNTS:
        return None
    match = _AMOUNT.fullmatch(argument or "1")
    if not match:
        return None
    amount = float(match[1]) / (100 if match[2] else 1)
    amount = min(amount, 1.0) if name in _AT_MOST_ONE else amount
    if name == "opacity":
        return [_transfer("A", type="table", tableValues=f"0 {amount:g}")]
    if name == "invert":
        return [_transfer("RGB", type="table", tableValues=f"{amount:g} {1 - amount:g}")]
    if name == "brightness":
        return [_transfer("RGB", type="linear", slope=f"{amount:g}")]
    if name == "contrast":
        return [_transfer("RGB", type="linear", slope=f"{amount:g}", intercept=f"{0.5 - 0.5 * amount:g}")]
    return [_part("feColorMatrix", type="matrix", values=" ".join(f"{each:.5g}" for each in _matrix(name, amount)))]


def _matrix(name: str, amount: float) -> Iterable[float]:
    if name == "sepia":
        rows = ((0.393, 0.769, 0.189), (0.349, 0.686, 0.168), (0.272, 0.534, 0.131))
        share = amount
    else:
        rows = ((0.2126, 0.7152, 0.0722),) * 3
        share = amount if name == "grayscale" else 1 - amount
    for at, row in enumerate(rows):
        yield from (share * each + (1 - share) * (at == column) for column, each in enumerate(row))
        yield from (0.0, 0.0)
    yield from (0.0, 0.0, 0.0, 1.0, 0.0)


def _part(name: str, **attributes: str) -> Element:
    return Element(f"{_SVG}{name}", attributes)


def _transfer(channels: str, **attributes: str) -> Element:
    whole = _part("feComponentTransfer")
    whole.extend(_part(f"feFunc{each}", **attributes) for each in channels)
    return whole


def _mend_parts(filter_: Element, scale: float) -> None:
    if not any(key in filter_.attrib for key in ("filterUnits", *_REGION)):
        filter_.attrib |= _NARROWER
    boxed = filter_.get("primitiveUnits") == "objectBoundingBox"
    for at, part in reversed(list(enumerate(filter_))):
        name = name_of(part)
        if name == "feMorphology" and not boxed:
            filter_[at : at + 1] = _thinner(part, scale)
        elif name == "feGaussianBlur" and any(key in part.attrib for key in _REGION):
            given = part.get("in", "SourceGraphic" if at == 0 else "")
            if given in _SOURCES:
                filter_[at : at + 1] = _cut_later(part)


def _thinner(part: Element, scale: float) -> list[Element]:
    """As many morphology steps as the radius of `part` needs."""
    radius = values.numbers(part.get("radius", ""))
    if len(radius) not in (1, 2) or min(radius) < 0:
        return [part]
    reach = max(_REACH / scale, max(radius) / _MOST_STEPS)
    found: list[Element] = []
    while max(radius) > 0:
        step = copy.copy(part)
        step.set("radius", " ".join(f"{min(side, reach):.6g}" for side in radius))
        if found:
            found[-1].attrib.pop("result", None)
            step.attrib.pop("in", None)
        found.append(step)
        # Each step uses the full reach: equal halves would be rounded up twice.
        radius = [max(side - reach, 0.0) for side in radius]
    return found or [part]


def _cut_later(part: Element) -> list[Element]:
    """Blur everything, then crop to the region: the engine would blur only the content of that region."""
    cut = Element(f"{_SVG}feOffset", {key: part.attrib.pop(key) for key in (*_REGION, "result") if key in part.attrib})
    return [part, cut]
