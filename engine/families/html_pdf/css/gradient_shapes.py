"""The lines and circles of gradients in SVG, for boxes whose size may be unknown (CSS Images 3, 3.1 and 3.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine.families.html_pdf.css.gradient_stops import Stop, ends_of, in_pixels, lines, of, placed
from engine.families.html_pdf.css.room_lengths import Length, TextSizes, length
from engine.families.html_pdf.css.svg_patterns import pattern

Room = tuple[float, float]
"""A width and height in CSS pixels."""

ANGLES = {"deg": 1.0, "turn": 360.0, "grad": 0.9, "rad": 180 / math.pi}
_SIDES = {"top": 0.0, "right": 90.0, "bottom": 180.0, "left": 270.0}
_EDGES = {"left": 0.0, "top": 0.0, "center": 0.5, "right": 1.0, "bottom": 1.0}
_HALF = Length(0.5)
_SQUARE = (100.0, 100.0)
"""The room of a gradient that is stretched to its box, which keeps shares of it right."""
_LONG_TILE = 100.0
"""CSS pixels of the stripes of a pattern that go straight across or down."""
_STRETCHED = '<svg width="100%" height="100%" viewBox="0 0 100 100" preserveAspectRatio="none">'
_WHOLE = '<rect width="100%" height="100%" fill="url(#{name})"/>'
_AROUND = '<rect x="-100%" y="-100%" width="300%" height="300%" fill="url(#{name})"/>'


def linear(head: Sequence[Any], stops: list[Stop], name: str, room: Room | None, *, repeating: bool) -> str | None:
    """A linear gradient that fills its viewport; None if it can't be drawn in a room of unknown size."""
    direction = _direction(head)
    if direction is None:
        return None
    angle, corner = direction
    stops = placed(stops, repeating=repeating)
    if room is None and in_pixels(stops):
        return _from_corner(stops, angle, name, repeating=repeating) if corner is None else None
    if room is None and (any(of(each).pixels for each in stops) or (repeating and angle % 90)):
        return None
    width, height = room or _SQUARE
    if corner is not None and angle % 90:
        across, down = corner
        angle = math.degrees(math.atan2(across * height, down * width))
    x, y = math.sin(math.radians(angle)), -math.cos(math.radians(angle))
    line = abs(x * width) + abs(y * height)
    places = [of(each).share * line + of(each).pixels for each in stops]
    first, last = ends_of(places, repeating=repeating)
    starts = width / 2 - x * line / 2, height / 2 - y * line / 2
    ends = (starts[0] + x * first, starts[1] + y * first, starts[0] + x * last, starts[1] + y * last)
    x1, y1, x2, y2 = (f"{round(each, 4):g}" for each in ends)
    shape = (
        f'<linearGradient id="{name}" gradientUnits="userSpaceOnUse" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"'
        f"{_spread(repeating)}>{lines(stops, places, first, last)}</linearGradient>"
    )
    return _in_room(shape, name, room)


def radial(
    head: Sequence[Any],
    stops: list[Stop],
    name: str,
    sizes: TextSizes,
    room: Room | None,
    *,
    repeating: bool,
    nearly: bool = False,
) -> str | None:
    """A radial gradient that fills its viewport; None if it can't be drawn in a room of unknown size.

    If `nearly` is enough, a circle there gets about the radius that it has in browsers.
    """
    words, centre = shape_and_centre(head, sizes)
    if centre is None:
        return None
    radii = [found for each in words if (found := length(each, sizes)) is not None]
    names = {each.lower_value for each in words if each.type == "ident"}
    is_circle = "circle" in names or len(radii) == 1
    stops = placed(stops, repeating=repeating)
    if room is None:
        if (is_circle and in_pixels(stops) and not radii) or (radii and not any(each.share for each in radii)):
            across, down = (radii[0].pixels, radii[-1].pixels) if radii else (1.0, 1.0)
            return _ellipse(stops, centre, (across, down), name, repeating=repeating) if across and down else None
        if any(each.pixels for each in (*radii, *centre, *map(of, stops))):
            return None
        if is_circle:
            is_exact = centre == (_HALF, _HALF) and any(each.endswith("side") for each in names)
            return _circle_of_shares(stops, centre, names, name, repeating=repeating) if is_exact or nearly else None
    width, height = room or _SQUARE
    x, y = centre[0].share * width + centre[0].pixels, centre[1].share * height + centre[1].pixels
    across, down = _radii(radii, names, (x, y), (width, height), is_circle=is_circle)
    if across <= 0 or down <= 0:
        return None
    places = [of(each).share * across + of(each).pixels for each in stops]
    if places[0] and repeating:
        return None  # SVG repeats from the middle
    first, last = ends_of(places, repeating=repeating)
    shape = (
        f'<radialGradient id="{name}" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="{last:g}"{_spread(repeating)} '
        f'gradientTransform="translate({x:g} {y:g}) scale(1 {down / across:g})">'
        f"{lines(stops, places, first, last)}</radialGradient>"
    )
    return _in_room(shape, name, room)


def _in_room(shape: str, name: str, room: Room | None) -> str:
    if room is not None:
        return f"<defs>{shape}</defs>{_WHOLE.format(name=name)}"
    return f'{_STRETCHED}<defs>{shape}</defs><rect width="100" height="100" fill="url(#{name})"/></svg>'


def _from_corner(stops: list[Stop], angle: float, name: str, *, repeating: bool) -> str:
    """A gradient in pixels from the corner in which it begins; one that repeats is a pattern."""
    x, y = (round(each, 9) for each in (math.sin(math.radians(angle)), -math.cos(math.radians(angle))))
    places = [of(each).pixels for each in stops]
    first, last = ends_of(places, repeating=repeating)
    corner = Length(0.0 if x >= 0 else 1.0), Length(0.0 if y >= 0 else 1.0)
    if not repeating:
        written = lines(stops, places, first, last)
        ends = f'x1="0" y1="0" x2="{last:g}" y2="0" gradientTransform="rotate({angle - 90:g})"'
        return _at(
            corner,
            f'<linearGradient id="{name}" gradientUnits="userSpaceOnUse" {ends}>{written}</linearGradient>',
            name,
        )
    # A tile has a period along each side, and so two from corner to corner; turned tiles would have seams.
    period = last - first
    width, height = (period / abs(each) if each else _LONG_TILE for each in (x, y))
    whole = 2 * period if x * y else period
    starts = (width if x < 0 else 0.0, height if y < 0 else 0.0)
    finish = (starts[0] + x * whole, starts[1] + y * whole)
    twice = [*stops, *stops] if x * y else stops
    written = lines(twice, [*places, *(each + period for each in places)][: len(twice)], first, first + whole)
    x1, y1, x2, y2 = (f"{round(each, 4):g}" for each in (*starts, *finish))
    return _at(
        corner,
        f'<linearGradient id="{name}l" gradientUnits="userSpaceOnUse" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}">{written}'
        "</linearGradient>"
        + pattern(
            name,
            (width, height),
            f'<rect width="{width:g}" height="{height:g}" fill="url(#{name}l)"/>',
            moved=f"translate({x * first:g} {y * first:g})",
        ),
        name,
    )


def _ellipse(
    stops: list[Stop], centre: tuple[Length, Length], radii: Room, name: str, *, repeating: bool
) -> str | None:
    """An ellipse in pixels around a place."""
    places = [of(each).share * radii[0] + of(each).pixels for each in stops]
    if places[0] and repeating:
        return None
    first, last = ends_of(places, repeating=repeating)
    shape = (
        f'<radialGradient id="{name}" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="{last:g}"{_spread(repeating)} '
        f'gradientTransform="scale(1 {radii[1] / radii[0]:g})">{lines(stops, places, first, last)}</radialGradient>'
    )
    return _at(centre, shape, name)


def _circle_of_shares(
    stops: list[Stop], centre: tuple[Length, Length], names: set[str], name: str, *, repeating: bool
) -> str:
    """A circle around a place, with a radius in shares of the longer side, or of the shorter one if it is the nearest.

    That of a circle to a corner is right for a box that is twice as long as it is high.
    """
    nearest = any(each.startswith("closest") for each in names)
    pick = min if nearest else max
    across, down = (100 * pick(each.share, 1 - each.share) for each in centre)
    radius = pick(across, down) if any(each.endswith("side") for each in names) else math.hypot(across, down / 2)
    places = [of(each).share * radius for each in stops]
    first, last = ends_of(places, repeating=repeating)
    x, y = ((each.share - 0.5) * 100 for each in centre)
    return (
        f'<svg x="{x:g}%" y="{y:g}%" width="100%" height="100%" viewBox="-50 -50 100 100" overflow="visible" '
        f'preserveAspectRatio="xMidYMid {"meet" if nearest else "slice"}"><defs>'
        f'<radialGradient id="{name}" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="{last:g}"{_spread(repeating)}>'
        f"{lines(stops, places, first, last)}</radialGradient></defs>"
        f'<rect x="-5000" y="-5000" width="10000" height="10000" fill="url(#{name})"/></svg>'
    )


def _at(place: tuple[Length, Length], gradient: str, name: str) -> str:
    """A gradient whose origin is at a place of the room."""
    return at_place(place, f"<defs>{gradient}</defs>{_AROUND.format(name=name)}")


def at_place(place: tuple[Length, Length], inside: str) -> str:
    """Elements whose origin is at a place of the room."""
    across, down = place
    return (
        f'<svg x="{across.share * 100:g}%" y="{down.share * 100:g}%" width="100%" height="100%" overflow="visible">'
        f'<g transform="translate({across.pixels:g} {down.pixels:g})">{inside}</g></svg>'
    )


def _direction(head: Sequence[Any]) -> tuple[float, tuple[int, int] | None] | None:
    """The angle clockwise from the top, and the corner that a gradient runs to, if it does: to the right, downwards."""
    words = [each for each in head if each.type != "whitespace"]
    if not words:
        return 180.0, None
    if len(words) == 1 and words[0].type == "dimension" and words[0].lower_unit in ANGLES:
        angle = words[0].value * ANGLES[words[0].lower_unit]
        return (angle % 360, None) if math.isfinite(angle) else None
    if len(words) == 1 and words[0].type == "number" and words[0].value == 0:
        return 0.0, None
    names = [each.lower_value if each.type == "ident" else "" for each in words]
    if names[0] != "to" or not 2 <= len(names) <= 3 or any(each not in _SIDES for each in names[1:]):
        return None
    if len(names) == 2:
        return _SIDES[names[1]], None
    return 45.0, (1 if "right" in names else -1, 1 if "top" in names else -1)


def shape_and_centre(head: Sequence[Any], sizes: TextSizes) -> tuple[list[Any], tuple[Length, Length] | None]:
    """What is said of the shape, and its centre; None if that isn't understood."""
    words = [each for each in head if each.type != "whitespace"]
    names = [each.lower_value if each.type == "ident" else "" for each in words]
    if "at" not in names:
        return words, (_HALF, _HALF)
    at = names.index("at")
    given = [Length(_EDGES[each]) if each in _EDGES else length(words[at + 1 + n], sizes)
             for n, each in enumerate(names[at + 1 :])]  # fmt: skip
    if not 1 <= len(given) <= 2 or None in given:
        return words[:at], None
    first, second = given[0], given[1] if len(given) == 2 else _HALF
    if names[at + 1] in ("top", "bottom") or (len(given) == 2 and names[-1] in ("left", "right")):
        first, second = second, first
    return words[:at], None if first is None or second is None else (first, second)


def _radii(radii: list[Length], names: set[str], centre: Room, room: Room, *, is_circle: bool) -> Room:
    """The radius across and down (CSS Images 3, 3.2.1)."""
    if radii:
        across = radii[0].share * room[0] + radii[0].pixels
        return across, across if len(radii) == 1 else radii[1].share * room[1] + radii[1].pixels
    nearest = any(each.startswith("closest") for each in names)
    to_sides = any(each.endswith("side") for each in names)
    pick = min if nearest else max
    across, down = (pick(abs(at), abs(whole - at)) for at, whole in zip(centre, room, strict=True))
    if is_circle:
        radius = pick(across, down) if to_sides else math.hypot(across, down)
        return radius, radius
    factor = 1.0 if to_sides else math.sqrt(2)
    return across * factor, down * factor


def _spread(repeating: bool) -> str:
    return ' spreadMethod="repeat"' if repeating else ""
