"""Draw pies, doughnuts and radar charts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.toolkit import number_formats
from engine.toolkit.charts import labelling, letters, scales
from engine.toolkit.charts.figures import Box, Outline, Point, Words, arc, circle, line, on_circle, symbol
from engine.toolkit.charts.marks import Spot
from engine.toolkit.charts.model import Axis, Chart, Labels, Look, Plot, Stroke

_SMALL = 2.5
"""Times the height of a label, the length of an arc below which the label is outside of the slice."""


def pie(chart: Chart, plot: Plot, room: Box) -> Iterator[Outline | Words]:
    """A pie, or the rings of a doughnut, with its labels."""
    rings = plot.series if plot.hole else plot.series[:1]
    if not rings:
        return
    pushed = max((look.pushed for each in rings for look in (each.look, *each.points.values())), default=0.0)
    around = _outside(chart, plot, room)
    x, y = room.middle
    radius = max(min(room.width / 2 - around[0], room.height / 2 - around[1]) / (1 + pushed), 4.0)
    depth = radius * (1 - plot.hole) / len(rings)
    words: list[Words] = []
    for number, series in enumerate(rings):
        total = sum(abs(each or 0.0) for each in series.values)
        if not total or not math.isfinite(total):
            continue
        inner = radius * plot.hole + depth * number if plot.hole else 0.0
        outer = inner + depth if plot.hole else radius
        turned = plot.start
        for at, value in enumerate(series.values):
            share = abs(value or 0.0) / total
            if value is None or not share:
                continue
            look = series.points.get(at, series.look)
            start, end = turned, turned + share * 360
            turned = end
            half = math.radians((start + end) / 2)
            out = look.pushed * radius if number == len(rings) - 1 else 0.0
            centre = on_circle((x, y), out, half)
            yield _slice(look, centre, inner, outer, start, end)
            spot = Spot(series, at, value, centre, (inner, outer), (math.sin(half), -math.cos(half)), share)
            words += _label(chart, spot, half, share, ring=bool(plot.hole))
    yield from words


def _slice(look: Look, centre: Point, inner: float, outer: float, start: float, end: float) -> Outline:
    if end - start > 359.99:
        hole = circle(centre, inner) if inner else ()
        return Outline((*circle(centre, outer), *reversed_ring(hole)), look.fill, look.edge)
    one, other = math.radians(start), math.radians(end)
    steps = (("M", on_circle(centre, outer, one)), *arc(centre, outer, start, end))
    if inner:
        steps = (*steps, ("L", on_circle(centre, inner, other)), *arc(centre, inner, end, start))
    else:
        steps = (*steps, ("L", centre))
    return Outline((*steps, ("Z", ())), look.fill, look.edge)


def reversed_ring(ring: Sequence[tuple[str, tuple[float, ...]]]) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """A circle the other way round, which makes a hole in another."""
    if not ring:
        return ()
    points = [step[1][-2:] for step in ring if step[0] != "Z"]
    found: list[tuple[str, tuple[float, ...]]] = [("M", points[-1])]
    for at in range(len(points) - 1, 0, -1):
        one, two = ring[at][1][:2], ring[at][1][2:4]
        found.append(("C", (*two, *one, *points[at - 1])))
    return (*found, ("Z", ()))


def _outside(chart: Chart, plot: Plot, room: Box) -> tuple[float, float]:
    """The room across and down that labels outside of a pie may need."""
    if plot.hole or not plot.series:
        return 0.0, 0.0
    series = plot.series[0]
    total = sum(abs(each or 0.0) for each in series.values) or 1.0
    wide = high = 0.0
    for at, value in enumerate(series.values):
        if value is None:
            continue
        spot = Spot(series, at, value, (0.0, 0.0), share=abs(value) / total)
        said = labelling.labels_of(spot)
        text = labelling.text_of(spot, chart, free=False)
        if text and said.position in ("outEnd", "bestFit", ""):
            lines = _lines(text, said, room)
            wide = max(wide, *(letters.width(each, said.lettering) for each in lines))
            high = max(high, letters.height(len(lines), said.lettering))
    return min(wide + 4, room.width * 0.3), min(high + 4, room.height * 0.3)


def _lines(text: str, said: Labels, room: Box) -> list[str]:
    return [each for part in text.split("\n") for each in letters.wrapped(part, said.lettering, room.width * 0.28)]


def _label(chart: Chart, spot: Spot, half: float, share: float, *, ring: bool) -> Iterator[Words]:
    text = labelling.text_of(spot, chart, free=False)
    if not text:
        return
    said = labelling.labels_of(spot)
    inner, outer = spot.reach
    lines = [each for part in text.split("\n") for each in letters.wrapped(part, said.lettering, max(outer, 60))]
    high = letters.height(len(lines), said.lettering)
    wide = max((letters.width(each, said.lettering) for each in lines), default=0.0)
    position = said.position
    if not ring and position in ("", "bestFit"):
        small = share * 2 * math.pi * outer * 0.7 < max(high * 1.2, min(wide, high * _SMALL)) or wide > outer * 0.8
        position = "outEnd" if small else "inEnd"
    if ring:
        far = (inner + outer) / 2
    elif position == "outEnd":
        far = outer + 4 + abs(math.sin(half)) * wide / 2 + abs(math.cos(half)) * high / 2
    elif position == "inEnd":
        far = outer - 4 - max(abs(math.sin(half)) * wide / 2, abs(math.cos(half)) * high / 2)
    else:
        far = outer * 0.55
    yield from labelling.centred(lines, on_circle(spot.middle, far, half), said)


def radar(chart: Chart, plots: Sequence[Plot], room: Box, whole: Box) -> Iterator[Outline | Words]:
    """Series around a middle, an axis of values for each category."""
    known = [each for each in chart.axes if each.id in plots[0].axes] or list(chart.axes)
    values = next((each for each in known if each.kind == "value"), Axis("second", "value", "l"))
    names = next((each for each in known if each.kind != "value"), Axis("first", "category", "b"))
    texts = chart.levels[0] if chart.levels else ()
    count = max((len(each.values) for plot in plots for each in plot.series), default=0)
    if not count:
        return
    x, y = room.middle
    look = names.lettering
    shown = names.shown and names.labels != "none"
    aside = max((letters.width(each[:40], look) for each in texts), default=0.0) if shown else 0.0
    radius = max(min(room.width / 2 - min(aside + 6, room.width * 0.25), room.height / 2 - look.size * 1.9), 5.0)
    all_values = [value for plot in plots for each in plot.series for value in each.values if value is not None]
    scale = scales.scale(values, all_values, radius / (values.lettering.size * 2.0))

    def at(number: int, value: float) -> Point:
        return on_circle((x, y), radius * scale.inside(value), 2 * math.pi * number / count)

    grid = values.grid or Stroke(names.lettering.paint, 0.25)
    if values.grid is not None or values.shown:
        rings = [line((at(each, tick) for each in range(count)), closed=True) for tick in scale.ticks]
        yield Outline(tuple(step for ring in rings for step in ring), None, grid)
    if values.line is not None and values.shown:
        spokes = [line(((x, y), at(each, scale.high))) for each in range(min(count, 1_000))]
        yield Outline(tuple(step for spoke in spokes for step in spoke), None, values.line)
    spots = []
    for plot in plots:
        for series in plot.series:
            points = [at(number, value or 0.0) for number, value in enumerate(series.values)]
            fill = series.look.fill if plot.filled else None
            yield Outline(line(points, closed=True), fill, series.look.edge)
            marker = series.look.marker
            if marker.symbol and not plot.filled:
                steps = [step for each in points for step in symbol(marker.symbol, each, marker.size)]
                yield Outline(tuple(steps), marker.fill, marker.edge)
            given = enumerate(series.values)
            spots += [Spot(series, at_, value, points[at_], (3.0, 3.0)) for at_, value in given if value is not None]
    if values.shown and values.labels != "none":
        code = values.code or next((e.code for p in plots for e in p.series if e.code != "General"), "General")
        for tick in scale.ticks:
            place = x - 4, y - radius * scale.inside(tick) + values.lettering.size * 0.35
            yield Words(number_formats.shown(tick / values.scaled, code), place, values.lettering, "end")
    if shown:
        for number in range(min(count, 400)):
            turn = 2 * math.pi * number / count
            far = on_circle((x, y), radius + look.size * 0.6, turn)
            anchor = "middle" if abs(math.sin(turn)) < 0.2 else "start" if math.sin(turn) > 0 else "end"
            text = texts[number] if number < len(texts) else "" if texts else str(number + 1)
            down = far[1] + look.size * (0.35 - 0.45 * math.cos(turn))
            most = max(room.width * 0.25, look.size * 2)
            yield Words(letters.shortened(text, look, most), (far[0], down), replace(look, turn=None), anchor)
    yield from labelling.drawn(spots, chart, whole, "radar", "")
