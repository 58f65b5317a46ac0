"""Draw conic gradients (CSS Images 4, 3.3) as wedges of one colour each, which need no size of the box."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import tinycss2
from tinycss2.color3 import RGBA, parse_color

from engine.families.html_pdf.css.gradient_shapes import ANGLES, at_place, shape_and_centre
from engine.families.html_pdf.css.gradient_stops import Stop, of, placed
from engine.families.html_pdf.css.room_lengths import TextSizes

_STEP = 2.0
"""Degrees of a wedge between two colours."""
_WIDEST = 60.0
"""Degrees between two corners of a wedge."""
_FAR = 10_000
"""The radius in CSS pixels: the corners of a box are nearer."""
_MOST_REPEATED = 360
_Place = tuple[float, RGBA]
"""An angle in degrees from the beginning, and the colour there."""


def in_shares(tokens: Sequence[Any]) -> list[Any]:
    """The tokens of a colour and its places, with angles as shares of the circle."""
    found = []
    for each in tokens:
        if each.type == "dimension" and each.lower_unit in ANGLES:
            degrees = each.value * ANGLES[each.lower_unit]
            found += tinycss2.parse_component_value_list(f"{degrees / 3.6:.6f}%")
        else:
            found.append(each)
    return found


def drawn(head: Sequence[Any], stops: list[Stop], sizes: TextSizes, *, repeating: bool) -> str | None:
    """A conic gradient that fills its viewport; None for one whose colours or places are not understood."""
    words, centre = shape_and_centre(head, sizes)
    start = _start(words)
    known = _places(stops, repeating=repeating)
    if centre is None or start is None or known is None:
        return None
    places = list(_whole(known, repeating=repeating))
    is_opaque = all(colour.alpha == 1 for _, colour in places)
    wedges: list[str] = []
    for first, last, colour in _wedges(places):
        # Neighbours overlap, or viewers would show the background between them.
        more = _STEP / 2 if is_opaque else 0.0
        wedges.append(_wedge(start + first - more * (not wedges), start + min(last + more, 360.0), colour))
    return at_place(centre, f"<g>{''.join(wedges)}</g>")


def _start(words: Sequence[Any]) -> float | None:
    if not words:
        return 0.0
    if len(words) != 2 or words[0].type != "ident" or words[0].lower_value != "from":
        return None
    angle = words[1]
    if angle.type == "number" and angle.value == 0:
        return 0.0
    is_angle = angle.type == "dimension" and angle.lower_unit in ANGLES
    return angle.value * ANGLES[angle.lower_unit] % 360 if is_angle and math.isfinite(angle.value) else None


def _places(stops: list[Stop], *, repeating: bool) -> list[_Place] | None:
    found: list[_Place] = []
    for each in placed(stops, repeating=repeating):
        colour = parse_color(each.colour)
        if not isinstance(colour, RGBA) or of(each).pixels:
            return None
        at = max(of(each).share * 360, found[-1][0] if found else -math.inf)
        found.append((at, colour._replace(alpha=each.alpha)))
    return found


def _whole(places: list[_Place], *, repeating: bool) -> Iterator[_Place]:
    """The places from the beginning of the circle to its end."""
    period = places[-1][0] - places[0][0]
    if repeating and period >= 360 / _MOST_REPEATED:
        begins = math.floor(-places[0][0] / period) * period
        times = math.ceil(360 / period) + 2
        yield from ((at + begins + period * turn, colour) for turn in range(times) for at, colour in places)
        return
    yield (min(0.0, places[0][0]), places[0][1])
    yield from places
    yield (max(360.0, places[-1][0]), places[-1][1])


def _wedges(places: list[_Place]) -> Iterator[tuple[float, float, RGBA]]:
    for at, (first, one) in enumerate(places[:-1]):
        last, two = places[at + 1]
        low, high = max(first, 0.0), min(last, 360.0)
        if high <= low:
            continue
        count = 1 if one == two else math.ceil((high - low) / _STEP - 1e-9)
        for step in range(count):
            begin, end = (low + (high - low) * each / count for each in (step, step + 1))
            yield begin, end, _between(one, two, ((begin + end) / 2 - first) / (last - first))


def _between(one: RGBA, two: RGBA, share: float) -> RGBA:
    """A colour between two, in which opaque ones weigh more (CSS Color 4, 12.3)."""
    alpha = one.alpha * (1 - share) + two.alpha * share
    if not alpha:
        return RGBA(one.red, one.green, one.blue, 0.0)
    tones = (
        (a * one.alpha * (1 - share) + b * two.alpha * share) / alpha for a, b in zip(one[:3], two[:3], strict=True)
    )
    return RGBA(*tones, alpha)


def _wedge(first: float, last: float, colour: RGBA) -> str:
    count = max(math.ceil((last - first) / _WIDEST), 1)
    angles = (math.radians(first + (last - first) * at / count) for at in range(count + 1))
    ends = "".join(f"L{math.sin(each) * _FAR:.0f} {-math.cos(each) * _FAR:.0f}" for each in angles)
    tone = "".join(f"{round(max(0.0, min(each, 1.0)) * 255):02x}" for each in colour[:3])
    alpha = f' fill-opacity="{colour.alpha:g}"' if colour.alpha < 1 else ""
    return f'<path d="M0 0{ends}Z" fill="#{tone}"{alpha}/>'
