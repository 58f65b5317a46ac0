"""CSS declarations: what the layout engine understands, what can be said in its words, and what must be reported."""

from __future__ import annotations

import colorsys
import functools
from typing import Any

import tinycss2

from conversions.families.html_pdf.css.lengths import MOST, Unsupported, length
from conversions.families.html_pdf.css.values import is_value
from conversions.families.html_pdf.source.references import blocked, is_inline
from conversions.toolkit.warnings import Warn

_SHORTHANDS = frozenset((
    "font", "background", "list-style", "flex", "flex-flow", "gap", "border-radius", "margin", "padding",
    "border", "border-width", "border-color", "border-style", "border-top", "border-right", "border-bottom",
    "border-left",
))  # fmt: skip
# Nothing of these can be seen on paper, or the engine does what they ask for anyway.
_WITHOUT_EFFECT = frozenset((
    "cursor", "pointer-events", "user-select", "will-change", "resize", "touch-action", "caret-color",
    "accent-color", "appearance", "contain", "content-visibility", "backface-visibility", "scroll-behavior",
    "overscroll-behavior", "scrollbar-width", "scrollbar-color", "scrollbar-gutter", "color-scheme",
    "print-color-adjust", "color-adjust", "text-rendering", "text-size-adjust", "font-smooth", "font-display",
    "font-optical-sizing", "font-kerning", "font-synthesis", "box-sizing", "border-collapse", "clear",
    "isolation", "image-rendering", "speak", "unicode-bidi", "animation", "transition", "src", "unicode-range",
    "forced-color-adjust", "all", "overflow-anchor", "interpolate-size", "outline-offset", "tab-size", "hyphens",
    "text-wrap",
))  # fmt: skip
_WITHOUT_EFFECT_BEGINNINGS = ("-webkit-", "-moz-", "-ms-", "-o-", "animation-", "transition-", "scroll-", "view-")
# The value that says "as if this were not written".
_INITIAL = {
    "opacity": "1", "float": "none", "transform": "none", "box-shadow": "none", "text-shadow": "none",
    "filter": "none", "backdrop-filter": "none", "clip-path": "none", "columns": "auto", "column-count": "auto",
    "column-width": "auto", "visibility": "visible", "outline": "none", "background-attachment": "scroll",
    "background-size": "auto", "background-clip": "border-box", "background-origin": "padding-box",
    "mix-blend-mode": "normal", "font-variant": "normal", "font-stretch": "normal", "font-feature-settings": "normal",
    "table-layout": "auto", "empty-cells": "show", "object-fit": "fill", "object-position": "50% 50%", "order": "0",
    "writing-mode": "horizontal-tb", "text-decoration-style": "solid", "text-decoration-line": "none",
    "caption-side": "top", "direction": "ltr", "page": "auto", "orphans": "2", "widows": "2",
    "zoom": "normal", "border-spacing": "0", "clip": "auto", "mask": "none",
}  # fmt: skip
PLACING = frozenset((
    "grid", "grid-area", "grid-auto-columns", "grid-auto-flow", "grid-auto-rows", "grid-column", "grid-column-end",
    "grid-column-gap", "grid-column-start", "grid-gap", "grid-row", "grid-row-end", "grid-row-gap", "grid-row-start",
    "grid-template", "grid-template-areas", "grid-template-columns", "grid-template-rows", "flex", "flex-basis",
    "flex-direction", "flex-flow", "flex-grow", "flex-shrink", "flex-wrap", "align-items", "align-content",
    "align-self", "justify-content", "justify-items", "justify-self", "place-content", "place-items", "place-self",
    "gap", "row-gap", "column-gap", "order",
))  # fmt: skip
"""The properties of flex boxes and grids, as they are written: these become tables before the layout."""
_WIDE = frozenset(("initial", "unset", "revert", "revert-layer"))
_FUNCTIONS = frozenset(("rgb", "rgba", "cmyk", "device-cmyk", "var", "counter", "counters", "attr", "format", "local"))
_TEXTUAL = frozenset(("content", "font-family", "font", "quotes", "list-style", "list-style-type", "text-overflow"))
_REPORTED_VALUES = {
    "display": {"table", "inline-table", "table-row", "table-cell", "ruby", "run-in"},
    "position": {"sticky"},
}
_OTHER_WORDS: dict[str, dict[str, str | None]] = {
    "display": {"inline-grid": "grid"},
    "text-align": {"start": "left", "end": "right", "-webkit-center": "center", "justify-all": "justify"},
    "white-space": {"break-spaces": "pre-wrap"},
    "overflow-wrap": {"normal": None},
    "word-wrap": {"normal": None},
}


@functools.cache
def _properties() -> frozenset[str]:
    """What the layout engine reads, and `float`, which only pictures do; the others report it."""
    from xhtml2pdf.properties import SUPPORTED_PROPERTIES  # when the engine is loaded

    return SUPPORTED_PROPERTIES | {"float"}  # type: ignore[no-any-return]


def declaration(each: Any, warn: Warn) -> str | None:
    """One declaration in the engine's words, or None where it says nothing here; what it loses is reported."""
    name = each.name if each.name.startswith("--") else each.lower_name
    value = tinycss2.serialize(each.value).strip()
    plain = value.lower()
    important = " !important" if each.important else ""
    if name.startswith("--"):
        return f"{name}: {value}{important}" if value and not _blocks(each.value) else None
    if name in _WITHOUT_EFFECT or (name.startswith(_WITHOUT_EFFECT_BEGINNINGS) and not name.startswith("-pdf-")):
        return None
    if plain in _WIDE or plain == _INITIAL.get(name) or (plain == "inherit" and name == "font"):
        return None
    if name == "visibility":
        warn("CSS_UNSUPPORTED", f"visibility: {plain[:40]} is not supported; the element is left out.")
        return f"display: none{important}"
    if name in PLACING:
        return f"{name}: {plain}{important}"
    if name not in _properties() and name not in _SHORTHANDS:
        warn("CSS_UNSUPPORTED", f"{name}: {_short(value)} is not supported and was ignored.")
        return None
    if plain in _REPORTED_VALUES.get(name, ()):
        warn("CSS_UNSUPPORTED", f"{name}: {plain} is not supported; the element is laid out as a plain block.")
    words = _OTHER_WORDS.get(name, {})
    if plain in words:
        plain = words[plain] or ""
        return f"{name}: {plain}{important}" if plain else None
    try:
        if not is_value(name, each.value):
            raise Unsupported
        text = _value(name, each.value, warn).strip()
    except Unsupported:
        warn("CSS_UNSUPPORTED", f"{name}: {_short(value)} is not supported and was ignored.")
        return None
    return f"{name}: {text}{important}" if text else None


def _value(name: str, tokens: list[Any], warn: Warn) -> str:
    return "".join(_token(name, token, warn) for token in tokens)


def _token(name: str, token: Any, warn: Warn) -> str:
    kind = token.type
    if kind == "url":
        return _reference(token.value, warn)
    if kind == "function":
        return _function(name, token, warn)
    if kind == "dimension":
        return length(token)
    if kind in ("[] block", "{} block", "() block", "error", "unicode-range"):
        # None of them is part of a value that the engine knows.
        raise Unsupported
    if kind == "string" and name not in _TEXTUAL:
        raise Unsupported
    if kind == "ident" and token.lower_value == "currentcolor":
        return ""
    if kind in ("number", "percentage") and abs(token.value) > MOST:
        raise Unsupported
    return str(token.serialize())


def _reference(url: str, warn: Warn) -> str:
    if not is_inline(url):
        blocked(url, warn)
        return ""
    return f'url("{url.strip()}")' if '"' not in url else ""


def _function(name: str, token: Any, warn: Warn) -> str:
    function = token.lower_name
    arguments = [each for each in token.arguments if each.type not in ("whitespace", "comment")]
    if function == "url":
        return _reference("".join(each.value for each in arguments if each.type == "string"), warn)
    if function in ("hsl", "hsla", "rgb", "rgba") and not any(each.type == "function" for each in arguments):
        return _color(function, arguments)
    if function.endswith("gradient"):
        color = next((text for text in map(_plain_color, token.arguments) if text), "")
        outcome = "its first colour is used" if color else "it was ignored"
        warn("CSS_UNSUPPORTED", f"{name}: {function}() is not supported; {outcome}.")
        return color if name == "background" else ""
    if function not in _FUNCTIONS or _blocks(token.arguments):
        raise Unsupported
    return str(token.serialize())


def _plain_color(token: Any) -> str:
    """The colour that a token of a gradient names, or an empty text."""
    if token.type == "hash" and len(token.value) in (3, 4, 6, 8):
        return f"#{token.value}"
    if token.type == "function" and token.lower_name in ("hsl", "hsla", "rgb", "rgba"):
        try:
            return _color(token.lower_name, [each for each in token.arguments if each.type != "whitespace"])
        except Unsupported:
            return ""
    if token.type == "ident" and token.lower_value not in (
        "to",
        "at",
        "circle",
        "ellipse",
        "from",
        "in",
        "transparent",
    ):
        sides = ("left", "right", "top", "bottom", "center", "closest-side", "farthest-side", "farthest-corner")
        return "" if token.lower_value in sides else str(token.value)
    return ""


def _color(function: str, arguments: list[Any]) -> str:
    """`rgb()` or `hsl()` in any of its spellings (CSS Color 4) as `#rrggbbaa`."""
    numbers = [each for each in arguments if each.type in ("number", "percentage", "dimension")]
    if len(numbers) not in (3, 4) or any(abs(each.value) > MOST for each in numbers):
        raise Unsupported
    parts = []
    if function.startswith("rgb"):
        parts = [each.value / (100 if each.type == "percentage" else 255) for each in numbers[:3]]
    else:
        turns = {"turn": 1.0, "rad": 1 / 6.283185307, "grad": 1 / 400}
        hue = numbers[0].value * turns.get(getattr(numbers[0], "lower_unit", "deg"), 1 / 360)
        parts = list(colorsys.hls_to_rgb(hue % 1.0, _unit(numbers[2].value / 100), _unit(numbers[1].value / 100)))
    if len(numbers) == 4:
        parts.append(numbers[3].value / (100 if numbers[3].type == "percentage" else 1))
    return "#" + "".join(f"{round(_unit(part) * 255):02x}" for part in parts)


def _unit(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _blocks(tokens: list[Any]) -> bool:
    """Whether a value holds what no property's value holds: brackets, and texts with brackets in them."""
    return any(
        token.type in ("[] block", "{} block", "() block")
        or (token.type == "string" and any(mark in token.value for mark in "[]()"))
        or (token.type == "function" and _blocks(token.arguments))
        for token in tokens
    )


def _short(value: str) -> str:
    value = " ".join(value.split())
    return value if len(value) <= 60 else value[:59] + "…"
