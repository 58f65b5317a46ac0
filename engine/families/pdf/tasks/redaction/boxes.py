"""Find the boxes to erase on a page by their place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.families.pdf.tasks.drawn_sizes import Matrix
from engine.families.pdf.tasks.redaction.allowance import Allowance
from engine.families.pdf.tasks.redaction.finding import Box

REACH = 0.6
"""Points that a glyph's middle may be outside its box, by rounding."""

_SIDE = 16
"""Points, the side of a cell: some twenty boxes of letters overlap one."""
_MOST_CELLS = 100
_FEW = 50
_LIKE_ONE = 10
"""Boxes compared with a place that take as long as a byte of content: 0.2 µs each."""


class Boxes:
    """Boxes by the cells of a page that they overlap, to compare few of them. Raises OverLimit."""

    def __init__(self, boxes: Iterable[Box], allowance: Allowance) -> None:
        self._every = list(dict.fromkeys(boxes))  # letters on top of one another have one
        self._allowance = allowance
        self._cells: dict[tuple[int, int], list[Box]] = {}
        self._large: list[Box] = []
        for box in self._every:
            cells = _cells_of(box.wider(REACH))
            if cells is None:
                self._large.append(box)
            for cell in cells or ():
                self._cells.setdefault(cell, []).append(box)

    def near(self, x: float, y: float) -> bool:
        """Whether a point is inside a box, or close to it."""
        return any(_near(box, x, y) for box in self._among(self._cells.get((_cell(x), _cell(y)), ()), self._large))

    def meeting(self, bounds: Box) -> list[Box]:
        """The boxes that overlap this one."""
        cells = _cells_of(bounds)
        if cells is None:
            return [box for box in self._among(self._every) if box.meets(bounds)]
        found = dict.fromkeys(box for cell in cells for box in self._among(self._cells.get(cell, ())))
        return [box for box in (*found, *self._among(self._large)) if box.meets(bounds)]

    def _among(self, *parts: Sequence[Box]) -> Iterable[Box]:
        count = sum(map(len, parts))
        if count > _FEW:
            self._allowance.take(count // _LIKE_ONE)
        return (box for part in parts for box in part)


def _cells_of(box: Box) -> list[tuple[int, int]] | None:
    """The cells that a box overlaps, None if they are too many."""
    across = range(_cell(box.left), _cell(box.right) + 1)
    up = range(_cell(box.bottom), _cell(box.top) + 1)
    if len(across) * len(up) > _MOST_CELLS:
        return None
    return [(column, row) for column in across for row in up]


def _cell(value: float) -> int:
    return int(max(-1e9, min(value, 1e9)) // _SIDE)


def _near(box: Box, x: float, y: float) -> bool:
    """Whether a point is inside a box, with a tolerance of a tenth of the box for rounding."""
    slack = min(REACH, (box.right - box.left) / 10)
    return box.left - slack <= x <= box.right + slack and box.bottom - REACH <= y <= box.top + REACH


def bounds_of(matrix: Matrix) -> Box:
    """The bounds of the unit square under `matrix`."""
    a, b, c, d, e, f = matrix
    xs, ys = (e, e + a, e + c, e + a + c), (f, f + b, f + d, f + b + d)
    return Box(min(xs), min(ys), max(xs), max(ys))


def joined(boxes: list[Box]) -> list[Box]:
    """The boxes, with those of adjacent glyphs merged."""
    found: list[Box] = []
    for box in sorted(boxes, key=lambda each: (round(each.bottom), each.left)):
        last = found[-1] if found else None
        if last and abs(last.bottom - box.bottom) < 1 and box.left - last.right < 0.4 * (box.top - box.bottom):
            found[-1] = Box(last.left, min(last.bottom, box.bottom), max(last.right, box.right), max(last.top, box.top))
        else:
            found.append(box)
    return found
