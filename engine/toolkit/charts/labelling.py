"""Draw the labels of points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.toolkit import number_formats
from engine.toolkit.charts import letters
from engine.toolkit.charts.figures import Box, Words
from engine.toolkit.charts.marks import Spot
from engine.toolkit.charts.model import Chart, Kind, Labels, Stacking

_WIDEST = 0.25
"""The share of the chart above which a label has several lines."""
_FIELDS = {
    "VALUE": "value", "YVALUE": "value", "XVALUE": "category", "CATEGORYNAME": "category", "SERIESNAME": "series",
    "PERCENTAGE": "percent", "BUBBLESIZE": "size",
}  # fmt: skip
_ORDER = ("series", "category", "value", "size", "percent")


def labels_of(spot: Spot) -> Labels:
    """What the label of a point says."""
    return spot.series.point_labels.get(spot.at, spot.series.labels)


def text_of(spot: Spot, chart: Chart, *, free: bool) -> str:
    """The text of the label of a point; empty for none."""
    said = labels_of(spot)
    if said.words is not None:
        return "".join(_part(_FIELDS[name], spot, chart, free=free) if name in _FIELDS else text
                       for name, text in said.words)  # fmt: skip
    parts = (_part(each, spot, chart, free=free) for each in _ORDER if each in said.parts)
    return said.separator.join(each for each in parts if each)


def _part(name: str, spot: Spot, chart: Chart, *, free: bool) -> str:
    said, series = labels_of(spot), spot.series
    if name == "series":
        return series.name
    if name == "category":
        names = series.texts if free or not chart.levels else chart.levels[0]
        return names[spot.at] if spot.at < len(names) else str(spot.at + 1)
    if name == "value":
        return number_formats.shown(spot.value, said.code or series.codes.get(spot.at, series.code))
    if name == "size":
        size = series.sizes[spot.at] if spot.at < len(series.sizes) else None
        return "" if size is None else number_formats.shown(size, "General")
    if spot.share is None:
        return ""
    return number_formats.shown(spot.share, said.code if said.code and "%" in said.code else "0%")


def drawn(spots: Sequence[Spot], chart: Chart, whole: Box, kind: Kind, stacking: Stacking) -> Iterator[Words]:
    """The labels of the points of a plot with axes, within the whole chart."""
    for spot in spots:
        text = text_of(spot, chart, free=kind in ("scatter", "bubble"))
        if text:
            yield from _placed(spot, text, whole, kind, stacking)


def _placed(spot: Spot, text: str, whole: Box, kind: Kind, stacking: Stacking) -> Iterator[Words]:
    said = labels_of(spot)
    usual = ("ctr" if stacking else "outEnd") if kind == "bar" else "ctr" if kind == "area" else "r"
    position = said.position or usual
    look = said.lettering
    room = max(whole.width * _WIDEST, look.size * 4)
    lines = [each for part in text.split("\n") for each in letters.wrapped(part, look, room)]
    if not lines:
        return
    high, wide = letters.height(len(lines), look), max(letters.width(each, look) for each in lines)
    if look.turn in (-90.0, 90.0):
        high, wide = wide, high
    (x, y), (over, down), (right, up) = spot.middle, spot.reach, spot.ahead
    gap = 2.0
    if kind == "bar":
        along = {"outEnd": 1.0, "inEnd": 1.0, "inBase": -1.0}.get(position, 0.0)
        beside = {"outEnd": 1.0, "inEnd": -1.0, "inBase": 1.0}.get(position, 0.0)
        x += right * (along * over + beside * (wide / 2 + gap))
        y += up * (along * down + beside * (high / 2 + gap))
    else:
        x += {"r": over + gap + wide / 2, "l": -over - gap - wide / 2}.get(position, 0.0)
        y += {"t": -down - gap - high / 2, "b": down + gap + high / 2}.get(position, 0.0)
    x = min(max(x, wide / 2), max(whole.width - wide / 2, wide / 2))
    y = min(max(y, high / 2), max(whole.height - high / 2, high / 2))
    yield from centred(lines, (x, y), said)


def centred(lines: Sequence[str], middle: tuple[float, float], said: Labels) -> Iterator[Words]:
    """Lines of text about a point."""
    look = said.lettering
    x, y = middle
    if look.turn:
        yield Words(" ".join(lines), (x, y + look.size * 0.35), replace(look, turn=None), "middle", look.turn)
        return
    top = y - letters.height(len(lines), look) / 2 + look.size * letters.ASCENT
    for at, each in enumerate(lines):
        yield Words(each, (x, top + at * look.size * letters.LEADING), look)
