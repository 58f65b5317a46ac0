"""The paths of OpenDocument's own shapes (ISO/IEC 26300, part 3, 19.145)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.toolkit.shapes import arcs
from engine.toolkit.shapes.geometry import MOST, Outline, Step
from engine.toolkit.shapes.guides import Faulty

_TOKEN = re.compile(r"[A-Z]|[^\sA-Z,]+")
_COUNTS = {
    "M": 2, "L": 2, "C": 6, "Q": 4, "T": 6, "U": 6, "A": 8, "B": 8, "W": 8, "V": 8, "X": 2, "Y": 2, "G": 4,
    "Z": 0, "N": 0, "F": 0, "S": 0, "H": 0, "I": 0, "J": 0, "K": 0,
}  # fmt: skip
"""The numbers that each command takes; `G` to `K` are LibreOffice's own."""
_SHADES = {"F": "none", "H": "darken", "I": "darkenLess", "J": "lighten", "K": "lightenLess"}
_FARTHEST = 1e12
"""The largest number of a path that is believed."""
_QUARTER = 4 / 3 * (math.sqrt(2) - 1)
_TURN = 2 * math.pi

Point = tuple[float, float]


def commands(path: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the commands of an enhanced path with the texts of their numbers, each once for every full set of them.

    Raises Faulty.
    """
    letter = ""
    texts: list[str] = []
    for count, match in enumerate(_TOKEN.finditer(path)):
        if count > 8 * MOST:
            raise Faulty
        token = match[0]
        if token in _COUNTS:
            if texts:
                raise Faulty
            letter = token
            if not _COUNTS[letter]:
                yield letter, ()
            continue
        texts.append(token)
        if len(texts) > _COUNTS.get(letter, 0):
            raise Faulty
        if len(texts) == _COUNTS[letter]:
            yield letter, tuple(texts)
            texts = []
            letter = "L" if letter == "M" else letter
    if texts:
        raise Faulty


@dataclass
class Pen:
    """Draws the commands of a path, whose numbers are points of the shape, as lines and curves."""

    outlines: list[Outline] = field(default_factory=list)
    _steps: list[Step] = field(default_factory=list)
    _here: Point = (0.0, 0.0)
    _begin: Point = (0.0, 0.0)
    _fill: str = "norm"
    _stroked: bool = True
    _across: bool = True
    """Whether the next quadrant of a row of them starts across."""
    _last: str = ""
    _count: int = 0

    def draw(self, letter: str, numbers: tuple[float, ...], scale: Point = (1.0, 1.0)) -> None:
        """Draw one command. Raises Faulty."""
        if letter == "N":
            self.close()
        elif letter == "S":
            self._stroked = False
        elif letter in _SHADES:
            self._fill = _SHADES[letter]
        elif letter == "Z":
            self._add("Z", ())
            self._here = self._begin
        elif letter == "M":
            self._begin = numbers[0], numbers[1]
            self._add("M", self._begin)
        elif letter == "L":
            self._add("L", numbers)
        elif letter == "C":
            self._add("C", numbers)
        elif letter == "Q":
            (x, y), (a, b, c, d) = self._here, numbers
            self._add("C", (x + (a - x) * 2 / 3, y + (b - y) * 2 / 3, c + (a - c) * 2 / 3, d + (b - d) * 2 / 3, c, d))
        elif letter in "TU":
            self._ellipse(letter, numbers)
        elif letter in "ABWV":
            self._between(letter, numbers)
        elif letter in "XY":
            self._quadrant(letter, numbers)
        elif letter == "G":
            wide, high, start, sweep = numbers
            self._arc((wide * scale[0], high * scale[1]), math.radians(start), math.radians(sweep))
        self._last = letter

    def close(self) -> None:
        """End the current path."""
        if self._steps:
            self.outlines.append(Outline(tuple(self._steps), self._fill, self._stroked))
        self._steps, self._fill, self._stroked = [], "norm", True

    def _add(self, kind: str, numbers: tuple[float, ...]) -> None:
        self._count += 1
        if self._count > MOST or any(not abs(each) < _FARTHEST for each in numbers):
            raise Faulty
        if not self._steps and kind != "M":
            self._steps.append(("M", self._here))
        self._steps.append((kind, numbers))
        self._here = (numbers[-2], numbers[-1]) if numbers else self._here

    def _arc(self, radii: Point, start: float, sweep: float) -> None:
        if not all(map(math.isfinite, (*self._here, *radii, start, sweep))):
            raise Faulty
        for curve in arcs.curves(self._here, radii, start, sweep):
            self._add("C", curve)

    def _reach(self, place: Point, *, new: bool) -> None:
        if new or not self._steps:
            self._begin = place
        self._add("M" if new or not self._steps else "L", place)

    def _ellipse(self, letter: str, numbers: tuple[float, ...]) -> None:
        """An arc of an ellipse around a point, from angle to angle in degrees, clockwise."""
        x, y, wide, high, first, last = numbers
        start, sweep = math.radians(first), math.radians(last - first)
        at = math.atan2(wide * math.sin(start), high * math.cos(start)) if wide and high else start
        self._reach((x + wide * math.cos(at), y + high * math.sin(at)), new=letter == "U")
        self._arc((wide, high), start, sweep if 0 < abs(sweep) <= _TURN else _TURN)

    def _between(self, letter: str, numbers: tuple[float, ...]) -> None:
        """An arc of the ellipse in a box, between the directions of two points from its middle."""
        left, top, right, bottom, *ends = numbers
        middle = (left + right) / 2, (top + bottom) / 2
        wide, high = abs(right - left) / 2, abs(bottom - top) / 2
        start, end = (math.atan2(ends[at + 1] - middle[1], ends[at] - middle[0]) for at in (0, 2))
        at = math.atan2(wide * math.sin(start), high * math.cos(start))
        self._reach((middle[0] + wide * math.cos(at), middle[1] + high * math.sin(at)), new=letter in "BV")
        sweep = (end - start) % _TURN or _TURN
        self._arc((wide, high), start, sweep if letter in "WV" else sweep - _TURN if sweep < _TURN else -_TURN)

    def _quadrant(self, letter: str, numbers: tuple[float, ...]) -> None:
        """A quarter of an ellipse; those that follow without another letter start across and down in turn."""
        self._across = letter == "X" if self._last != letter else not self._across
        (x, y), (a, b) = self._here, numbers
        if self._across:
            curve = (x + (a - x) * _QUARTER, y, a, b + (y - b) * _QUARTER, a, b)
        else:
            curve = (x, y + (b - y) * _QUARTER, a + (x - a) * _QUARTER, b, a, b)
        self._add("C", curve)
