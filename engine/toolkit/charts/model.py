"""A chart as it is stored: its plots, series, axes and looks (ECMA-376, part 1, 21.2). Lengths are in points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["bar", "line", "area", "pie", "doughnut", "scatter", "bubble", "radar"]
Stacking = Literal["", "stacked", "percent"]


@dataclass(frozen=True)
class Paint:
    """A colour as `#rrggbb`, and how opaque it is, from 0 to 1."""

    colour: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Stroke:
    """A line: its colour, its width, and its dashes as lengths, none for a solid line."""

    paint: Paint
    width: float = 0.75
    dashes: tuple[float, ...] = ()


@dataclass(frozen=True)
class Lettering:
    """The looks of a text; `turn` is in degrees clockwise, None where the drawing chooses."""

    size: float = 10.0
    bold: bool = False
    italic: bool = False
    paint: Paint = Paint("#000000")
    turn: float | None = None


@dataclass(frozen=True)
class Place:
    """A place as shares of the chart; `inner` is whether a plot area is without its labels there."""

    x: float
    y: float
    width: float | None = None
    height: float | None = None
    inner: bool = False


@dataclass(frozen=True)
class Title:
    """A text beside the plots: `lines` of it, its place if it has one of its own, and whether plots go below it."""

    lines: tuple[str, ...]
    lettering: Lettering
    place: Place | None = None
    overlaid: bool = False


@dataclass(frozen=True)
class Labels:
    """What the labels of points say, and where: `parts` in the order value, category, series, percent, size."""

    parts: frozenset[str] = frozenset()
    position: str = ""
    code: str | None = None
    separator: str = ", "
    lettering: Lettering = Lettering()
    words: tuple[tuple[str, str], ...] | None = None
    """The text of a single point's label in pieces: the field that each is, such as `VALUE`, and what it says."""


@dataclass(frozen=True)
class Marker:
    """The symbol at the points of a line; `symbol` is empty for none."""

    symbol: str = ""
    size: float = 5.0
    fill: Paint | None = None
    edge: Stroke | None = None


@dataclass(frozen=True)
class Look:
    """How a series or a point of it is drawn: None of a fill or line for none. `pushed` is how far a slice is out."""

    fill: Paint | None = None
    edge: Stroke | None = None
    marker: Marker = Marker()
    pushed: float = 0.0


@dataclass(frozen=True)
class Series:
    """One series: a value for each point, None for an empty one."""

    name: str
    values: tuple[float | None, ...]
    xs: tuple[float | None, ...] = ()
    """Places across, for points that have their own."""
    sizes: tuple[float | None, ...] = ()
    texts: tuple[str, ...] = ()
    """The stored texts of the points' categories, or of their places across."""
    code: str = "General"
    codes: dict[int, str] = field(default_factory=dict)
    """The number formats of the values, and of single ones."""
    look: Look = Look()
    points: dict[int, Look] = field(default_factory=dict)
    labels: Labels = Labels()
    point_labels: dict[int, Labels] = field(default_factory=dict)
    smooth: bool = False
    inverted: bool = False
    """Whether bars below zero are white."""
    order: int = 0
    number: int = 0
    """Its place among the series of the chart, by which a legend names it."""


@dataclass(frozen=True)
class Plot:
    """Series drawn in one way on one pair of axes."""

    kind: Kind
    series: tuple[Series, ...]
    axes: tuple[str, ...] = ()
    stacking: Stacking = ""
    across: bool = False
    """Whether bars are horizontal."""
    gap: float = 1.5
    overlap: float = 0.0
    """Between the bars of two categories, and of one bar over the next, as shares of a bar."""
    start: float = 0.0
    """The angle of the first slice in degrees clockwise from the top."""
    hole: float = 0.0
    bubbles: float = 1.0
    by_width: bool = False
    """Whether the width of a bubble, not its area, is its size."""
    varied: bool = False
    """Whether every point of a single series has its own colour."""
    filled: bool = False
    """Whether the lines of a radar enclose colours."""
    drops: Stroke | None = None
    ranges: Stroke | None = None
    """Lines from points to the axis, and between the highest and the lowest series."""
    ups: tuple[Look, Look] | None = None
    """Bars between the first and the last series: where it rises, and where it falls."""


@dataclass(frozen=True)
class Axis:
    """One axis. `kind` is `category`, `date`, `value` or `series`; `side` is one of l, r, t, b."""

    id: str
    kind: Literal["category", "date", "value", "series"]
    side: str
    crossed: str = ""
    """The id of the axis that it crosses."""
    shown: bool = True
    reversed: bool = False
    low: float | None = None
    high: float | None = None
    step: float | None = None
    unit: str = ""
    base: str = ""
    """The unit of a step between dates, and of the dates: `days`, `months` or `years`."""
    log: float | None = None
    code: str | None = None
    """The number format; None for that of the values."""
    title: Title | None = None
    grid: Stroke | None = None
    fine_grid: Stroke | None = None
    line: Stroke | None = None
    ticks: str = "out"
    fine_ticks: str = "none"
    labels: str = "nextTo"
    crosses: str | float = "autoZero"
    """Where it crosses the other axis: `autoZero`, `min`, `max` or a value of that axis."""
    between: bool = True
    """Whether the other axis has its values between categories, not on them."""
    every: int | None = None
    ticked: int | None = None
    """The number of categories from one label, and from one tick, to the next."""
    lettering: Lettering = Lettering()
    scaled: float = 1.0
    """What the values are divided by before they are shown."""


@dataclass(frozen=True)
class Legend:
    """Which series or points have which look. `hidden` are the numbers of entries that are left out."""

    side: str = "r"
    lettering: Lettering = Lettering()
    place: Place | None = None
    overlaid: bool = False
    hidden: frozenset[int] = frozenset()
    fill: Paint | None = None
    edge: Stroke | None = None


@dataclass(frozen=True)
class Chart:
    """A whole chart."""

    plots: tuple[Plot, ...]
    axes: tuple[Axis, ...] = ()
    title: Title | None = None
    legend: Legend | None = None
    levels: tuple[tuple[str, ...], ...] = ()
    """The texts of the categories: the level nearest to the axis first, further ones with texts where groups begin."""
    numbers: tuple[float | None, ...] = ()
    """The categories as numbers, if they are some: dates are days since the end of 1899."""
    code: str = "General"
    """The number format of the categories."""
    ground: Paint | None = None
    edge: Stroke | None = None
    room: Paint | None = None
    """The colour behind the plots."""
    room_edge: Stroke | None = None
    place: Place | None = None
    blanks: str = "zero"
    """What a line makes of empty points: `zero`, a `gap`, or it runs through them (`span`)."""
    flat: bool = False
    """Whether it is stored as a chart in space, which is drawn flat."""
    undrawn: tuple[tuple[str, int], ...] = ()
    """What of it is not drawn, or in a simpler way, and how often."""
    font: str = ""

    @property
    def series(self) -> tuple[Series, ...]:
        """All series in the order of their numbers."""
        return tuple(sorted((each for plot in self.plots for each in plot.series), key=lambda each: each.order))
