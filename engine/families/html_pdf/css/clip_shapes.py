"""Draw a background that is clipped to a shape (CSS Masking 1, 3.5) as a drawing, as PlutoPrint has no such clips.

A drawing without a view box has the CSS pixels and percentages of the box.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from engine.families.html_pdf.css import gradients
from engine.toolkit.data_uris import data_uri

_VALUE = r"\s*((?:[^;()\"']|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)"
_LAYERS = re.compile(rf"(?:^|(?<=;))\s*(background(?:-(?:image|color|size|position|repeat))?)\s*:{_VALUE}(?:;|$)", re.I)
_CLIP = re.compile(rf"(?:^|(?<=;))\s*(?:-webkit-)?clip-path\s*:{_VALUE}(?:;|$)", re.IGNORECASE)
_SIDE = re.compile(r"(?:^|;)\s*(width|height)\s*:\s*([\d.]+[a-z]+)\s*(?=;|$)", re.IGNORECASE)
_SHAPE = re.compile(r"(polygon|circle|ellipse|inset)\(([^()]*)\)", re.IGNORECASE)
_LENGTH = re.compile(r"(-?(?:\d++\.?\d*+|\.\d++))(px|%)?")
_PLACES = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}
_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%">'


def clipped(body: str) -> str:
    """The declarations with a background in the shape to which the box is clipped, or with round corners."""
    found = list(_CLIP.finditer(body)) if "clip-path" in body.lower() else []
    shape = _SHAPE.fullmatch(found[-1][1].strip()) if found else None
    if shape is None or any("!" in each[1] for each in found):
        return body
    kind, inside = shape[1].lower(), " ".join(shape[2].lower().split())
    if (radius := _rounded(kind, inside, body)) is not None:
        return f"{_CLIP.sub('', body).rstrip('; ')};border-radius:{radius};overflow:hidden"
    said = {each[1].lower(): each[2].strip() for each in _LAYERS.finditer(body)}
    fill = said.get("background-color") or said.get("background-image") or said.get("background") or ""
    drawn = _SHAPES[kind](inside)
    if drawn is None or len(said) != 1:
        return body
    if gradients.is_colour(fill):
        return _with_drawing(_LAYERS.sub("", _CLIP.sub("", body)), drawn.format(fill=escape(fill)))
    return body


def _with_drawing(body: str, inside: str) -> str:
    uri = data_uri("image/svg+xml", f"{_HEAD}{inside}</svg>".encode())
    return (
        f'{body.strip().rstrip(";")};background-color:transparent;background-image:url("{uri}");'
        "background-repeat:no-repeat;background-size:100% 100%"
    ).lstrip(";")


def _place(said: str) -> tuple[str, str] | None:
    words = said.lower().split() or ["0%", "0%"]
    if len(words) > 2:
        return None
    if words[0] in ("top", "bottom"):
        words = [*words[1:], words[0]] if len(words) == 2 else ["center", words[0]]
    elif len(words) == 2 and words[1] in ("left", "right"):
        words.reverse()
    pair = [_PLACES.get(each, each) for each in [*words, "center"][:2]]
    return (pair[0], pair[1]) if all(_LENGTH.fullmatch(each) for each in pair) else None


def _rounded(kind: str, inside: str, body: str) -> str | None:
    """The radius of the corners that clip a box in the same way."""
    sides = dict(_SIDE.findall(body.lower()))
    is_square = len(sides) == 2 and len(set(sides.values())) == 1
    if kind == "ellipse" and inside in ("", "50% 50%", "50% 50% at center", "50% 50% at 50% 50%"):
        return "50%"
    if kind == "circle" and is_square and inside in ("", "50%", "50% at center", "50% at 50% 50%"):
        return "50%"
    if kind == "inset" and (corners := re.fullmatch(r"0(?:px|%)? round ([^/]+)", inside)):
        return corners[1]
    return None


def _polygon(inside: str) -> str | None:
    rule, _, points = inside.rpartition("nonzero,")
    pairs = [each.split() for each in (points if rule else inside).split(",")]
    lengths = [_LENGTH.fullmatch(each) for pair in pairs for each in pair]
    if not all(len(pair) == 2 for pair in pairs) or not all(lengths):
        return None
    units = {each[2] for each in lengths if each is not None and float(each[1])}
    if len(units) > 1:
        return None
    numbers = " ".join(f"{float(each[1]):g}" for each in lengths if each is not None)
    shape = f'<polygon points="{numbers}" fill="{{fill}}"/>'
    if units == {"%"}:
        return f'<svg width="100%" height="100%" viewBox="0 0 100 100" preserveAspectRatio="none">{shape}</svg>'
    return shape


def _round(inside: str) -> str | None:
    radii, _, at = inside.partition("at ")
    place, words = _place(at), radii.split()
    if place is None or len(words) not in (1, 2) or not all(_LENGTH.fullmatch(each) for each in words):
        return None
    if not at:
        place = ("50%", "50%")
    size = f'r="{words[0]}"' if len(words) == 1 else f'rx="{words[0]}" ry="{words[1]}"'
    name = "circle" if len(words) == 1 else "ellipse"
    return f'<{name} cx="{place[0]}" cy="{place[1]}" {size} fill="{{fill}}"/>'


def _inset(inside: str) -> str | None:
    words = inside.split()
    lengths = [_LENGTH.fullmatch(each) for each in words]
    if not 1 <= len(words) <= 4 or not all(each and (each[2] == "%" or not float(each[1])) for each in lengths):
        return None
    numbers = [float(each[1]) for each in lengths if each is not None]
    top, right, bottom, left = (numbers + [numbers[0], numbers[0], numbers[1 % len(numbers)]][len(numbers) - 1 :])[:4]
    return (
        f'<rect x="{left:g}%" y="{top:g}%" width="{max(100 - left - right, 0):g}%" '
        f'height="{max(100 - top - bottom, 0):g}%" fill="{{fill}}"/>'
    )


_SHAPES: dict[str, Callable[[str], str | None]] = {
    "polygon": _polygon, "circle": _round, "ellipse": _round, "inset": _inset,
}  # fmt: skip
