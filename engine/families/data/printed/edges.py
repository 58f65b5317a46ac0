"""The borders of cells as lines that go on as long as they look alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.families.data.printed.looks import Edge

WIDTHS = {
    "hair": 0.25, "thin": 0.75, "dotted": 0.75, "dashed": 0.75, "dashDot": 0.75, "dashDotDot": 0.75, "double": 0.6,
    "medium": 1.5, "mediumDashed": 1.5, "mediumDashDot": 1.5, "mediumDashDotDot": 1.5, "slantDashDot": 1.5,
    "thick": 2.25,
}  # fmt: skip
DASHES = {
    "hair": (0.5, 1), "dotted": (0.75, 1.5), "dashed": (3, 1.5), "dashDot": (4, 2, 1, 2),
    "dashDotDot": (4, 2, 1, 2, 1, 2), "mediumDashed": (6, 3), "mediumDashDot": (6, 2, 2, 2),
    "mediumDashDotDot": (6, 2, 2, 2, 2, 2), "slantDashDot": (6, 2, 3, 2),
}  # fmt: skip


def stronger(first: Edge | None, second: Edge | None) -> Edge | None:
    """The line that is drawn where two cells meet: the thicker one, a double one before others."""
    if first is None or second is None:
        return first or second
    if second.style == "double" and first.style != "double":
        return second
    return second if WIDTHS.get(second.style, 0.75) > WIDTHS.get(first.style, 0.75) else first


@dataclass(frozen=True)
class Segment:
    """A line from one point to another."""

    edge: Edge
    x0: float
    y0: float
    x1: float
    y1: float


def across(lines: dict[int, Edge], xs: list[float], y: float) -> Iterator[Segment]:
    """The lines on one horizontal edge of cells, by column, joined."""
    start, edge, last = 0, None, -2
    for column in sorted(lines):
        if edge is None or column != last + 1 or lines[column] != edge:
            if edge is not None:
                yield Segment(edge, xs[start], y, xs[last + 1], y)
            start, edge = column, lines[column]
        last = column
    if edge is not None:
        yield Segment(edge, xs[start], y, xs[last + 1], y)


class Down:
    """Joins the vertical lines of rows that follow one another."""

    def __init__(self) -> None:
        self._open: dict[int, tuple[Edge, float]] = {}

    def row(self, lines: dict[int, Edge], xs: list[float], y: float) -> Iterator[Segment]:
        """The lines that end above a row that begins at `y`."""
        ended = [at for at, (edge, _) in self._open.items() if lines.get(at) != edge]
        yield from self._closed(ended, xs, y)
        for at, edge in lines.items():
            if at not in self._open:
                self._open[at] = (edge, y)

    def end(self, xs: list[float], y: float) -> Iterator[Segment]:
        """The lines that end with the last row."""
        yield from self._closed(list(self._open), xs, y)

    def _closed(self, places: Iterable[int], xs: list[float], y: float) -> Iterator[Segment]:
        for at in places:
            edge, top = self._open.pop(at)
            yield Segment(edge, xs[at], top, xs[at], y)
