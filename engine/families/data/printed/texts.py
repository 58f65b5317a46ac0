"""Draw the texts of cells: aligned, turned, squeezed, and cut off where their room ends."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

from engine.families.data.printed.boxes import PADDING, Box
from engine.families.data.printed.lines import Line
from engine.families.data.printed.xlsx_colours import parts

_MIDDLE = ("center", "distributed", "justify")
_UNDER, _THROUGH = -0.12, 0.28


class Pen:
    """Writes lines of text on a canvas whose y axis points up; `origin` is where the sheet's is."""

    def __init__(self, canvas: Any, *, grey: bool) -> None:
        self.canvas, self.grey = canvas, grey
        self._text: Any = None
        self._colour: str | None = None
        self._stretch = 1.0
        self._strokes: list[tuple[float, float, float, float, str]] = []

    def open(self) -> None:
        """Begin a text object."""
        self._text = self.canvas.beginText()
        self._colour, self._stretch = None, 1.0

    def close(self) -> None:
        """End the text object, and draw the lines below and through texts."""
        if self._text is not None:
            self.canvas.drawText(self._text)
            self._text = None
        for x0, x1, y, thick, colour in self._strokes:
            self.canvas.setStrokeColorRGB(*parts(colour))
            self.canvas.setLineWidth(thick)
            self.canvas.line(x0, y, x1, y)
        self._strokes.clear()

    def line(self, line: Line, x: float, y: float, squeezed: float = 1.0) -> None:
        """Write a line whose baseline begins at a point."""
        text = self._text
        for piece in line.pieces:
            face = piece.face
            colour = "000000" if self.grey else piece.font.colour or "000000"
            if colour != self._colour:
                text.setFillColorRGB(*parts(colour))
                self._colour = colour
            stretch = face.stretch * squeezed
            if stretch != self._stretch:
                text.setHorizScale(100 * stretch)
                self._stretch = stretch
            text.setFont(face.name, face.size)
            text.setTextOrigin(x, y + face.rise)
            text.textOut(piece.text)
            across = piece.width * squeezed
            if piece.font.underline:
                step = 0.06 * face.size
                for at in (0, 1) if piece.font.underline.startswith("double") else (0,):
                    place = y + _UNDER * face.size - 2 * at * step
                    self._strokes.append((x, x + across, place, step, colour))
            if piece.font.strike:
                self._strokes.append((x, x + across, y + _THROUGH * face.size, 0.06 * face.size, colour))
            x += across


def draw(pen: Pen, box: Box, dx: float, dy: float) -> None:
    """Draw a box of a sheet that is moved by `dx` and whose y axis begins at `dy` and points down."""
    if box.style.turn:
        _turned(pen, box, dx, dy)
        return
    _, top, _, bottom = box.area
    high = box.height
    down = box.style.down
    if down == "top" or (high > bottom - top and down != "bottom"):
        start = top + min(1.0, max(bottom - top - high, 0.0))
    elif down in _MIDDLE:
        start = top + (bottom - top - high) / 2
    else:
        start = max(bottom - high - 0.5, top) if len(box.lines) > 1 else bottom - high - 0.5
    y = dy - start
    for line in box.lines:
        y -= line.ascent
        pen.line(line, dx + _left(box, line.width * box.squeezed), y, box.squeezed)
        y -= line.descent


def _left(box: Box, width: float) -> float:
    left, right = box.own
    if box.across in ("center", "centerContinuous", "distributed"):
        return left + (right - left - width) / 2
    if box.across == "right":
        return right - width
    return left


def _turned(pen: Pen, box: Box, dx: float, dy: float) -> None:
    left, top, right, bottom = box.area
    if box.style.turn == 255:
        y = dy - (
            top + max(bottom - top - box.height, 0.0) / 2
            if box.style.down in _MIDDLE
            else max(bottom - box.height, top)
            if box.style.down == "bottom"
            else top
        )
        for line in box.lines:
            y -= line.ascent
            pen.line(line, dx + (left + right) / 2 - line.width / 2, y)
            y -= line.descent
        return
    turn = radians(box.style.turn)
    wide, high = max((each.width for each in box.lines), default=0.0), box.height
    # The extent of the turned block.
    across, down = abs(wide * cos(turn)) + abs(high * sin(turn)), abs(wide * sin(turn)) + abs(high * cos(turn))
    x = (left + right) / 2
    if box.across == "left":
        x = left + PADDING + across / 2
    elif box.across == "right":
        x = right - PADDING - across / 2
    y = bottom - PADDING / 2 - down / 2
    if box.style.down == "top":
        y = top + PADDING / 2 + down / 2
    elif box.style.down in _MIDDLE:
        y = (top + bottom) / 2
    pen.close()
    canvas = pen.canvas
    canvas.saveState()
    canvas.translate(dx + x, dy - y)
    canvas.rotate(box.style.turn)
    pen.open()
    at = high / 2
    for line in box.lines:
        at -= line.ascent
        pen.line(line, -wide / 2, at)
        at -= line.descent
    pen.close()
    canvas.restoreState()
    pen.open()
