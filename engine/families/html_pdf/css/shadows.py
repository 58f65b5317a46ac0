"""Read the shadows of boxes (`box-shadow`, CSS Backgrounds 3, 6.1), as rings that are drawn around a box."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import tinycss2
from tinycss2.color3 import RGBA, parse_color

from engine.families.html_pdf.css import gradients
from engine.families.html_pdf.css.room_lengths import TextSizes, length

_STEP = 1.5
"""CSS pixels of a blurred edge that have one opacity."""
_FEWEST_RINGS, _MOST_RINGS = 4, 32
_MOST_SHADOWS = 4
_LARGEST = 400.0
"""CSS pixels that a shadow is away from its box at most."""
_FAINT = 0.004


@dataclass(frozen=True)
class Shadow:
    """A shadow outside a box: its place, how far it is blurred and larger than the box, in CSS pixels."""

    across: float
    down: float
    blur: float
    spread: float
    colour: RGBA


@dataclass(frozen=True)
class Ring:
    """A part of a shadow with one opacity: from the box to these distances from its sides, clockwise from the top."""

    sides: tuple[float, float, float, float]
    colour: RGBA
    is_blurred: bool


def read(value: str) -> list[Shadow] | None:
    """The shadows of a value, the first on top; None for one that is not drawn, such as one inside its box."""
    if value in ("", "none"):
        return []
    parts = gradients.split(tinycss2.parse_component_value_list(value, skip_comments=True))
    found = [shadow for each in parts if (shadow := _shadow(each)) is not None]
    return found if len(found) == len(parts) <= _MOST_SHADOWS else None


def rings(shadow: Shadow) -> Iterator[Ring]:
    """The rings of a shadow from the outermost, each of which is over those before it."""
    count = min(max(round(2 * shadow.blur / _STEP), _FEWEST_RINGS), _MOST_RINGS) if shadow.blur else 1
    before = 0.0
    for number in range(count):
        middle = 1 - (2 * number + 1) / count  # of the ring, from 1 at the outer end of the blur to -1
        outer = middle + 1 / count if shadow.blur else 0.0
        extent = shadow.spread + outer * shadow.blur
        wanted = shadow.colour.alpha * ((1 - math.erf(middle * math.sqrt(2))) / 2 if shadow.blur else 1.0)
        alpha = 1 - (1 - wanted) / (1 - before) if before < 1 else 0.0
        sides = (extent - shadow.down, extent + shadow.across, extent + shadow.down, extent - shadow.across)
        if max(sides) <= 0:
            return
        before = wanted
        if alpha >= _FAINT:
            yield Ring(sides, shadow.colour._replace(alpha=alpha), bool(shadow.blur))


def _shadow(tokens: list[object]) -> Shadow | None:
    lengths: list[float] = []
    colour: RGBA | None = None
    for each in tokens:
        if getattr(each, "type", "") == "whitespace":
            continue
        known = length(each, TextSizes())
        if known is not None and not known.share:
            lengths.append(max(-_LARGEST, min(known.pixels, _LARGEST)))
            continue
        tone = parse_color(each)
        if colour is not None or not isinstance(tone, RGBA):
            return None
        colour = tone
    if colour is None or not 2 <= len(lengths) <= 4 or (len(lengths) > 2 and lengths[2] < 0):
        return None
    blur, spread = (*lengths[2:], 0.0, 0.0)[:2]
    return Shadow(lengths[0], lengths[1], blur, spread, colour)
