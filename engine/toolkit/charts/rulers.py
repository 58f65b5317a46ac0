"""The axes of a chart with their scales and labels: how much room they take, and how they are drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from engine.toolkit import number_formats
from engine.toolkit.charts import letters
from engine.toolkit.charts.figures import Box, Outline, Point, Words, line
from engine.toolkit.charts.model import Axis, Stroke
from engine.toolkit.charts.scales import Scale, Steps

_TICK = 4.0
_GAP = 4.0
_MOST_LABELS = 400
_LARGEST_SHARE = 0.35
"""The share of the chart that the labels of one axis may take."""


@dataclass(frozen=True)
class Ruler:
    """One axis. `at` is how far along the other one it stands; `texts` are its labels by their share of its length."""

    axis: Axis
    level: bool
    """Whether it runs from left to right."""
    scale: Scale | Steps
    texts: tuple[tuple[float, str], ...] = ()
    upper: tuple[tuple[tuple[float, float, str], ...], ...] = ()
    """Further levels of categories: where each group begins and ends, and its text."""
    at: float = 0.0

    @property
    def beyond(self) -> bool:
        """Whether its labels are above or on the right."""
        if self.axis.labels in ("low", "high"):
            return self.axis.labels == "high"
        return self.at > 0.5

    @property
    def labelled(self) -> bool:
        return self.axis.shown and self.axis.labels != "none" and bool(self.texts)

    @property
    def stands(self) -> float:
        """How far along the other axis its labels are."""
        return {"low": 0.0, "high": 1.0}.get(self.axis.labels, self.at)

    @property
    def outside(self) -> bool:
        """Whether its labels are beside the plots, not within them."""
        return self.stands < 0.02 or self.stands > 0.98

    def lines(self, inner: Box, whole: Box) -> tuple[list[tuple[float, list[str]]], float]:
        """The labels in lines, and the turn of them in degrees, in a plot area of this size."""
        size = self.axis.lettering.size
        if not self.level:
            room = whole.width * _LARGEST_SHARE
            step = max(1, math.ceil(len(self.texts) * size / max(inner.height, 1.0)))
            shown = self.texts[::step]
            return [(share, letters.wrapped(text, self.axis.lettering, room, 2)) for share, text in shown], 0.0
        room = inner.width / max(len(self.texts), 1) - 3
        turn = self.axis.lettering.turn
        texts = self.texts
        if not turn and (turn is not None or all(letters.fits(text, self.axis.lettering, room) for _, text in texts)):
            words = (letters.width(word, self.axis.lettering) for _, text in texts for word in text.split())
            step = max(1, math.ceil((min(max(words, default=0.0), inner.width / 3) + 3) / max(room + 3, 0.1)))
            most = (room + 3) * step - 3
            return [(share, letters.wrapped(text, self.axis.lettering, most, 3)) for share, text in texts[::step]], 0.0
        if not turn and isinstance(self.scale, Scale):  # numbers stay upright, fewer of them
            widest = max(letters.width(text, self.axis.lettering) for _, text in texts) + 4
            step = max(1, math.ceil(widest / (room + 3)))
            return [(share, [text]) for share, text in texts[::step]], 0.0
        steep = turn or (-45.0 if room > size * 1.1 else -90.0)
        along = max(abs(math.sin(math.radians(steep))), 0.2)
        step = max(1, math.ceil(size * 1.15 / along / max(room + 3, 0.1)))
        most = whole.height * _LARGEST_SHARE / along
        return [(share, [letters.shortened(text, self.axis.lettering, most)]) for share, text in texts[::step]], steep

    def unshown(self, inner: Box, whole: Box) -> int:
        """How many labels of categories are left out, because they do not fit beside one another."""
        if not self.labelled or not isinstance(self.scale, Steps):
            return 0
        shown = self.lines(inner, whole)[0][:_MOST_LABELS]
        return sum(bool(text) for _, text in self.texts) - sum(bool("".join(lines)) for _, lines in shown)

    def extent(self, inner: Box, whole: Box) -> float:
        """The room that labels take beside the plots."""
        if not self.labelled:
            return 0.0
        found, turn = self.lines(inner, whole)
        text = self.axis.lettering
        wide = max((letters.width(each, text) for _, lines in found for each in lines), default=0.0)
        high = letters.height(max((len(lines) for _, lines in found), default=1), text)
        angle = math.radians(turn)
        if self.level:
            taken = abs(wide * math.sin(angle)) + abs(high * math.cos(angle))
            taken += len(self.upper) * text.size * letters.LEADING
        else:
            taken = wide + len(self.upper) * text.size * letters.LEADING
        return taken + _GAP + (_TICK if self.axis.ticks in ("out", "cross") else 0.0)

    def overhang(self, inner: Box, whole: Box) -> tuple[float, float]:
        """How far its labels reach beyond the plots on the left and on the right."""
        if not (self.level and self.labelled):
            return 0.0, 0.0
        found, turn = self.lines(inner, whole)
        left = right = 0.0
        for share, lines in found:
            wide = max((letters.width(each, self.axis.lettering) for each in lines), default=0.0)
            along = wide * math.cos(math.radians(turn)) if turn else wide / 2
            before, after = (along, 0.0) if turn < 0 else (0.0, along) if turn else (along, along)
            left = max(left, before - share * inner.width)
            right = max(right, after - (1 - share) * inner.width)
        return left, right

    @property
    def headed(self) -> float:
        """The room that its title takes."""
        title = self.axis.title
        if title is None or not self.axis.shown or title.place is not None:
            return 0.0
        return letters.height(len(title.lines), title.lettering) + _GAP

    def grid(self, inner: Box) -> Iterator[Outline]:
        """The lines at its steps across the plots."""
        if self.axis.fine_grid is not None and isinstance(self.scale, Scale) and not self.scale.log:
            fine = replace(self.scale, step=self.scale.step / 5)
            yield self._across([self.scale.share(each) for each in fine.ticks], inner, self.axis.fine_grid)
        if self.axis.grid is not None:
            yield self._across(self.shares, inner, self.axis.grid)

    @property
    def shares(self) -> list[float]:
        """How far along it the ticks are."""
        if isinstance(self.scale, Scale):
            return [each for each in map(self.scale.share, self.scale.ticks) if -1e-6 <= each <= 1 + 1e-6]
        step = max(self.axis.ticked or 1, -(-self.scale.count // _MOST_LABELS))
        half = 0.5 if self.scale.between else 0.0
        last = self.scale.count + (1 if self.scale.between else 0)
        return [self.scale.share(at - half) for at in range(0, last, step)]

    def _across(self, shares: list[float], inner: Box, stroke: Stroke) -> Outline:
        steps = (line((self.point(inner, share, 0.0), self.point(inner, share, 1.0))) for share in shares)
        return Outline(tuple(step for each in steps for step in each), None, stroke)

    def point(self, inner: Box, share: float, other: float) -> Point:
        """The point at a share of this axis, and one of the other."""
        if self.level:
            return inner.x + share * inner.width, inner.bottom - other * inner.height
        return inner.x + other * inner.width, inner.bottom - share * inner.height

    def drawn(self, inner: Box, whole: Box) -> Iterator[Outline | Words]:
        """The line, ticks and labels, but for the title."""
        if not self.axis.shown:
            return
        edge = self.axis.line
        if edge is not None:
            yield Outline(line((self.point(inner, 0.0, self.at), self.point(inner, 1.0, self.at))), None, edge)
            ticks = tuple(step for share in self.shares for step in self._tick(inner, share))
            if ticks:
                yield Outline(ticks, None, edge)
        if self.labelled:
            yield from self._labels(inner, whole)

    def _tick(self, inner: Box, share: float) -> tuple[tuple[str, tuple[float, ...]], ...]:
        kind = self.axis.ticks
        if kind not in ("out", "in", "cross"):
            return ()
        x, y = self.point(inner, share, self.at)
        out, into = (_TICK if kind in (each, "cross") else 0.0 for each in ("out", "in"))
        sign = -1 if self.at > 0.5 else 1
        if self.level:
            return line(((x, y + out * sign), (x, y - into * sign)))
        return line(((x - out * sign, y), (x + into * sign, y)))

    def _labels(self, inner: Box, whole: Box) -> Iterator[Words]:
        found, turn = self.lines(inner, whole)
        text = self.axis.lettering
        gap = _GAP + (_TICK if self.axis.ticks in ("out", "cross") else 0.0)
        for share, lines in found[:_MOST_LABELS]:
            x, y = self.point(inner, share, self.stands)
            if not self.level:
                top = y - letters.height(len(lines), text) / 2 + text.size * letters.ASCENT
                for at, each in enumerate(lines):
                    place = (x + gap if self.beyond else x - gap), top + at * text.size * letters.LEADING
                    yield Words(each, place, text, "start" if self.beyond else "end")
            elif turn:
                under = y - gap if self.beyond else y + gap
                before = (turn < 0) != self.beyond
                shift = text.size * 0.35
                angle = math.radians(turn)
                place = x - shift * math.sin(angle), under + shift * abs(math.cos(angle)) * 2
                yield Words(lines[0] if lines else "", place, text, "end" if before else "start", turn)
            else:
                high = letters.height(len(lines), text)
                top = (y - gap - high if self.beyond else y + gap) + text.size * letters.ASCENT
                for at, each in enumerate(lines):
                    yield Words(each, (x, top + at * text.size * letters.LEADING), text)
        yield from self._upper(inner, whole, gap)

    def _upper(self, inner: Box, whole: Box, gap: float) -> Iterator[Words]:
        text = self.axis.lettering
        taken = self.extent(inner, whole)
        for at, groups in enumerate(self.upper):
            depth = taken - (len(self.upper) - at) * text.size * letters.LEADING + text.size * letters.ASCENT
            for start, end, each in groups:
                x, y = self.point(inner, (start + end) / 2, self.stands)
                room = abs(end - start) * (inner.width if self.level else inner.height)
                short = letters.shortened(each, text, max(room, text.size * 2))
                if self.level:
                    yield Words(short, (x, y + depth), text)
                else:
                    yield Words(short, (x - depth, y), text, "middle", -90.0)


def value_texts(scale: Scale, axis: Axis, code: str) -> tuple[tuple[float, str], ...]:
    """The labels of a value axis."""
    shares = ((scale.share(each), each) for each in scale.ticks)
    return tuple(
        (share, number_formats.shown(each / axis.scaled, code)) for share, each in shares if -1e-6 <= share <= 1 + 1e-6
    )


def category_texts(steps: Steps, axis: Axis, text: Callable[[int], str]) -> tuple[tuple[float, str], ...]:
    """The labels of an axis of categories."""
    step = max(axis.every or 1, -(-steps.count // (_MOST_LABELS * 4)))
    return tuple((steps.middle(at), text(at)) for at in range(0, steps.count, step))
