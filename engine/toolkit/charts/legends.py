"""Draw the legend of a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.toolkit.charts import letters
from engine.toolkit.charts.figures import OPEN, Box, Outline, Words, line, rectangle, symbol
from engine.toolkit.charts.model import Chart, Legend, Lettering, Look, Plot, Stroke

_GAP = 6.0
_WIDEST = 0.4
MOST_ENTRIES = 200
_SMALLEST = 4.0


@dataclass(frozen=True)
class Entry:
    """A look and what it stands for."""

    text: str
    look: Look


@dataclass(frozen=True)
class Placed:
    """The legend in its box, with the room of the chart that is left."""

    rows: tuple[tuple[Entry, ...], ...]
    lettering: Lettering
    box: Box
    rest: Box


def entries(chart: Chart, legend: Legend) -> list[Entry]:
    """What a legend says."""
    found: list[tuple[int, Entry]] = []
    for plot in chart.plots:
        if plot.kind in ("pie", "doughnut") or (plot.varied and len(plot.series) == 1 and plot.kind != "radar"):
            found += _of_points(chart, plot)
        else:
            found += [(each.order, Entry(each.name, each.look)) for each in plot.series]
    vertical = legend.side in ("l", "r", "tr")
    first = chart.plots[0] if chart.plots else None
    if first is None or first.kind not in ("pie", "doughnut"):
        found.sort(key=lambda each: each[0])
    shown = [entry for at, (_, entry) in enumerate(found) if at not in legend.hidden]
    upward = first is not None and first.kind in ("bar", "area", "line") and bool(first.stacking) != first.across
    if vertical and len(chart.plots) == 1 and upward:
        shown.reverse()  # in the order in which they are on top of each other
    return shown


def _of_points(chart: Chart, plot: Plot) -> list[tuple[int, Entry]]:
    if not plot.series:
        return []
    series = plot.series[0]
    names = chart.levels[0] if chart.levels else series.texts
    return [
        (at, Entry(names[at] if at < len(names) and names[at] else str(at + 1), series.points.get(at, series.look)))
        for at in range(len(series.values))
    ]


def place(chart: Chart, legend: Legend, room: Box, whole: Box) -> Placed | None:
    """Put a legend at its side of a room; None if it has nothing to say."""
    found = entries(chart, legend)[:MOST_ENTRIES]
    if not found:
        return None
    look = legend.lettering
    own = legend.place
    vertical = legend.side in ("l", "r", "tr")
    if own is not None and own.width is not None and own.height is not None:
        box = Box(own.x * whole.width, own.y * whole.height, own.width * whole.width, own.height * whole.height)
        single = vertical and letters.height(len(found), look) * 0.9 <= box.height
        rows = [(each,) for each in found] if single else _rows(found, look, box.width)
        look = _fitting(look, len(rows), box.height)
    elif not vertical:
        rows = _rows(found, look, room.width)
        look = _fitting(look, len(rows), room.height * _WIDEST)
        high = letters.height(len(rows), look) + _GAP
        y = room.y if legend.side == "t" else room.bottom - high
        box = Box(room.x, y, room.width, high)
    else:
        look = _fitting(look, len(found), room.height - _GAP)
        high = min(letters.height(len(found), look) * 1.1 + _GAP, room.height)
        wide = min(max(_wide(each, look) for each in found), room.width * _WIDEST)
        x = room.x if legend.side == "l" else room.right - wide
        y = room.y if legend.side == "tr" else room.y + (room.height - high) / 2
        rows, box = [(each,) for each in found], Box(x, y, wide, high)
    return Placed(tuple(rows), look, box, room if legend.overlaid else _beside(legend, box, room))


def _rows(found: Sequence[Entry], look: Lettering, room: float) -> list[tuple[Entry, ...]]:
    """Entries side by side, as many in a row as fit; below each other if there are several rows."""
    wide = [_wide(each, look) for each in found]
    if sum(wide) <= room:
        return [tuple(found)]
    columns = max(1, int(room / max(wide)))
    return [tuple(found[at : at + columns]) for at in range(0, len(found), columns)]


def _fitting(look: Lettering, rows: int, room: float) -> Lettering:
    """Letters small enough for all rows."""
    size = room / max(rows, 1) / letters.LEADING
    return look if size >= look.size else replace(look, size=max(size, _SMALLEST))


def _wide(entry: Entry, look: Lettering) -> float:
    return letters.width(entry.text, look) + _key(look) + 2.5 * _GAP


def _key(look: Lettering) -> float:
    return look.size * 1.6


def _beside(legend: Legend, box: Box, room: Box) -> Box:
    if legend.side == "t":
        return Box(room.x, box.bottom, room.width, max(room.bottom - box.bottom, 1.0))
    if legend.side == "b":
        return Box(room.x, room.y, room.width, max(box.y - room.y, 1.0))
    if legend.side == "l":
        return Box(box.right, room.y, max(room.right - box.right, 1.0), room.height)
    return Box(room.x, room.y, max(box.x - room.x, 1.0), room.height)


def drawn(placed: Placed, legend: Legend) -> Iterator[Outline | Words]:
    """The keys and names of a legend."""
    box, look = placed.box, placed.lettering
    if legend.fill or legend.edge:
        yield Outline(rectangle(box.x, box.y, box.width, box.height), legend.fill, legend.edge)
    high = box.height / max(len(placed.rows), 1)
    columns = max(map(len, placed.rows))
    widest = min(max(_wide(each, look) for row in placed.rows for each in row), box.width / columns)
    for number, row in enumerate(placed.rows):
        single = len(placed.rows) == 1
        wide = [_wide(each, look) if single else widest for each in row]
        x = box.x + (max(box.width - (sum(wide) if single else widest * columns), 0.0) / 2 if columns > 1 else 0.0)
        if columns == 1 and legend.side in ("t", "b"):
            x = box.x + max(box.width - widest, 0.0) / 2
        y = box.y + number * high + high / 2
        for each, room in zip(row, wide, strict=True):
            yield from _drawn_key(each.look, x + _GAP / 2, y, look)
            text = letters.shortened(each.text, look, max(room - _key(look) - 1.2 * _GAP, look.size))
            place = x + _GAP / 2 + _key(look) + _GAP * 0.6, y + look.size * 0.35
            yield Words(text, place, replace(look, turn=None), "start")
            x += room


def _drawn_key(look: Look, x: float, y: float, text: Lettering) -> Iterator[Outline]:
    wide = _key(text)
    marker = look.marker
    if look.fill is not None or not (marker.symbol or look.edge):
        side = min(text.size * 0.7, 10.0)
        yield Outline(rectangle(x + (wide - side) / 2, y - side / 2, side, side), look.fill, look.edge)
        return
    if look.edge is not None:
        yield Outline(line(((x, y), (x + wide, y))), None, look.edge)
    if marker.symbol:
        edge = marker.edge or (Stroke(marker.fill) if marker.fill and marker.symbol in OPEN else None)
        fill = None if marker.symbol in OPEN else marker.fill
        yield Outline(symbol(marker.symbol, (x + wide / 2, y), min(marker.size, text.size)), fill, edge)
