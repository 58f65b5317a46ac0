"""Where the shapes of a group are, which may be scaled, turned and turned over (ECMA-376, part 1, 20.1.7.5)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from engine.toolkit.shapes.custom import flips_of
from engine.toolkit.xml_elements import child, number

_UNITS = 12_700.0
"""English Metric Units in a point."""
_FAR = 100_000.0
"""Points beyond which nothing is placed."""
_TURN = 60_000.0
"""Angles are in 60,000ths of a degree."""


@dataclass
class Box:
    """A position in points, the rotation in degrees, and whether it is turned over across and down."""

    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    turned: float = 0.0
    flipped: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class Room:
    """The coordinates of a group on its page: the point (0, 0), the scale, and the turn of its shapes in degrees."""

    x: float = 0.0
    y: float = 0.0
    wide: float = 1.0
    high: float = 1.0
    turned: float = 0.0
    mirrored: tuple[bool, bool] = (False, False)
    """Whether its shapes are turned over, across and down."""

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point on the page."""
        x, y = (
            length * scale * (-1 if over else 1)
            for length, scale, over in zip((x, y), (self.wide, self.high), self.mirrored, strict=True)
        )
        turn = math.radians(self.turned)
        return (
            self.x + x * math.cos(turn) - y * math.sin(turn),
            self.y + x * math.sin(turn) + y * math.cos(turn),
        )

    def turn_of(self, place: Any) -> float:
        """The turn of a shape or group with this position (`xfrm`)."""
        own = number(place.get("rot")) / _TURN
        return (self.turned + (-own if self.mirrored[0] != self.mirrored[1] else own)) % 360

    def box(self, place: Any) -> Box | None:
        """The box of a shape in the group with this position (`xfrm`); None if it says none."""
        at, size = child(place, "off"), child(place, "ext")
        if at is None or size is None:
            return None
        width, height = (abs(_length(size, name)) for name in ("cx", "cy"))
        x, y = self.at(_length(at, "x") + width / 2, _length(at, "y") + height / 2)
        width, height = width * self.wide, height * self.high
        across, down = (own != over for own, over in zip(flips_of(place), self.mirrored, strict=True))
        return Box(x - width / 2, y - height / 2, width, height, self.turn_of(place), (across, down))

    def within(self, group: Any) -> Room:
        """The coordinates of a group (`grpSp`, `wgp`) in this one."""
        place = child(group, "grpSpPr", "xfrm")
        box, start, whole = self.box(place), child(place, "chOff"), child(place, "chExt")
        if box is None or start is None or whole is None:
            return self
        inside = _length(whole, "cx"), _length(whole, "cy")
        room = Room(
            box.x + box.width / 2, box.y + box.height / 2,
            box.width / (inside[0] or 1.0), box.height / (inside[1] or 1.0), box.turned, box.flipped,
        )  # fmt: skip
        x, y = room.at(-_length(start, "x") - inside[0] / 2, -_length(start, "y") - inside[1] / 2)
        return Room(x, y, room.wide, room.high, room.turned, room.mirrored)


def _length(element: Any, name: str) -> float:
    return max(-_FAR, min(number(element.get(name)) / _UNITS, _FAR))
