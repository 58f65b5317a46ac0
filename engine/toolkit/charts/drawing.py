"""Draw a whole chart: its ground, title, legend and plots."""

from __future__ import annotations

from collections.abc import Iterator

from engine.toolkit.charts import labelling, legends, letters, rounds
from engine.toolkit.charts.figures import Box, Drawing, Outline, Words, rectangle
from engine.toolkit.charts.marks import Canvas
from engine.toolkit.charts.model import Chart, Title
from engine.toolkit.charts.plane import Plane, plane

_EDGE = 6.0
_MOST_WORDS = 4_000
"""Texts of one chart: more of them can't be read, and pages have no room for drawings of many thousand elements."""
_ORDER = ("area", "bar", "line", "scatter", "bubble")
"""Which plots are drawn above others, whatever their order in the file."""


def drawn(chart: Chart, size: tuple[float, float]) -> Drawing:
    """A chart in a size in points."""
    whole = Box(0.0, 0.0, max(size[0], 1.0), max(size[1], 1.0))
    planes: list[Plane] = []
    items = tuple(_items(chart, whole, planes))
    words = [at for at, each in enumerate(items) if isinstance(each, Words)]
    left_out = frozenset(words[_MOST_WORDS:])
    kept = items if not left_out else tuple(each for at, each in enumerate(items) if at not in left_out)
    listed = 0 if chart.legend is None else len(legends.entries(chart, chart.legend))
    unshown = sum(each.unshown for each in planes)
    return Drawing(whole.width, whole.height, kept, len(left_out), unshown, max(listed - legends.MOST_ENTRIES, 0))


def _items(chart: Chart, whole: Box, planes: list[Plane]) -> Iterator[Outline | Words]:
    if chart.ground or chart.edge:
        inset = chart.edge.width / 2 if chart.edge else 0.0
        frame = rectangle(inset, inset, whole.width - 2 * inset, whole.height - 2 * inset)
        yield Outline(frame, chart.ground, chart.edge)
    edge = min(_EDGE, whole.width / 10, whole.height / 10)
    room = Box(edge, edge, whole.width - 2 * edge, whole.height - 2 * edge)
    if chart.title is not None:
        words, room = _headed(chart.title, room, whole)
        yield from words
    legend = None if chart.legend is None else legends.place(chart, chart.legend, room, whole)
    if legend is not None:
        room = legend.rest
    labels: list[Words] = []
    yield from _plots(chart, room, whole, labels, planes)
    if legend is not None and chart.legend is not None:
        yield from legends.drawn(legend, chart.legend)
    yield from labels


def _headed(title: Title, room: Box, whole: Box) -> tuple[list[Words], Box]:
    """The title above a room, and what is left of it."""
    look = title.lettering
    lines = [part for each in title.lines for part in letters.wrapped(each, look, room.width * 0.9, 3)]
    high = letters.height(len(lines), look)
    x, y, anchor = room.middle[0], room.y, "middle"
    if title.place is not None:
        x, y, anchor = title.place.x * whole.width, title.place.y * whole.height, "start"
        if len(lines) > 1:
            anchor = "middle"
            x += max(letters.width(each, look) for each in lines) / 2
    words = [
        Words(each, (x, y + look.size * letters.ASCENT + at * look.size * letters.LEADING), look, anchor)
        for at, each in enumerate(lines)
    ]
    if title.overlaid:
        return words, room
    left = max(room.height - high - _EDGE, room.height * 0.3)
    return words, Box(room.x, room.bottom - left, room.width, left)


def _plots(chart: Chart, room: Box, whole: Box, labels: list[Words], planes: list[Plane]) -> Iterator[Outline | Words]:
    pies = [each for each in chart.plots if each.kind in ("pie", "doughnut")]
    radars = [each for each in chart.plots if each.kind == "radar"]
    others = sorted((each for each in chart.plots if each.kind in _ORDER), key=lambda each: _ORDER.index(each.kind))
    own = chart.place
    fixed = room
    if own is not None and own.width is not None and own.height is not None:
        fixed = Box(own.x * whole.width, own.y * whole.height, own.width * whole.width, own.height * whole.height)
    for each in pies:
        yield from rounds.pie(chart, each, fixed)
    if radars:
        yield from rounds.radar(chart, radars, fixed, whole)
    if others:
        laid = plane(chart, others, room, whole)
        planes.append(laid)
        yield from laid.ground(chart)
        for field in laid.fields:
            canvas = Canvas(chart.blanks)
            canvas.draw(field)
            yield from canvas.outlines
            labels += labelling.drawn(canvas.spots, chart, whole, field.plot.kind, field.plot.stacking)
        yield from laid.front()
