"""Replace progress bars and gauges by boxes with a filled part, which the page's rules can style (HTML, 4.10.13)."""

from __future__ import annotations

import math
import re
from typing import Any

NAMES = ("progress", "meter")
_PREFIX = "fc-"
_FILLED = "fc-filled"
_NAMED = re.compile(r"(?<![\w.#:\\\-\"'=\[])(progress|meter)(?![\w\-\"'=\]])", re.IGNORECASE)
_TRACK = re.compile(r"::-webkit-(?:progress-bar|progress-inner-element|meter-bar|meter-inner-element)")
_VALUE = re.compile(r"::(?:-webkit-progress-value|-moz-progress-bar|-webkit-meter-optimum-value|-moz-meter-bar)")
_LEVELS = {"good": "#107c10", "fair": "#ffb900", "poor": "#d83b01"}
_OTHERS = {
    "::-webkit-meter-suboptimum-value": "fair",
    "::-webkit-meter-even-less-good-value": "poor",
}
_STYLE = (
    "fc-progress,fc-meter{display:inline-block;box-sizing:border-box;height:.5em;border:1px solid #c8c8c8;"
    "background:#efefef;border-radius:.5em;overflow:hidden;vertical-align:.1em;text-indent:0}"
    f"fc-progress{{width:10em}}fc-meter{{width:5em}}{_FILLED}{{display:block;height:100%;background:#0075ff}}"
    + "".join(f"fc-meter>{_FILLED}[level={level}]{{background:{colour}}}" for level, colour in _LEVELS.items())
)
"""Approximates browsers' bars; the page's rules come after them."""


def selectors(text: str) -> str:
    """The page's selectors, extended to the boxes that replace its bars and to their filled parts."""
    if not _NAMED.search(text) and "::-" not in text:
        return text
    text = _VALUE.sub(f">{_FILLED}", _TRACK.sub("", text))
    for name, level in _OTHERS.items():
        text = text.replace(name, f">{_FILLED}[level={level}]")
    return _NAMED.sub(lambda match: f"{_PREFIX}{match[1].lower()}", text)


def draw(element: Any) -> None:
    """Replace a bar by a box with a filled part; one without a value has none."""
    level = ""
    if element.tag == "meter":
        share, level = _measured(element)
    else:
        most = _number(element, "max", 1.0)
        value = _number(element, "value", 0.0)
        share = value / most if most > 0 else value
    for child in list(element):
        element.remove(child)
    element.text = None
    for attribute in ("value", "max", "min", "low", "high", "optimum"):
        element.attrib.pop(attribute, None)
    element.tag = f"{_PREFIX}{element.tag}"
    share = min(max(share, 0.0), 1.0)
    if share:
        filled = element.makeelement(_FILLED, style=f"width:{share:.2%}")
        if level:
            filled.set("level", level)
        element.append(filled)


def style(root: Any) -> str:
    """The style sheet for the bars of a page; empty without any."""
    return _STYLE if next(root.iter(*(_PREFIX + each for each in NAMES)), None) is not None else ""


def _measured(element: Any) -> tuple[float, str]:
    """The filled share of a gauge, and how good its value is."""
    least = _number(element, "min", 0.0)
    most = max(_number(element, "max", 1.0), least)
    value = min(max(_number(element, "value", 0.0), least), most)
    low = min(max(_number(element, "low", least), least), most)
    high = min(max(_number(element, "high", most), low), most)
    optimum = min(max(_number(element, "optimum", (least + most) / 2), least), most)
    regions = (value < low, low <= value <= high, value > high)
    best = 0 if optimum < low else 2 if optimum > high else 1
    away = abs(regions.index(True) - best)
    level = ("good", "fair", "poor")[away]
    return (value - least) / (most - least) if most > least else 0.0, level


def _number(element: Any, name: str, otherwise: float) -> float:
    try:
        value = float(element.get(name) or "")
    except ValueError:
        return otherwise
    return value if math.isfinite(value) else otherwise
