"""The charts of one file: read within one limit, and counted by what becomes of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.toolkit.charts import drawing, reading, tables
from engine.toolkit.charts.figures import Drawing
from engine.toolkit.charts.model import Chart
from engine.toolkit.charts.painting import Surroundings
from engine.toolkit.charts.stored import LEAST_POINTS, MOST_POINTS, Allowance, TooManyPoints
from engine.toolkit.charts.tables import Table
from engine.toolkit.warnings import Kind, Warn

FLAT = Kind("VALUE_CONVERTED", "3-D charts are drawn flat: {count}{places}.")
UNDRAWN = Kind("CONTENT_DROPPED", "Parts of charts are left out or drawn in a simpler way: {count}{places}.")
TABLED = Kind(
    "VALUE_CONVERTED", "Charts of kinds that are not drawn became tables of their data: {count}{places}.",
    counts="charts",
)  # fmt: skip
WRITTEN = Kind("VALUE_CONVERTED", "Charts became tables of their data: {count}{places}.")
LARGE = Kind(
    "CONTENT_DROPPED",
    "Charts beyond the limit of {most} points for a file were left out: {count}{places}.",
    (("most", MOST_POINTS),),
    counts="charts",
)
EMPTY = Kind(
    "CONTENT_DROPPED", "Charts without stored values, or of kinds that are not drawn, were left out: {count}{places}.",
    counts="charts",
)  # fmt: skip


class Charts:
    """Reads charts, and counts what can't be shown of them in `found`, with names in `named`."""

    def __init__(self) -> None:
        self._allowance = Allowance()
        self.found: Counter[Kind] = Counter()
        self.named: dict[Kind, Counter[str]] = {}

    @property
    def lost(self) -> int:
        """How many charts were left out."""
        return self.found[LARGE] + self.found[EMPTY]

    def read(self, root: Any, around: Surroundings, *, tabled: bool = True) -> Chart | Table | None:
        """A chart from the root of its part: a table of its data if its kind is not drawn, None if it is left out.

        Without `tabled`, those that would be tables are left out.
        """
        left = self._allowance.left
        try:
            self._allowance.take(LEAST_POINTS)
            made = reading.read(root, around, self._allowance) or (self._other(root, around) if tabled else None)
        except TooManyPoints:
            self._allowance.left = left
            self._count(LARGE)
            return None
        if made is None:
            self._count(EMPTY, *reading.kinds(root))
        return made

    def _other(self, root: Any, around: Surroundings) -> Table | None:
        chart = reading.read(root, around, self._allowance, undrawn=True)
        found = (reading.kinds(root)[0], tables.of_chart(chart)) if chart else tables.of_other(root, self._allowance)
        if found is None:
            return None
        self._count(TABLED, found[0])
        return found[1]

    def again(self, chart: Chart) -> bool:
        """Whether a chart that was read before may be shown once more."""
        points = sum(len(each.values) for each in chart.series)
        try:
            self._allowance.take(points + LEAST_POINTS)
        except TooManyPoints:
            self._count(LARGE)
            return False
        return True

    def tabulate(self) -> None:
        """Count a chart that could be drawn and becomes a table, as texts have no drawings."""
        self._count(WRITTEN)

    def lose(self) -> None:
        """Count a chart whose part is missing."""
        self._count(EMPTY)

    def draw(self, chart: Chart, size: tuple[float, float]) -> Drawing:
        """Draw a chart in a size in points."""
        if chart.flat:
            self._count(FLAT)
        made = drawing.drawn(chart, size)
        beyond = ("label", made.unlabelled), ("axis label", made.unshown), ("legend entry", made.unlisted)
        for name, count in (*chart.undrawn, *beyond):
            if count:
                self.found[UNDRAWN] += count
                self.named.setdefault(UNDRAWN, Counter())[name] += count
        return made

    def _count(self, kind: Kind, *names: str) -> None:
        self.found[kind] += 1
        self.named.setdefault(kind, Counter()).update(names)

    def report(self, warn: Warn) -> None:
        """Warn of all that was counted."""
        for kind, count in self.found.items():
            names = (f"{name} × {number}" if number > 1 else name for name, number in self.named.get(kind, {}).items())
            warn.tally(kind, count, names)
