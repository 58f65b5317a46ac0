"""Page coordinates as displayed: from the top left, in points."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pypdfium2

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, as displayed."""

_TILT = 8.0
"""Degrees: the maximum tilt of a scanned line."""


@dataclass(frozen=True, slots=True)
class View:
    """Maps user space to the displayed page: `box` is its crop box, `turn` the rotation in degrees clockwise.

    A `mirrored` one is then flipped horizontally.
    """

    box: Box
    turn: int
    width: float
    height: float
    mirrored: bool = False

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of user space in displayed coordinates."""
        across, down = self._turned(x, y)
        return self.width - across if self.mirrored else across, down

    def _turned(self, x: float, y: float) -> tuple[float, float]:
        left, bottom, right, top = self.box
        if self.turn == 90:
            return y - bottom, x - left
        if self.turn == 180:
            return right - x, y - bottom
        if self.turn == 270:
            return top - y, right - x
        return x - left, top - y

    def rectangle(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A rectangle of user space in displayed coordinates."""
        x0, y0 = self.point(left, bottom)
        x1, y1 = self.point(right, top)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def rectangle_of(self, box: Box) -> Box:
        """A displayed box in user space: left, bottom, right and top."""
        x0, y0, x1, y1 = box
        if self.mirrored:
            x0, x1 = self.width - x1, self.width - x0
        left, bottom, right, top = self.box
        if self.turn == 90:
            return left + y0, bottom + x0, left + y1, bottom + x1
        if self.turn == 180:
            return right - x1, bottom + y0, right - x0, bottom + y1
        if self.turn == 270:
            return right - y1, top - x1, right - y0, top - x0
        return left + x0, top - y1, left + x1, top - y0

    def angle(self, a: float, b: float) -> int:
        """The displayed direction of the vector (a, b), in quarter turns clockwise; 0 is to the right."""
        turn = round(math.degrees(math.atan2(-b, a)) / 90) + self.turn // 90
        return (2 - turn if self.mirrored else turn) % 4


def is_slanted(a: float, b: float) -> bool:
    """Whether the vector (a, b) is parallel to no side of the page, allowing for a scan's tilt."""
    off = math.degrees(math.atan2(b, a)) % 90
    return _TILT < off < 90 - _TILT


def view_of(page: pypdfium2.PdfPage) -> View:
    """The view of a page; a crop box outside the paper is ignored."""
    left, bottom, right, top = page.get_cropbox()
    media = page.get_mediabox()
    left, bottom = max(left, media[0]), max(bottom, media[1])
    right, top = min(right, media[2]), min(top, media[3])
    if right <= left or top <= bottom:
        left, bottom, right, top = media
    turn = page.get_rotation() % 360
    width, height = right - left, top - bottom
    if turn in (90, 270):
        width, height = height, width
    return View((left, bottom, right, top), turn, width, height)
