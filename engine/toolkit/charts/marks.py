"""Draw bars, lines, areas and bubbles between two axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from engine.toolkit.charts.figures import OPEN, Outline, Point, Step, circle, curve, line, symbol
from engine.toolkit.charts.model import Look, Paint, Series, Stroke
from engine.toolkit.charts.plane import Field, places
from engine.toolkit.charts.scales import Scale, Steps

_LARGEST_BUBBLE = 0.25
"""The width of the largest bubble, as a share of the shorter side of the plot area."""
_WHITE = Paint("#ffffff")


@dataclass(frozen=True)
class Spot:
    """Where a point of a series is drawn: its middle, how far its mark reaches each way, and which way it points."""

    series: Series
    at: int
    value: float
    middle: Point
    reach: Point = (0.0, 0.0)
    ahead: Point = (0.0, -1.0)
    """The direction from its base to its end."""
    share: float | None = None
    """Its share of the sum, for slices and percentages."""


class Canvas:
    """The outlines of plots, with the spots of their points."""

    def __init__(self, blanks: str) -> None:
        self.blanks = blanks
        self.outlines: list[Outline] = []
        self.spots: list[Spot] = []

    def draw(self, field: Field) -> None:
        """Draw one plot."""
        {
            "bar": self._bars, "line": self._lines, "area": self._areas, "scatter": self._scatter,
            "bubble": self._bubbles,
        }[field.plot.kind](field)  # fmt: skip

    def _add(self, look: Look, steps: Sequence[Step]) -> None:
        if steps and (look.fill or look.edge):
            self.outlines.append(Outline(tuple(steps), look.fill, look.edge))

    def _bars(self, field: Field) -> None:
        plot, steps = field.plot, field.first.scale
        if not isinstance(steps, Steps) or not plot.series:
            return
        side_by_side = 1 if plot.stacking else len(plot.series)
        overlap = 1.0 if plot.stacking else plot.overlap
        width = steps.width / max(side_by_side - (side_by_side - 1) * overlap + plot.gap, 0.05)
        total = width * (side_by_side - (side_by_side - 1) * overlap)
        way = -1 if steps.reversed else 1
        for number, (series, ends) in enumerate(zip(plot.series, stacks(field), strict=True)):
            ordinal = 0 if plot.stacking else number
            offset = way * (-total / 2 + width / 2 + ordinal * width * (1 - overlap))
            drawn: list[tuple[Look, tuple[Step, ...]]] = []
            for at, (value, (start, end)) in enumerate(zip(series.values, ends, strict=True)):
                if value is None:
                    continue
                middle = steps.middle(at) + offset
                one, other = field.point(middle - width / 2, start), field.point(middle + width / 2, end)
                look = series.points.get(at, series.look)
                if series.inverted and value < 0 and at not in series.points:
                    look = Look(_WHITE, series.look.edge or Stroke(series.look.fill or Paint("#000000")))
                drawn.append((look, line((one, (other[0], one[1]), other, (one[0], other[1])), closed=True)))
                self.spots.append(_bar_spot(series, at, value, one, other, field.plot.across, start <= end))
            self._together(drawn)

    def _together(self, drawn: Sequence[tuple[Look, tuple[Step, ...]]]) -> None:
        """Draw what looks the same as one outline."""
        found: dict[Look, list[Step]] = {}
        for look, steps in drawn:
            found.setdefault(look, []).extend(steps)
        for look, path in found.items():
            self._add(look, path)

    def _lines(self, field: Field) -> None:
        plot, steps = field.plot, field.first.scale
        if not isinstance(steps, Steps):
            return
        stacked = list(stacks(field))
        if plot.drops or plot.ranges or plot.ups:
            self._helping(field, steps, stacked)
        for series, ends in zip(plot.series, stacked, strict=True):
            points = [
                None if self._is_blank(value, plot.stacking) else field.point(steps.middle(at), end)
                for at, (value, (_, end)) in enumerate(zip(series.values, ends, strict=True))
            ]
            if isinstance(field.first.scale, Steps) and steps.base:
                order = sorted(range(len(points)), key=steps.middle)
            else:
                order = list(range(len(points)))
            self._run(series, points, order)

    def _is_blank(self, value: float | None, stacking: str = "") -> bool:
        return value is None and not (stacking or self.blanks == "zero")

    def _run(self, series: Series, points: Sequence[Point | None], order: Sequence[int]) -> None:
        """A line through points with their symbols."""
        runs: list[list[int]] = [[]]
        for at in order:
            if points[at] is not None:
                runs[-1].append(at)
            elif self.blanks != "span" and runs[-1]:
                runs.append([])
        if any(each.edge != series.look.edge for each in series.points.values()) and not series.smooth:
            for run in runs:
                for one, other in pairwise(run):
                    ends = [each for each in (points[one], points[other]) if each is not None]
                    self._add(replace(series.points.get(other, series.look), fill=None), line(ends))
        else:
            path = [[each for at in run if (each := points[at]) is not None] for run in runs]
            steps = [step for each in path for step in (curve(each) if series.smooth else line(each))]
            self._add(replace(series.look, fill=None), steps)
        self._symbols(series, points)
        for at, point in enumerate(points):
            value = series.values[at]
            if point is not None and value is not None:
                half = series.look.marker.size / 2
                self.spots.append(Spot(series, at, value, point, (half, half)))

    def _symbols(self, series: Series, points: Sequence[Point | None]) -> None:
        drawn = []
        for at, point in enumerate(points):
            marker = series.points.get(at, series.look).marker
            if point is not None and marker.symbol:
                drawn.append((marker, symbol(marker.symbol, point, marker.size)))
        for marker, same in groupby(drawn, lambda each: each[0]):
            steps = [step for _, steps_ in same for step in steps_]
            edge = marker.edge or (Stroke(marker.fill) if marker.fill and marker.symbol in OPEN else None)
            self._add(Look(None if marker.symbol in OPEN else marker.fill, edge), steps)

    def _helping(self, field: Field, steps: Steps, stacked: Sequence[Sequence[tuple[float, float]]]) -> None:
        """Lines down to the axis, between series, and bars from the first to the last of them."""
        plot, base = field.plot, _share(field, field.origin)
        count = max((len(each.values) for each in plot.series), default=0)
        drops: list[Step] = []
        ranges: list[Step] = []
        bars: dict[bool, list[Step]] = {True: [], False: []}
        for at in range(count):
            ends = [
                one[at][1] for one, series in zip(stacked, plot.series, strict=True)
                if at < len(series.values) and series.values[at] is not None
            ]  # fmt: skip
            if not ends:
                continue
            place = steps.middle(at)
            drops += line((field.point(place, base), field.point(place, max(ends))))
            ranges += line((field.point(place, min(ends)), field.point(place, max(ends))))
            if plot.ups and len(ends) > 1:
                half = steps.width / (1 + plot.gap) / 2
                one, other = field.point(place - half, ends[0]), field.point(place + half, ends[-1])
                bars[ends[-1] >= ends[0]] += line((one, (other[0], one[1]), other, (one[0], other[1])), closed=True)
        if plot.drops:
            self._add(Look(None, plot.drops), drops)
        if plot.ranges:
            self._add(Look(None, plot.ranges), ranges)
        if plot.ups:
            self._add(plot.ups[0], bars[True])
            self._add(plot.ups[1], bars[False])

    def _areas(self, field: Field) -> None:
        plot, steps = field.plot, field.first.scale
        if not isinstance(steps, Steps):
            return
        made = []
        for series, ends in zip(plot.series, stacks(field), strict=True):
            order = sorted(range(len(ends)), key=steps.middle)
            above = [field.point(steps.middle(at), ends[at][1]) for at in order]
            below = [field.point(steps.middle(at), ends[at][0]) for at in reversed(order)]
            made.append((series.look, line([*above, *below], closed=True)))
            for at, value in enumerate(series.values):
                if value is not None:
                    middle = sum(ends[at]) / 2
                    self.spots.append(Spot(series, at, value, field.point(steps.middle(at), middle)))
        for look, path in made:
            self._add(look, path)

    def _scatter(self, field: Field) -> None:
        for series in field.plot.series:
            points = [
                None if x is None or y is None else field.point(_first(field, x), _share(field, y))
                for x, y in zip(places(series.xs, len(series.values)), series.values, strict=True)
            ]
            self._run(series, points, range(len(points)))

    def _bubbles(self, field: Field) -> None:
        sizes = [abs(each) for series in field.plot.series for each in series.sizes if each]
        largest = max(sizes, default=1.0)
        most = min(field.inner.width, field.inner.height) * _LARGEST_BUBBLE * field.plot.bubbles / 2
        for series in field.plot.series:
            drawn = []
            for at, (x, y) in enumerate(zip(places(series.xs, len(series.values)), series.values, strict=True)):
                size = abs(series.sizes[at] or 0.0) if at < len(series.sizes) else largest
                if x is None or y is None or not size:
                    continue
                middle = field.point(_first(field, x), _share(field, y))
                radius = most * (size / largest) ** (1.0 if field.plot.by_width else 0.5)
                drawn.append((series.points.get(at, series.look), circle(middle, radius)))
                self.spots.append(Spot(series, at, y, middle, (radius, radius)))
            for look, path in drawn:
                self._add(look, path)


def stacks(field: Field) -> Iterator[list[tuple[float, float]]]:
    """Where each point of each series begins and ends along the axis of values."""
    plot, base = field.plot, field.origin
    if not plot.stacking:
        for series in plot.series:
            yield [(_share(field, base), _share(field, value or 0.0)) for value in series.values]
        return
    count = max((len(each.values) for each in plot.series), default=0)
    sums = [0.0] * count
    for series in plot.series:
        for at, value in enumerate(series.values):
            sums[at] += abs(value or 0.0)
    reached: dict[bool, list[float]] = {True: [0.0] * count, False: [0.0] * count}
    for series in plot.series:
        found = []
        for at, value in enumerate(series.values):
            part = value or 0.0
            if plot.stacking == "percent":
                part = part / sums[at] if sums[at] else 0.0
            so_far = reached[part >= 0 or plot.kind != "bar"]
            start, so_far[at] = so_far[at], so_far[at] + part
            found.append((_share(field, start), _share(field, so_far[at])))
        yield found


def _share(field: Field, value: float) -> float:
    scale = field.second.scale
    return scale.inside(value) if isinstance(scale, Scale) else 0.0


def _first(field: Field, value: float) -> float:
    scale = field.first.scale
    return scale.inside(value) if isinstance(scale, Scale) else scale.share(value - 1)


def _bar_spot(series: Series, at: int, value: float, one: Point, other: Point, across: bool, forward: bool) -> Spot:
    middle = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    reach = abs(other[0] - one[0]) / 2, abs(other[1] - one[1]) / 2
    way = 1.0 if forward else -1.0
    return Spot(series, at, value, middle, reach, (way, 0.0) if across else (0.0, -way))
