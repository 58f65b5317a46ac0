"""Where the shapes of a group are, which may be scaled, turned and turned over (ECMA-376, part 1, 20.1.7.5)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.families.documents.ooxml.package import Element
from engine.families.documents.slides.deck import P, number
from engine.families.documents.word.names import A, emu


@dataclass(frozen=True)
class Room:
    """The coordinates of a group on its slide: the point (0, 0), the scale, and the turn of its shapes in degrees."""

    x: float = 0.0
    y: float = 0.0
    wide: float = 1.0
    high: float = 1.0
    turned: float = 0.0
    mirrored: tuple[bool, bool] = (False, False)
    """Whether its shapes are turned over, across and down."""

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point on the slide."""
        x, y = (
            length * scale * (-1 if over else 1)
            for length, scale, over in zip((x, y), (self.wide, self.high), self.mirrored, strict=True)
        )
        turn = math.radians(self.turned)
        return (
            self.x + x * math.cos(turn) - y * math.sin(turn),
            self.y + x * math.sin(turn) + y * math.cos(turn),
        )

    def turn_of(self, place: Element) -> float:
        """The turn of a shape or group with this position."""
        own = (number(place, "rot") or 0) / 60_000
        return (self.turned + (-own if self.mirrored[0] != self.mirrored[1] else own)) % 360

    def within(self, group: Element) -> Room:
        """The coordinates of a group in this one."""
        place = group.find(f"{P}grpSpPr/{A}xfrm")
        off, ext, start, whole = (
            None if place is None else place.find(A + name) for name in ("off", "ext", "chOff", "chExt")
        )
        if place is None or off is None or ext is None or start is None or whole is None:
            return self
        size = emu(ext.get("cx")), emu(ext.get("cy"))
        inside = emu(whole.get("cx")), emu(whole.get("cy"))
        own = (place.get(name) in ("1", "true") for name in ("flipH", "flipV"))
        across, down = (each != over for each, over in zip(own, self.mirrored, strict=True))
        middle = self.at(emu(off.get("x")) + size[0] / 2, emu(off.get("y")) + size[1] / 2)
        room = Room(
            *middle, self.wide * size[0] / (inside[0] or 1.0), self.high * size[1] / (inside[1] or 1.0),
            self.turn_of(place), (across, down),
        )  # fmt: skip
        x, y = room.at(-emu(start.get("x")) - inside[0] / 2, -emu(start.get("y")) - inside[1] / 2)
        return Room(x, y, room.wide, room.high, room.turned, room.mirrored)
