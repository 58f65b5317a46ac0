"""Where values, categories and dates are along an axis, and the steps between its labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from engine.toolkit.charts.model import Axis

_FIRST_DAY = date(1899, 12, 30)
_LAST_DAY = 2_958_465
_MOST_TICKS = 500
_LOWEST_SHARE = 5 / 6
"""An axis of values that are all higher than this share of the highest does not begin at zero."""


@dataclass(frozen=True)
class Scale:
    """Values between two ends."""

    low: float
    high: float
    step: float
    log: float | None = None
    reversed: bool = False

    def share(self, value: float) -> float:
        """How far along the axis a value is, from 0 to 1; beyond them it is outside."""
        if self.log:
            value, low, high = (math.log10(max(each, 1e-300)) for each in (value, self.low, self.high))
        else:
            low, high = self.low, self.high
        found = (value - low) / (high - low)
        return 1 - found if self.reversed else found

    def inside(self, value: float) -> float:
        """The same, within the axis."""
        return min(max(self.share(value), 0.0), 1.0)

    @property
    def ticks(self) -> list[float]:
        if self.log:
            first, last = (round(math.log(each, self.log)) for each in (self.low, self.high))
            return [self.log**at for at in range(first, min(last, first + _MOST_TICKS) + 1)]
        count = min(int((self.high - self.low) / self.step + 1e-6), _MOST_TICKS)
        return [_clean(self.low + at * self.step, self.step) for at in range(count + 1)]

    @property
    def origin(self) -> float:
        """The value where bars begin."""
        return self.low if self.log else min(max(0.0, self.low), self.high)


@dataclass(frozen=True)
class Steps:
    """Categories: `places` are their numbers from 0, in `count` equal steps of the axis."""

    count: int
    places: tuple[float, ...]
    between: bool = True
    reversed: bool = False
    first: int = 0
    base: str = ""
    """The first of the dates in units, and the unit, if they are dates."""

    def middle(self, at: int) -> float:
        """Where the category with a number is along the axis, from 0 to 1."""
        return self.share(self.places[at] if at < len(self.places) else float(at))

    def share(self, place: float) -> float:
        found = (place + 0.5) / self.count if self.between else place / (self.count - 1) if self.count > 1 else 0.5
        return 1 - found if self.reversed else found

    @property
    def width(self) -> float:
        """The share of the axis that one category takes."""
        return 1 / (self.count if self.between else max(self.count - 1, 1))


def scale(axis: Axis, values: Sequence[float], room: float, *, percent: bool = False) -> Scale:
    """The scale of a value axis: what it says, else chosen from its values, for labels that `room` has place for."""
    if axis.log:
        return _logarithmic(axis, values)
    low, high = min(values, default=0.0), max(values, default=1.0)
    if percent:
        low, high = (-1.0 if low < 0 else 0.0), (1.0 if high > 0 else 0.0)
    most = max(2.0, min(room, 10.0))
    start, end = axis.low, axis.high
    if start is not None and end is not None and start >= end:
        start = end = None
    if percent:
        bottom, top = low, high
    elif low == high == 0:
        bottom, top = 0.0, 1.0
    else:
        bottom, top = _ends(low, high)
    bottom, top = start if start is not None else bottom, end if end is not None else top
    if bottom >= top:
        bottom, top = (top - abs(top) - 1, top) if start is None else (bottom, bottom + abs(bottom) + 1)
    step = axis.step or _step((top - bottom) / most)
    if (top - bottom) / step > _MOST_TICKS:
        step = _step((top - bottom) / most)
    if start is None:
        bottom = math.floor(bottom / step + 1e-9) * step
    if end is None:
        top = (bottom if start is not None else 0.0) + math.ceil(
            (top - (bottom if start is not None else 0.0)) / step - 1e-9
        ) * step
    if not (math.isfinite(bottom) and math.isfinite(top) and top > bottom):
        bottom, top, step = 0.0, 1.0, 0.5
    return Scale(bottom, top, step, reversed=axis.reversed)


def _ends(low: float, high: float) -> tuple[float, float]:
    """The ends of an automatic axis before they are rounded to steps, as spreadsheets choose them."""
    if low >= 0:
        near = high > low > high * _LOWEST_SHARE
        bottom = low - (high - low) / 2 if near else 0.0
        return bottom, high + 0.05 * (high - bottom)
    if high <= 0:
        near = low < high < low * _LOWEST_SHARE
        top = high + (high - low) / 2 if near else 0.0
        return low - 0.05 * (top - low), top
    return low - 0.05 * (high - low), high + 0.05 * (high - low)


def _step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, ... that is no smaller."""
    if not (least > 1e-300 and math.isfinite(least)):
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next((each * power for each in (1.0, 2.0, 5.0) if each * power >= least * 0.999), 10 * power)


def _logarithmic(axis: Axis, values: Sequence[float]) -> Scale:
    base = axis.log or 10.0
    positive = [each for each in values if each > 0]
    first = math.floor(math.log(min(positive, default=1.0), base) + 1e-9)
    last = math.ceil(math.log(max(positive, default=base), base) - 1e-9)
    low = axis.low if axis.low and axis.low > 0 else base ** min(first, 0) if first < 0 else 1.0
    high = axis.high if axis.high and axis.high > low else base ** max(last, first + 1)
    return Scale(low, max(high, low * base), base, base, axis.reversed)


def _clean(value: float, step: float) -> float:
    digits = max(0, 2 - math.floor(math.log10(step))) if step > 0 else 0
    return round(value, min(digits, 300)) + 0.0


def categories(count: int, axis: Axis, *, between: bool) -> Steps:
    """The steps of an axis of categories."""
    return Steps(max(count, 1), tuple(float(at) for at in range(count)), between, axis.reversed)


def dates(numbers: Sequence[float | None], axis: Axis, *, between: bool) -> Steps | None:
    """The steps of an axis of dates, each at its own place; None if there are no dates or they are too far apart."""
    days = [int(each) if each is not None and 0 <= each <= _LAST_DAY else None for each in numbers]
    known = [each for each in days if each is not None]
    if not known:
        return None
    base = axis.base or _base(known)
    units = [None if each is None else _unit(each, base) for each in days]
    first, last = (edge(each for each in units if each is not None) for edge in (min, max))
    places = tuple(float(each - first) if each is not None else 0.0 for each in units)
    return Steps(last - first + 1, places, between, axis.reversed, first, base)


def _base(days: Sequence[int]) -> str:
    ordered = sorted(set(days))
    least = min((b - a for a, b in pairwise(ordered)), default=1)
    return "days" if least < 28 else "months" if least < 360 else "years"


def _unit(day: int, base: str) -> int:
    if base == "days":
        return day
    found = _FIRST_DAY + timedelta(day)
    return found.year * 12 + found.month - 1 if base == "months" else found.year


def day_of(unit: int, base: str) -> int:
    """The day that a unit of a date axis begins with, as days since the end of 1899."""
    if base == "days":
        return unit
    year, month = (unit // 12, unit % 12 + 1) if base == "months" else (unit, 1)
    return (date(min(max(year, 1), 9999), month, 1) - _FIRST_DAY).days


def per_label(axis: Axis, steps: Steps, most: int) -> int:
    """The units of a date axis from one label to the next, for at most that many labels."""
    factor = {("months", "days"): 30, ("years", "days"): 365, ("years", "months"): 12}.get((axis.unit, steps.base), 1)
    if axis.step and axis.step >= 1:
        return max(1, int(axis.step) * factor, -(-steps.count // _MOST_TICKS))
    least = max(1, -(-steps.count // max(most, 1)))
    nice = {"days": (1, 2, 7, 14, 30, 61, 91, 182, 365), "months": (1, 2, 3, 4, 6, 12, 24, 60, 120)}
    return next((each for each in nice.get(steps.base, ()) if each >= least), least)
