"""The layout of a sheet that is carried between workbooks: formats, merged cells, widths, notes and links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.families.data.cell_references import Area, Place
from engine.families.data.features import NOTHING, Keeps


@dataclass(frozen=True)
class Layout:
    """The layout of a sheet by row and column, from 0 at the table's first row and column.

    Number formats, merged areas, column widths in characters, hidden rows and columns, notes, and link targets, of
    which those within the workbook begin with #. `carries` are the features whose places are all known.
    """

    formats: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    merged: tuple[Area, ...] = ()
    widths: Mapping[int, float] = field(default_factory=dict)
    hidden: bool = False
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    notes: Mapping[Place, str] = field(default_factory=dict)
    links: Mapping[Place, str] = field(default_factory=dict)
    carries: Keeps = NOTHING


def apart(areas: Iterable[Area], cut: Area) -> tuple[Area, ...]:
    """The areas inside `cut`, relative to its first cell, without single cells and overlaps."""
    kept: list[Area] = []
    active: list[Area] = []
    for area in sorted(areas, key=lambda each: (each.top, each.left)):
        top, left = max(area.top, cut.top), max(area.left, cut.left)
        bottom, right = min(area.bottom, cut.bottom), min(area.right, cut.right)
        if top > bottom or left > right or (top == bottom and left == right):
            continue
        active = [each for each in active if each.bottom >= top]
        if all(right < each.left or left > each.right for each in active):
            inside = Area(top, left, bottom, right)
            active.append(inside)
            kept.append(Area(top - cut.top, left - cut.left, bottom - cut.top, right - cut.left))
    return tuple(kept)


class Across:
    """The areas that reach into a row; rows must be requested in order."""

    def __init__(self, areas: Iterable[Area]) -> None:
        self._waiting = sorted(areas, key=lambda each: each.top, reverse=True)
        self._active: list[Area] = []

    def __call__(self, row: int) -> list[Area]:
        if self._active:
            self._active = [each for each in self._active if each.bottom >= row]
        while self._waiting and self._waiting[-1].top <= row:
            self._active.append(self._waiting.pop())
        return self._active
