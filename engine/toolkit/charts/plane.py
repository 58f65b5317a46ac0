"""The plots of a chart with axes: which axes they have, and where all of it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.toolkit import number_formats
from engine.toolkit.charts import letters, scales
from engine.toolkit.charts.figures import Box, Outline, Point, Words, rectangle
from engine.toolkit.charts.model import Axis, Chart, Plot, Title
from engine.toolkit.charts.rulers import Ruler, category_texts, value_texts
from engine.toolkit.charts.scales import Scale, Steps

_FREE = ("scatter", "bubble")


@dataclass(frozen=True)
class Field:
    """A plot on its two axes, in a plot area: `first` has the categories, or the values across."""

    plot: Plot
    first: Ruler
    second: Ruler
    inner: Box

    def point(self, one: float, other: float) -> Point:
        """The point at a share of the first axis and one of the second."""
        return self.first.point(self.inner, one, other)

    @property
    def origin(self) -> float:
        """The value of the second axis where bars and areas begin."""
        scale = self.second.scale
        if not isinstance(scale, Scale):
            return 0.0
        crossing = self.first.axis.crosses
        if isinstance(crossing, float):
            return min(max(crossing, scale.low), scale.high)
        return {"min": scale.low, "max": scale.high}.get(crossing, scale.origin)


@dataclass(frozen=True)
class Plane:
    """All plots with axes of a chart, laid out."""

    fields: tuple[Field, ...]
    rulers: tuple[Ruler, ...]
    inner: Box
    whole: Box

    def ground(self, chart: Chart) -> Iterator[Outline]:
        """What is behind the plots."""
        box = self.inner
        if chart.room or chart.room_edge:
            yield Outline(rectangle(box.x, box.y, box.width, box.height), chart.room, chart.room_edge)
        for each in self.rulers:
            yield from each.grid(box)

    @property
    def unshown(self) -> int:
        """How many labels of axes are left out."""
        return sum(each.unshown(self.inner, self.whole) for each in self.rulers)

    def front(self) -> Iterator[Outline | Words]:
        """The axes and their titles."""
        taken: dict[tuple[bool, bool], float] = {}
        for each in self.rulers:
            yield from each.drawn(self.inner, self.whole)
            side = each.level, each.beyond
            if each.outside:
                taken[side] = taken.get(side, 0.0) + each.extent(self.inner, self.whole)
            if each.axis.title is not None and each.axis.shown:
                yield from _heading(each.axis.title, each, self.inner, self.whole, taken.get(side, 0.0))
                taken[side] = taken.get(side, 0.0) + each.headed


def plane(chart: Chart, plots: Sequence[Plot], room: Box, whole: Box) -> Plane:
    """Lay out plots in a room, or where the chart says."""
    pairs = [_axes(chart, each) for each in plots]
    inner = _fixed(chart, whole) or Box(room.x + 30, room.y + 5, max(room.width - 40, 10), max(room.height - 30, 10))
    rulers: list[Ruler] = []
    for _ in range(2):
        rulers = _rulers(chart, plots, pairs, inner)
        if chart.place is None or chart.place.width is None:
            inner = _within(rulers, room, inner, whole)
        elif not chart.place.inner:
            outer = Box(chart.place.x * whole.width, chart.place.y * whole.height,
                        chart.place.width * whole.width, (chart.place.height or 0) * whole.height)  # fmt: skip
            inner = _within(
                [replace(each, axis=replace(each.axis, title=None)) for each in rulers], outer, inner, whole
            )
    by_id = {each.axis.id: each for each in rulers}
    fields = tuple(
        Field(plot, by_id[one.id], by_id[other.id], inner) for plot, (one, other) in zip(plots, pairs, strict=True)
    )
    return Plane(fields, tuple(rulers), inner, whole)


def _fixed(chart: Chart, whole: Box) -> Box | None:
    place = chart.place
    if place is None or place.width is None or place.height is None:
        return None
    return Box(place.x * whole.width, place.y * whole.height, place.width * whole.width, place.height * whole.height)


def _within(rulers: Sequence[Ruler], room: Box, inner: Box, whole: Box) -> Box:
    """The plot area that is left of a room beside the labels and titles of the axes."""
    sides = {(level, beyond): 0.0 for level in (False, True) for beyond in (False, True)}
    for each in rulers:
        if each.outside and each.labelled:
            sides[each.level, each.beyond] += each.extent(inner, whole)
        sides[each.level, each.beyond] += each.headed
    half = max((each.axis.lettering.size for each in rulers if not each.level and each.labelled), default=0.0) * 0.6
    beyond = [each.overhang(inner, whole) for each in rulers]
    left = max(sides[False, False], 4.0, *(each for each, _ in beyond))
    right = max(sides[False, True], 6.0, *(each for _, each in beyond))
    bottom, top = max(sides[True, False], half), max(sides[True, True], half)
    width, height = room.width - left - right, room.height - top - bottom
    if width < 20:
        left, width = room.width * 0.2, max(room.width * 0.7, 1.0)
    if height < 20:
        top, height = room.height * 0.1, max(room.height * 0.7, 1.0)
    return Box(room.x + left, room.y + top, width, height)


def _axes(chart: Chart, plot: Plot) -> tuple[Axis, Axis]:
    """The two axes of a plot: that of its categories or places across, and that of its values."""
    known = {each.id: each for each in chart.axes}
    own = [known[each] for each in plot.axes if each in known and known[each].kind != "series"]
    own = own or [each for each in chart.axes if each.kind != "series"][:2]
    if plot.kind in _FREE:
        first = next((each for each in own if each.side in ("b", "t")), own[0] if own else None)
    else:
        first = next((each for each in own if each.kind in ("category", "date")), own[0] if own else None)
    second = next((each for each in own if each is not first and each.kind == "value"), None)
    second = second or next((each for each in own if each is not first), None)
    first = first or Axis("first", "value" if plot.kind in _FREE else "category", "b", crossed="second")
    return first, second or Axis("second", "value", "l", crossed=first.id)


def _rulers(chart: Chart, plots: Sequence[Plot], pairs: Sequence[tuple[Axis, Axis]], inner: Box) -> list[Ruler]:
    found: dict[str, Ruler] = {}
    for plot, (first, second) in zip(plots, pairs, strict=True):
        for axis, own in ((first, plot.across), (second, not plot.across)):
            if axis.id in found:
                continue
            level = not own
            shared = [(each, pair) for each, pair in zip(plots, pairs, strict=True) if axis in pair]
            is_first = axis is first
            if is_first and plot.kind not in _FREE:
                found[axis.id] = _categories(chart, axis, [each for each, _ in shared], second, inner, level=level)
            else:
                found[axis.id] = _values(axis, [each for each, _ in shared], inner, level=level, across=is_first)
    return [replace(each, at=_crossing(each.axis, found)) for each in found.values()]


def _crossing(axis: Axis, found: dict[str, Ruler]) -> float:
    """How far along the axis that it crosses an axis stands."""
    other = found.get(axis.crossed)
    if other is None:
        return 1.0 if axis.side in ("r", "t") else 0.0
    scale = other.scale
    ends = (1.0, 0.0) if scale.reversed else (0.0, 1.0)
    if axis.crosses in ("min", "max"):
        return ends[axis.crosses == "max"]
    if isinstance(scale, Steps):
        if isinstance(axis.crosses, float) and axis.crosses > 1:
            return min(max(scale.share(axis.crosses - 1 - (0.5 if scale.between else 0)), 0.0), 1.0)
        return ends[0]
    if isinstance(axis.crosses, float):
        return scale.inside(axis.crosses)
    return scale.inside(scale.origin)


def _categories(chart: Chart, axis: Axis, plots: Sequence[Plot], values: Axis, inner: Box, *, level: bool) -> Ruler:
    between = values.between or any(each.kind == "bar" for each in plots)
    count = max((len(each.values) for plot in plots for each in plot.series), default=1)
    names = chart.levels[0] if chart.levels else ()
    steps = scales.dates(chart.numbers, axis, between=between) if axis.kind == "date" else None
    if steps is not None:
        code = axis.code or _date_code(chart)
        room = inner.width / (axis.lettering.size * 3) if level else inner.height / (axis.lettering.size * 1.5)
        step = scales.per_label(axis, steps, max(2, int(room)))
        texts = tuple(
            (steps.share(at), number_formats.shown(float(scales.day_of(steps.first + at, steps.base)), code))
            for at in range(0, steps.count, step)
        )
        return Ruler(axis, level, steps, texts)
    steps = scales.categories(count, axis, between=between)

    def text(at: int) -> str:
        number = chart.numbers[at] if at < len(chart.numbers) else None
        if number is not None and axis.code:
            return number_formats.shown(number, axis.code)
        return names[at] if at < len(names) else "" if names else str(at + 1)

    upper = tuple(_groups(each, steps) for each in chart.levels[1:4])
    return Ruler(axis, level, steps, category_texts(steps, axis, text), upper)


def _date_code(chart: Chart) -> str:
    return chart.code if chart.code != "General" else "yyyy-mm-dd"


def _groups(texts: Sequence[str], steps: Steps) -> tuple[tuple[float, float, str], ...]:
    starts = [at for at, text in enumerate(texts) if text]
    width = steps.width / 2
    found = []
    for at, end in zip(starts, [*starts[1:], steps.count], strict=True):
        found.append((steps.middle(at) - width, steps.middle(max(end - 1, at)) + width, texts[at]))
    return tuple(found)


def _values(axis: Axis, plots: Sequence[Plot], inner: Box, *, level: bool, across: bool) -> Ruler:
    percent = any(each.stacking == "percent" for each in plots)
    size = axis.lettering.size
    most = inner.width / (size * 3) if level else inner.height / (size * 1.8)
    values = [value for plot in plots for value in _reached(plot, across=across)]
    scale = scales.scale(axis, values, most, percent=percent)
    codes = (each.code for plot in plots for each in plot.series)
    own = next((each for each in codes if each != "General"), "General") if not across else "General"
    code = axis.code or ("0%" if percent else own)
    return Ruler(axis, level, scale, value_texts(scale, axis, code))


def _reached(plot: Plot, *, across: bool) -> Iterator[float]:
    """The values that an axis must reach."""
    if across:
        for each in plot.series:
            yield from (value for value in places(each.xs, len(each.values)) if value is not None)
    elif plot.stacking:
        for column in zip(*_even([each.values for each in plot.series]), strict=True):
            given = [value for value in column if value is not None]
            if plot.stacking == "percent":
                yield from (-1.0 if min(given, default=0) < 0 else 0.0, 1.0 if max(given, default=1) > 0 else 0.0)
            elif plot.kind == "bar":
                yield from (sum(each for each in given if each < 0), sum(each for each in given if each > 0))
            else:
                total = 0.0
                for value in given:
                    total += value
                    yield total
    else:
        yield from (value for each in plot.series for value in each.values if value is not None)


def _even(rows: Sequence[Sequence[float | None]]) -> list[list[float | None]]:
    longest = max(map(len, rows), default=0)
    return [[*each, *[None] * (longest - len(each))] for each in rows]


def places(xs: Sequence[float | None], count: int) -> tuple[float | None, ...]:
    """The places across of points: their own, or their numbers from 1."""
    if any(each is not None for each in xs):
        return tuple(xs[:count]) + (None,) * (count - len(xs))
    return tuple(at + 1.0 for at in range(count))


def _heading(title: Title, ruler: Ruler, inner: Box, whole: Box, taken: float) -> Iterator[Words]:
    text = title.lettering
    high = letters.height(len(title.lines), text)
    if ruler.level:
        x, y = inner.middle[0], (inner.y - taken - high if ruler.beyond else inner.bottom + taken)
        if title.place is not None:
            x, y = title.place.x * whole.width, title.place.y * whole.height
        anchor = "middle" if title.place is None else "start"
        for at, each in enumerate(title.lines):
            place = x, y + text.size * letters.ASCENT + at * text.size * letters.LEADING
            yield Words(letters.shortened(each, text, whole.width), place, text, anchor)
        return
    turn = -90.0 if text.turn is None else text.turn
    x, y = (inner.right + taken if ruler.beyond else inner.x - taken - high), inner.middle[1]
    if title.place is not None:
        longest = max(letters.width(each, text) for each in title.lines)
        x, y = title.place.x * whole.width, title.place.y * whole.height + (longest / 2 if turn else text.size / 2)
    for at, each in enumerate(title.lines):
        short = letters.shortened(each, text, whole.height if turn else whole.width * 0.3)
        if turn > 0:
            yield Words(short, (x + high - text.size * letters.ASCENT - at * text.size * letters.LEADING, y), text,
                        "middle", turn)  # fmt: skip
        elif turn:
            yield Words(short, (x + text.size * letters.ASCENT + at * text.size * letters.LEADING, y), text, "middle",
                        turn)  # fmt: skip
        else:
            yield Words(short, (x, y + text.size * 0.35 + at * text.size * letters.LEADING), text, "start")
