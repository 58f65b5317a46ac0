"""A bar chart of daily numbers, in units of an SVG view box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

WIDTH, HEIGHT = 1000, 200


@dataclass(frozen=True)
class Bar:
    """One day: the `marked` part (failures) is at the bottom."""

    day: date
    value: int
    marked: int
    x: float
    width: float
    height: float
    marked_height: float

    @property
    def y(self) -> float:
        return HEIGHT - self.height

    @property
    def marked_y(self) -> float:
        return HEIGHT - self.marked_height


@dataclass(frozen=True)
class Chart:
    bars: tuple[Bar, ...]
    top: int
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def middle(self) -> int | float:
        return self.top // 2 if self.top % 2 == 0 else self.top / 2


def round_up(value: int) -> int:
    """The top of the scale: the smallest of 1, 2, 4, 5, 6, 8 times a power of ten that is at least `value`."""
    power = 1
    while True:
        for step in (1, 2, 4, 5, 6, 8):
            if step * power >= value:
                return step * power
        power *= 10


def bars(days: Sequence[tuple[date, int, int]]) -> Chart:
    """A chart of `(day, value, marked)`, oldest first."""
    top = round_up(max((value for _, value, _ in days), default=0) or 1)
    slot = WIDTH / max(1, len(days))
    gap = min(6.0, slot * 0.25)

    def bar(number: int, day: date, value: int, marked: int) -> Bar:
        return Bar(
            day, value, marked,
            x=round(number * slot + gap / 2, 2), width=round(slot - gap, 2),
            height=round(HEIGHT * value / top, 2), marked_height=round(HEIGHT * marked / top, 2),
        )  # fmt: skip

    return Chart(tuple(bar(number, *each) for number, each in enumerate(days)), top)
