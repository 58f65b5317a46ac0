"""Filters in the words that the engine draws rightly: functions as filters, and parts of these that it cuts short."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from conversions.families.images.drawings import references, values
from conversions.families.images.drawings.faces import length
from conversions.families.images.drawings.styles import name_of

WHOLE = "whole-drawing-"
"""How the names of filters begin that cover all of a drawing, wherever what they filter is."""

_SVG = "{http://www.w3.org/2000/svg}"
_FUNCTION = re.compile(r"\s*([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)\s*", re.IGNORECASE)
_AMOUNT = re.compile(r"\s*(\+?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)(%?)\s*", re.IGNORECASE)
_ANGLE = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))(deg|grad|rad|turn)\s*|\s*[+-]?0+\.?0*\s*", re.IGNORECASE)
_DEGREES = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
_FAR = {"filterUnits": "userSpaceOnUse", "x": "-99999", "y": "-99999", "width": "199998", "height": "199998"}
_AT_MOST_ONE = {"grayscale", "sepia", "invert", "opacity"}
_AMOUNTS = {*_AT_MOST_ONE, "brightness", "contrast", "saturate"}
_REGION = ("x", "y", "width", "height")
_SOURCES = {"SourceGraphic", "SourceAlpha"}
_REACH = 5.0
"""Pixels by which a part of a filter makes something thicker or thinner: the engine does so by 10 at most, and what is
drawn at twice its size needs as many."""

_MOST_STEPS = 40
_NARROWER = {"x": "-0.09999", "y": "-0.09999", "width": "1.19998", "height": "1.19998"}
"""The usual region, less than a pixel narrower: the engine rounds what ends at a whole pixel to one more."""


def mend(root: Element, scale: float) -> None:
    """Rewrite the filters of a drawing whose units are `scale` pixels."""
    for each in [each for each in root.iter() if name_of(each) == "filter"]:
        _mend_parts(each, scale)
    made: dict[str, Element] = {}
    for element in root.iter():
        if "(" in element.get("filter", ""):
            value = _named(element.attrib["filter"], made)
            element.attrib["filter"] = value
        style = element.get("style", "")
        if "filter" in style:
            said = (
                (key, _named(value, made) if key == "filter" and "(" in value else value)
                for key, value, _ in values.declarations(style)
            )
            element.set("style", ";".join(f"{key}:{value}" for key, value in said))
    if made:
        references.define(root, made.values())


def _named(value: str, made: dict[str, Element]) -> str:
    """A list of filters with references to new ones for its functions; none for one with an error (CSS 2.1, 4.2)."""
    written, at = [], 0
    while match := _FUNCTION.match(value, at):
        at = match.end()
        name, argument = match[1].lower(), match[2]
        if name in ("url", "drop-shadow"):
            if name == "drop-shadow" and "%" in re.sub(r"\([^()]*\)", "", argument):
                return "none"
            written.append(match[0].strip())
            continue
        said = f"{name}({argument.strip()})"
        if said not in made:
            parts = _parts(name, argument)
            if parts is None:
                return "none"
            made[said] = Element(
                f"{_SVG}filter", {"id": f"{WHOLE}{len(made)}", **_FAR, "color-interpolation-filters": "sRGB"}
            )
            made[said].extend(parts)
        written.append(f"url(#{made[said].get('id')})")
    return " ".join(written) if at == len(value) else value


def _parts(name: str, argument: str) -> list[Element] | None:
    """What a function is short for (Filter Effects 1, 13), or None for an error."""
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
    said = _AMOUNT.fullmatch(argument or "1")
    if not said:
        return None
    amount = float(said[1]) / (100 if said[2] else 1)
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


def _part(name: str, **said: str) -> Element:
    return Element(f"{_SVG}{name}", said)


def _transfer(channels: str, **said: str) -> Element:
    whole = _part("feComponentTransfer")
    whole.extend(_part(f"feFunc{each}", **said) for each in channels)
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
    """As many steps as it takes to go as far as `part` does."""
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
        # A part is gone through whole: what is halved would be rounded up twice.
        radius = [max(side - reach, 0.0) for side in radius]
    return found or [part]


def _cut_later(part: Element) -> list[Element]:
    """The blur of all, and then the region of it: the engine would blur what is in that region."""
    cut = Element(f"{_SVG}feOffset", {key: part.attrib.pop(key) for key in (*_REGION, "result") if key in part.attrib})
    return [part, cut]
