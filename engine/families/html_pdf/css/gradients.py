"""Draw CSS gradients (CSS Images 3, 3), which PlutoPrint doesn't, as drawings that it does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import takewhile
from typing import Any

import tinycss2

from engine.families.html_pdf.css import conic_gradients, gradient_shapes
from engine.families.html_pdf.css.gradient_shapes import Room
from engine.families.html_pdf.css.gradient_stops import Stop
from engine.families.html_pdf.css.room_lengths import Length, TextSizes, length
from engine.toolkit.data_uris import data_uri
from engine.toolkit.messages import Message, say

_GRADIENT = re.compile(
    r"(?:-webkit-|-moz-)?(repeating-)?(linear|radial|conic)-gradient\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)",
    re.IGNORECASE,
)
_COLOR = re.compile(r"#[0-9a-f]{3,8}|[a-z]+|(?:rgba?|hsla?)\([^()]*\)", re.IGNORECASE)
_NO_COLOUR = ("none", "inherit", "initial", "currentcolor")
_HEAD = re.compile(r"(?:to|circle|ellipse|closest|farthest|at|from|in)\b|[-+.\d]", re.IGNORECASE)
"""The beginning of what comes before the first colour."""


@dataclass(frozen=True)
class _Gradient:
    written: str
    kind: str
    repeating: bool
    head: Sequence[Any]
    stops: list[Stop]


def lowered(name: str, value: str) -> list[str] | None:
    """The declarations that draw the last gradient of a background, behind all others; None for none.

    A conic one, which takes long, is its first colour here.
    """
    found = next(reversed([*_GRADIENT.finditer(value)]), None)
    if found is None:
        return None
    behind = [] if name == "background-image" else [f"background-color:{_behind(value)}"]
    inside = None if is_conic(found[0]) else drawn(found[0], "g") or nearly(found[0], "g")
    inside = inside or _first_colour(found[0])
    if inside is None:
        return None
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%">{inside}</svg>'
    return [
        *behind,
        f'background-image:url("{data_uri("image/svg+xml", svg.encode())}")',
        "background-repeat:no-repeat",
        "background-size:100% 100%",
    ]


def drawn(value: str, name: str, sizes: TextSizes | None = None, room: Room | None = None) -> str | None:
    """A gradient as elements that fill their viewport, with a name of its own for this drawing.

    `room` is the width and height if these are known; without them, some gradients can't be drawn.
    """
    sizes = sizes or TextSizes()
    found = _read(value, sizes)
    if found is None:
        return None
    if found.kind == "conic":
        return conic_gradients.drawn(found.head, found.stops, sizes, repeating=found.repeating)
    if found.kind == "linear":
        return gradient_shapes.linear(found.head, found.stops, name, room, repeating=found.repeating)
    return gradient_shapes.radial(found.head, found.stops, name, sizes, room, repeating=found.repeating)


def is_conic(value: str) -> bool:
    """Whether a value has a conic gradient."""
    return "conic-gradient(" in value.lower()


def only_colour(value: str) -> Stop | None:
    """The colour of a gradient that has no other one."""
    found = _read(value, TextSizes())
    colours = {(each.colour, each.alpha) for each in found.stops} if found is not None else set()
    return found.stops[0] if found is not None and len(colours) == 1 else None


def is_colour(value: str) -> bool:
    """Whether a value is a colour."""
    return _COLOR.fullmatch(value.strip()) is not None and value.strip().lower() not in _NO_COLOUR


def inexact(value: str) -> Message | None:
    """What is not drawn exactly of the first gradient in a value, for any element whose size is unknown."""
    match = _GRADIENT.search(value)
    found = _read(match[0], TextSizes()) if match is not None else None
    if found is not None and found.kind == "conic":
        return say("conic-gradient is drawn as its first colour.")
    if found is None or drawn(found.written, "g") is not None:
        return None
    if found.kind == "radial":
        return say("radial-gradient is drawn with about its radius.")
    return say("the lengths in a gradient are drawn as equal parts.")


def layers_of(value: str) -> list[str]:
    """The parts between top-level commas: the layers of a background."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(value):
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            parts.append(value[start:at].strip())
            start = at + 1
    return [*parts, value[start:].strip()]


def split(tokens: Sequence[Any]) -> list[list[Any]]:
    """The tokens of tinycss2 between commas."""
    parts: list[list[Any]] = [[]]
    for each in tokens:
        if each == ",":
            parts.append([])
        else:
            parts[-1].append(each)
    return parts


def _read(value: str, sizes: TextSizes) -> _Gradient | None:
    found = _GRADIENT.fullmatch(value.strip())
    if found is None:
        return None
    parts = split(tinycss2.parse_component_value_list(found[3], skip_comments=True))
    head: Sequence[Any] = ()
    if _HEAD.match(tinycss2.serialize(parts[0]).strip()):
        head = [*takewhile(lambda each: _word(each) != "in", parts.pop(0))]
    stops: list[Stop] = []
    is_conic = found[2].lower() == "conic"
    for each in parts:
        stop = _stops(conic_gradients.in_shares(each) if is_conic else each, sizes)
        if stop is None:
            return None
        stops += stop
    return _Gradient(found[0], found[2].lower(), bool(found[1]), head, stops) if len(stops) >= 2 else None


def _stops(tokens: Sequence[Any], sizes: TextSizes) -> list[Stop] | None:
    """A colour at its places; none for the middle between two colours, which is drawn halfway."""
    words = [each for each in tokens if each.type != "whitespace"]
    if words and length(words[0], sizes) is not None:
        return []
    places = [length(each, sizes) for each in words[1:]]
    colour = tinycss2.serialize(words[:1])
    if not words or len(places) > 2 or None in places or not is_colour(colour):
        return None
    known: list[Length | None] = [*places] or [None]
    return [Stop(each, escape(_opaque(colour)), _alpha(colour)) for each in known]


def nearly(value: str, name: str) -> str | None:
    """A gradient about as it is in browsers, without lengths in pixels; None for what has no such likeness."""
    found = _read(value, TextSizes())
    if found is None or found.kind == "conic":
        return None
    stops = [replace(each, at=None) if each.at is not None and each.at.pixels else each for each in found.stops]
    if found.kind == "linear":
        return gradient_shapes.linear(found.head, stops, name, None, repeating=False)
    return gradient_shapes.radial(found.head, stops, name, TextSizes(), None, repeating=False, nearly=True)


def _first_colour(value: str) -> str | None:
    found = _read(value, TextSizes())
    if found is None:
        return None
    return f'<rect width="100%" height="100%" fill="{found.stops[0].colour}" fill-opacity="{found.stops[0].alpha:g}"/>'


def _word(token: Any) -> str:
    return str(token.lower_value) if token.type == "ident" else ""


def _behind(value: str) -> str:
    """The colour of a background's last layer."""
    last = layers_of(_GRADIENT.sub("", value))[-1].strip()
    return last if _COLOR.fullmatch(last) and last not in ("none", "fixed", "center") else "transparent"


def _alpha(color: str) -> float:
    if color.lower() == "transparent":
        return 0.0
    if color.startswith("#") and len(color) in (5, 9):
        digits = color[4] * 2 if len(color) == 5 else color[7:]
        return int(digits, 16) / 255
    numbers = re.findall(r"[\d.]+%?", color) if color.lower().startswith(("rgba", "hsla", "rgb", "hsl")) else []
    if len(numbers) == 4:
        return float(numbers[3].rstrip("%")) / (100 if numbers[3].endswith("%") else 1)
    return 1.0


def _opaque(color: str) -> str:
    if color.startswith("#") and len(color) in (5, 9):
        return color[:4] if len(color) == 5 else color[:7]
    return "#000" if color.lower() == "transparent" else color
