"""CSS gradients as background drawings that PlutoPrint supports (CSS Images 3, 3)."""

from __future__ import annotations

import math
import re
from html import escape

from engine.toolkit.data_uris import data_uri

_GRADIENT = re.compile(
    r"(?:-webkit-|-moz-)?(repeating-)?(linear|radial|conic)-gradient\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)",
    re.IGNORECASE,
)
_STOP = re.compile(r"(.*?)\s+(-?[\d.]+)(%|px)?(?:\s+(-?[\d.]+)%)?\s*$", re.DOTALL)
_ANGLES = {"deg": 1.0, "turn": 360.0, "grad": 0.9, "rad": 180 / math.pi}
_SIDES = {
    "top": 0, "right": 90, "bottom": 180, "left": 270, "top right": 45, "right top": 45, "bottom right": 135,
    "right bottom": 135, "bottom left": 225, "left bottom": 225, "top left": 315, "left top": 315,
}  # fmt: skip
_COLOR = re.compile(r"#[0-9a-f]{3,8}|[a-z]+|(?:rgba?|hsla?)\([^()]*\)", re.IGNORECASE)


def lowered(name: str, value: str) -> list[str] | None:
    """The declarations that draw the first gradient of a background; None if there is none to draw."""
    match = _GRADIENT.search(value)
    if match is None:
        return None
    if name == "background" and stacked(value):
        return _stack(value)
    if match[1]:
        return _striped(name, value, match)
    drawing = _drawing(match[2].lower(), layers_of(match[3]))
    if drawing is None:
        return None
    svg, _ = drawing
    uri = data_uri("image/svg+xml", svg.encode())
    behind = [] if name == "background-image" else [f"background-color:{_behind(value)}"]
    size = [] if name == "background-image" else ["background-size:100% 100%"]
    return [
        *behind,
        f'background-image:url("{uri}")',
        "background-repeat:no-repeat",
        *(size or ["background-size:100% 100%"]),
    ]


def stacked(value: str) -> bool:
    """Return whether a background is several gradients over the whole box, with or without a colour behind them."""
    layers = layers_of(value)
    drawn = [_GRADIENT.fullmatch(each) for each in layers]
    if len(layers) < 2 or (drawn[-1] is None and (not _COLOR.fullmatch(layers[-1]) or len(layers) < 3)):
        return False
    found = drawn if drawn[-1] is not None else drawn[:-1]
    return all(each is not None and not each[1] and _layer(each) is not None for each in found)


def _layer(match: re.Match[str]) -> tuple[str, str] | None:
    return _drawing(match[2].lower(), layers_of(match[3]))


def _stack(value: str) -> list[str]:
    """The declarations of several gradients over the whole box, the first above the others."""
    drawn = [layer for match in _GRADIENT.finditer(value) if (layer := _layer(match)) is not None]
    inner = [
        svg[svg.index(">") + 1 : -len("</svg>")].replace('id="g"', f'id="g{at}"').replace("url(#g)", f"url(#g{at})")
        for at, (svg, _) in enumerate(drawn)
    ]
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="0 0 100 100"'
    svg = f'{head} preserveAspectRatio="none">{"".join(reversed(inner))}</svg>'
    return [
        f"background-color:{_behind(value)}",
        f'background-image:url("{data_uri("image/svg+xml", svg.encode())}")',
        "background-repeat:no-repeat",
        "background-size:100% 100%",
    ]


def is_colour(value: str) -> bool:
    """Whether a value is a colour."""
    return _COLOR.fullmatch(value.strip()) is not None and value.strip().lower() not in ("none", "inherit", "initial")


def gradient_of(layer: str) -> tuple[str, str] | None:
    """The gradient of a layer of a background, and the rest of it."""
    found = _GRADIENT.search(layer)
    return (found[0], f"{layer[: found.start()]} {layer[found.end() :]}") if found else None


def drawing(value: str, name: str) -> str | None:
    """A gradient that is drawn exactly, in a square of 100, with names for this drawing; None for any other."""
    found = _GRADIENT.fullmatch(value)
    if found is None or found[1] or inexact(value.lower()) or (layer := _layer(found)) is None:
        return None
    svg, _ = layer
    inner = svg[svg.index(">") + 1 : -len("</svg>")]
    return inner.replace('id="g"', f'id="{name}"').replace("url(#g)", f"url(#{name})")


def inexact(value: str) -> str:
    """The first part of a gradient that is not drawn exactly; empty if all of it is."""
    match = _GRADIENT.search(value)
    if match is None:
        return ""
    kind, head = match[2].lower(), layers_of(match[3])[0].strip().lower()
    if kind == "conic":
        return "conic-gradient is drawn as its first colour."
    placed = re.search(r"at ([^,]+)", head)
    if kind == "radial" and placed and placed[1].strip() not in ("center", "center center", "50%", "50% 50%"):
        return "radial-gradient is drawn from the middle of its box."
    return ""


def _striped(name: str, value: str, match: re.Match[str]) -> list[str] | None:
    """A repeating gradient along a side of its box, in pixels, as a tile; None for any other."""
    parts = layers_of(match[3])
    angle = {"90deg": 90, "270deg": 270, "180deg": 180, "0deg": 0}.get(parts[0].lower())
    if parts[0].lower().startswith("to "):
        angle = _SIDES.get(" ".join(parts[0].lower()[3:].split()))
    if angle is None:
        angle = 180
    else:
        parts = parts[1:]
    if angle % 90 or match[2].lower() != "linear":
        return None
    stops: list[tuple[float, str]] = []
    for part in parts:
        found = re.fullmatch(r"(.*?)((?:\s+[\d.]+(?:px)?){1,2})", part, re.DOTALL)
        if found is None or not _COLOR.fullmatch(found[1].strip()):
            return None
        stops += [(float(at.removesuffix("px")), found[1].strip()) for at in found[2].split()]
    if len(stops) < 2 or not stops[0][0] < stops[-1][0] < 10_000:
        return None
    first, size = stops[0][0], stops[-1][0] - stops[0][0]
    lines = "".join(
        f'<stop offset="{(at - first) / size * 100:g}%" stop-color="{escape(_opaque(color))}"'
        f' stop-opacity="{_alpha(color):g}"/>'
        for at, color in stops
    )
    ends = {90: (0, 0, 1, 0), 270: (1, 0, 0, 0), 180: (0, 0, 0, 1), 0: (0, 1, 0, 0)}[int(angle)]
    x1, y1, x2, y2 = ends
    width, height = (size, 10) if angle in (90, 270) else (10, size)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"><defs><linearGradient id="g"'
        f' x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}">{lines}</linearGradient></defs>'
        f'<rect width="{width:g}" height="{height:g}" fill="url(#g)"/></svg>'
    )
    uri = data_uri("image/svg+xml", svg.encode())
    behind = [] if name == "background-image" else [f"background-color:{_behind(value)}"]
    return [
        *behind,
        f'background-image:url("{uri}")',
        f"background-size:{width:g}px {height:g}px",
        "background-repeat:repeat",
    ]


def _behind(value: str) -> str:
    """The colour of a background's last layer."""
    last = layers_of(_GRADIENT.sub("", value))[-1].strip()
    return last if _COLOR.fullmatch(last) and last not in ("none", "fixed", "center") else "transparent"


def _drawing(kind: str, parts: list[str]) -> tuple[str, str] | None:
    angle = 180.0
    head = parts[0].lower() if parts else ""
    if found := re.fullmatch(r"(-?[\d.]+)(deg|turn|grad|rad)", head):
        angle = float(found[1]) * _ANGLES[found[2]]
        parts = parts[1:]
    elif head.startswith("to "):
        angle = float(_SIDES.get(" ".join(head[3:].split()), 180))
        parts = parts[1:]
    elif re.match(r"circle|ellipse|closest|farthest|at |from |in ", head):
        parts = parts[1:]
    stops = _stops(parts)
    if len(stops) < 2:
        return None
    if kind == "conic":
        stops = [(0.0, stops[0][1]), (100.0, stops[0][1])]
    lines = "".join(
        f'<stop offset="{at:g}%" stop-color="{escape(_opaque(color))}" stop-opacity="{_alpha(color):g}"/>'
        for at, color in stops
    )
    if kind == "radial":
        shape = f'<radialGradient id="g" cx="50%" cy="50%" r="70.7%">{lines}</radialGradient>'
    else:
        turn = math.radians(angle)
        x, y = math.sin(turn), -math.cos(turn)
        reach = (abs(x) + abs(y)) / 2
        ends = (0.5 - x * reach, 0.5 - y * reach, 0.5 + x * reach, 0.5 + y * reach)
        x1, y1, x2, y2 = (f"{round(each, 5):g}" for each in ends)
        shape = f'<linearGradient id="g" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}">{lines}</linearGradient>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="0 0 100 100"'
        f' preserveAspectRatio="none"><defs>{shape}</defs><rect width="100" height="100" fill="url(#g)"/></svg>',
        stops[0][1],
    )


def _stops(parts: list[str]) -> list[tuple[float, str]]:
    """Offsets in percent and colours; missing offsets are interpolated."""
    found: list[tuple[float | None, str]] = []
    for part in parts:
        match = _STOP.fullmatch(part)
        color = match[1].strip() if match else part
        if not _COLOR.fullmatch(color):
            continue
        found.append((float(match[2]) if match and match[3] != "px" else None, color))
        if match and match[4]:
            found.append((float(match[4]), color))
    if not found:
        return []
    offsets = [at for at, _ in found]
    offsets[0] = 0.0 if offsets[0] is None else offsets[0]
    offsets[-1] = 100.0 if offsets[-1] is None else offsets[-1]
    for at, value in enumerate(offsets):
        if value is None:
            after = next(other for other in range(at, len(offsets)) if offsets[other] is not None)
            before = offsets[at - 1] or 0.0
            offsets[at] = before + ((offsets[after] or 0.0) - before) / (after - at + 1)
    return [(value or 0.0, color) for value, (_, color) in zip(offsets, found, strict=True)]


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


def layers_of(value: str) -> list[str]:
    """The parts between top-level commas: the layers of a background, or the stops of a gradient."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(value):
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            parts.append(value[start:at].strip())
            start = at + 1
    return [*parts, value[start:].strip()]
