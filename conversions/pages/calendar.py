"""A year of daily numbers as a heat map, in SVG units: a column for each week, a row for each weekday."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.templatetags.quantities import thousands

CELL = 14
"""Distance between cells; a cell's side is 11."""
LEFT, TOP = 30, 18
LEVELS = 4


@dataclass(frozen=True)
class Cell:
    """`level` is 0 for a day with none, then 1 to `LEVELS`."""

    day: date
    value: int
    level: int
    x: int
    y: int


@dataclass(frozen=True)
class HeatMap:
    """`months` are names and positions of the months that begin in it; `busiest` is the cell with the most, or None."""

    cells: tuple[Cell, ...]
    months: tuple[tuple[date, int], ...]
    width: int
    height: int
    total: int
    active: int
    busiest: Cell | None

    @property
    def words(self) -> str:
        """The map in a sentence."""
        if self.busiest is None:
            return _("%(conversions)s on %(days)s.") % self._sums
        day, number = date_format(self.busiest.day, "MONTH_DAY_FORMAT"), thousands(self.busiest.value)
        text = _("%(conversions)s on %(days)s, most on %(day)s: %(number)s.")
        return text % {**self._sums, "day": day, "number": number}

    @property
    def summary(self) -> str:
        """A description of the map for screen readers."""
        if self.busiest is None:
            return _("Heat map: %(conversions)s on %(days)s.") % self._sums
        day, number = date_format(self.busiest.day, "DATE_FORMAT"), thousands(self.busiest.value)
        text = _("Heat map: %(conversions)s on %(days)s, most on %(day)s with %(number)s.")
        return text % {**self._sums, "day": day, "number": number}

    @property
    def _sums(self) -> dict[str, str]:
        return {
            "conversions": ngettext("%(number)s conversion", "%(number)s conversions", self.total)
            % {"number": thousands(self.total)},
            "days": ngettext("%(number)s day", "%(number)s days", self.active) % {"number": self.active},
        }


def heat_map(days: Mapping[date, int]) -> HeatMap:
    """The map of consecutive days. Levels are quartiles of the days that have any."""
    first = min(days)
    found = sorted(value for value in days.values() if value)

    def level(value: int) -> int:
        below = sum(1 for each in found if each < value)
        return 1 + min(LEVELS - 1, below * LEVELS // len(found)) if value else 0

    levels = {value: level(value) for value in {*days.values()}}
    cells, months = [], []
    for day, value in sorted(days.items()):
        week = ((day - first).days + first.weekday()) // 7
        x = LEFT + week * CELL
        cells.append(Cell(day, value, levels[value], x, TOP + day.weekday() * CELL))
        if day.day == 1:
            months.append((day, x))
    busiest = max(cells, key=lambda each: each.value)
    return HeatMap(
        tuple(cells), tuple(months), cells[-1].x + CELL, TOP + 7 * CELL, sum(days.values()), len(found),
        busiest if found else None,
    )  # fmt: skip
