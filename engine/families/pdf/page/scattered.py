"""Find the points of charts among small round shapes, which may also be bullets, leaders or corners."""

from __future__ import annotations

from collections.abc import Sequence

from engine.families.pdf.page.view import Box

_SMALLEST = 2.0
"""Points a side: what is smaller is a dot of a leader or of a line."""

_COLUMNS, _ROWS = 5, 4
"""The places from left to right, and from top to bottom, from which on small shapes are points of a chart."""


def scattered(dots: Sequence[Box]) -> list[Box]:
    """The shapes that stand in more columns and rows than bullets do; none if there are too few."""
    found = [each for each in dots if min(each[2] - each[0], each[3] - each[1]) >= _SMALLEST]
    columns, rows = {round(each[0]) for each in found}, {round(each[1]) for each in found}
    return found if len(columns) >= _COLUMNS and len(rows) >= _ROWS else []
