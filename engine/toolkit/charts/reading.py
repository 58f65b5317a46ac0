"""Read the part of a chart, `c:chartSpace` (ECMA-376, part 1, 21.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.toolkit import number_formats
from engine.toolkit.charts.axes_reading import axis, title
from engine.toolkit.charts.model import Chart, Kind, Legend, Lettering, Look, Paint, Plot, Stacking, Stroke
from engine.toolkit.charts.painting import Painter, Surroundings, place
from engine.toolkit.charts.series_reading import SeriesReader
from engine.toolkit.charts.stored import Allowance, Reader, Stored, setting, value
from engine.toolkit.xml_elements import child, children, is_on, local

_KINDS: dict[str, Kind] = {
    "barChart": "bar", "bar3DChart": "bar", "lineChart": "line", "line3DChart": "line", "stockChart": "line",
    "areaChart": "area", "area3DChart": "area", "pieChart": "pie", "pie3DChart": "pie", "ofPieChart": "pie",
    "doughnutChart": "doughnut", "scatterChart": "scatter", "bubbleChart": "bubble", "radarChart": "radar",
}  # fmt: skip
_UNDRAWN = ("surfaceChart", "surface3DChart")
_AXES = ("catAx", "valAx", "dateAx", "serAx")
_WHITE = Paint("#ffffff")
_BLACK = Paint("#404040")


def read(root: Any, around: Surroundings, allowance: Allowance, *, undrawn: bool = False) -> Chart | None:
    """A chart with what it stores; None if it has no values, or is of no kind that is drawn.

    With `undrawn`, plots of other kinds are read as well, as lines.

    Raises TooManyPoints if it has more points than the allowance.
    """
    inside = child(root, "chart")
    area = child(inside, "plotArea")
    stored = [each for each in children(area) if local(each) in _KINDS or (undrawn and local(each) in _UNDRAWN)]
    reader = Reader(allowance, around.values_of, from_1904=is_on(setting(root, "date1904"), False))
    style = _number(root, "style", _number(child(root, "AlternateContent", "Fallback"), "style", 2))
    painter = Painter(around, style=int(style), count=sum(1 for each in stored for _ in children(each, "ser")))
    texts = painter.lettering(root, Lettering(around.size, paint=Paint(around.text)))
    dated = any(True for _ in children(area, "dateAx"))
    made = SeriesReader(reader, painter, texts)
    plots = [_plot(each, made, painter) for each in stored]
    series = [each for plot in plots for each in plot.series]
    if not any(value is not None for each in series for value in each.values):
        return None
    axes = tuple(axis(each, painter, texts) for each in children(area, *_AXES))
    _note(inside, area, root, painter)
    flat = child(inside, "view3D") is not None and any("3D" in local(each) for each in stored)
    framed = around.framed
    return Chart(
        tuple(plots),
        axes,
        _heading(inside, painter, texts, made.names, around),
        _legend(inside, painter, texts),
        *_categories(made.categories, reader.offset, dated=dated),
        painter.fill(root, _WHITE if framed else None),
        painter.stroke(root, Stroke(Paint("#d9d9d9")) if framed else None),
        painter.fill(area, None),
        painter.stroke(area, None),
        place(area),
        setting(inside, "dispBlanksAs") or "zero",
        flat,
        tuple(sorted(painter.undrawn.items())),
        _font(root) or around.font,
    )


def _font(root: Any) -> str:
    """The font that a chart names for all its text; empty if it names none, or one of the theme."""
    face = next((each for each in children(child(root, "txPr"), "p")), None)
    named = child(face, "pPr", "defRPr", "latin")
    found = "" if named is None else named.get("typeface") or ""
    return "" if found.startswith("+") else found


def kinds(root: Any) -> tuple[str, ...]:
    """The names of the kinds of plots that a part has, such as `surface`, whether or not they are drawn."""
    area = child(root, "chart", "plotArea")
    return tuple(local(each).removesuffix("Chart") for each in children(area) if local(each).endswith("Chart"))


def _number(parent: Any, name: str, otherwise: float) -> float:
    found = value((setting(parent, name) or "").rstrip("%"))
    return otherwise if found is None else found


def _flag(parent: Any, name: str, otherwise: bool = False) -> bool:
    """A truth value, which is true if it is there without a value (21.2.2: CT_Boolean)."""
    found = child(parent, name)
    return otherwise if found is None else is_on(found.get("val"), True)


def _plot(element: Any, made: SeriesReader, painter: Painter) -> Plot:
    name = local(element)
    kind = _KINDS.get(name, "line")
    style = setting(element, "scatterStyle") or ""
    radar = setting(element, "radarStyle") or ""
    series = tuple(children(element, "ser"))
    rounds = kind in ("pie", "doughnut")
    varied = _flag(element, "varyColors", rounds) and (rounds or len(series) == 1)
    marked = _flag(element, "marker") or kind == "scatter" or radar == "marker"
    lined = style != "marker"
    shared = child(element, "dLbls")
    found = tuple(
        made.read(each, kind, shared=shared, marked=marked, lined=lined, varied=varied, filled=radar == "filled")
        for each in series
    )
    grouping = setting(element, "grouping") or ""
    stacking: Stacking = {"stacked": "stacked", "percentStacked": "percent"}.get(grouping, "")  # type: ignore[assignment]
    if kind == "pie" and len(series) > 1:
        painter.undrawn["series of a pie after its first"] += len(series) - 1
    if name == "ofPieChart":
        painter.undrawn["second plot of a pie"] += 1
    rising = child(element, "upDownBars")
    return Plot(
        kind,
        tuple(sorted(found, key=lambda each: each.order)),
        tuple(each.get("val") or "" for each in children(element, "axId")),
        stacking,
        across=setting(element, "barDir") == "bar",
        gap=min(max(_number(element, "gapWidth", 150) / 100, 0.0), 5.0),
        overlap=min(max(_number(element, "overlap", 100 if stacking else 0) / 100, -1.0), 1.0),
        start=_number(element, "firstSliceAng", 0) % 360,
        hole=min(max(_number(element, "holeSize", 50) / 100, 0.1), 0.9) if kind == "doughnut" else 0.0,
        bubbles=min(max(_number(element, "bubbleScale", 100) / 100, 0.01), 3.0),
        by_width=setting(element, "sizeRepresents") == "w",
        varied=varied,
        filled=radar == "filled",
        drops=_helping(element, "dropLines", painter),
        ranges=_helping(element, "hiLowLines", painter),
        ups=None if rising is None else _ups(rising, painter),
    )


def _helping(element: Any, name: str, painter: Painter) -> Stroke | None:
    found = child(element, name)
    return None if found is None else painter.stroke(found, Stroke(_BLACK))


def _ups(rising: Any, painter: Painter) -> tuple[Look, Look]:
    looks = []
    for name, colour in (("upBars", _WHITE), ("downBars", _BLACK)):
        bars = child(rising, name)
        looks.append(Look(painter.fill(bars, colour), painter.stroke(bars, Stroke(_BLACK))))
    return looks[0], looks[1]


def _heading(inside: Any, painter: Painter, texts: Lettering, named: list[str], around: Surroundings) -> Any:
    element = child(inside, "title")
    own = named[0] if len(named) == 1 else ""
    large = replace(texts, size=texts.size * (1.2 if texts.size != around.size or around.size > 12 else 1.8), bold=True)
    if element is None:
        asked = child(inside, "autoTitleDeleted")
        if asked is None or is_on(asked.get("val"), True) or not own:
            return None
    return title(element, painter, large, own or "Chart Title")


def _legend(inside: Any, painter: Painter, texts: Lettering) -> Legend | None:
    element = child(inside, "legend")
    if element is None:
        return None
    hidden = frozenset(
        int(_number(each, "idx", -1)) for each in children(element, "legendEntry") if _flag(each, "delete")
    )
    return Legend(
        setting(element, "legendPos") or "r",
        painter.lettering(element, texts),
        place(element),
        _flag(element, "overlay"),
        hidden,
        painter.fill(element, None),
        painter.stroke(element, None),
    )


def _categories(
    found: Iterable[Stored], offset: float, *, dated: bool
) -> tuple[tuple[tuple[str, ...], ...], tuple[float | None, ...], str]:
    """The texts of the categories, level by level, and the numbers that they are; those of the first series."""
    first = next((each for each in found if each.texts), Stored())
    if not first.numeric and not dated:
        levels = [first.texts, *first.levels]
        return tuple(tuple(each.get(at, "") for at in range(first.length)) for each in levels), (), "General"
    numbers = first.numbers(first.length, offset if "date" in number_formats.shows(first.code) else 0.0)
    texts = (
        first.texts.get(at, "") if each is None else number_formats.shown(each, first.codes.get(at, first.code))
        for at, each in enumerate(numbers)
    )
    return (tuple(texts),), numbers if any(each is not None for each in numbers) else (), first.code


def _note(inside: Any, area: Any, root: Any, painter: Painter) -> None:
    """Count what is not drawn."""
    for element, name in ((child(area, "dTable"), "data table"), (child(root, "userShapes"), "shapes on a chart")):
        painter.undrawn[name] += element is not None
    for each in children(area, *_AXES):
        painter.undrawn["unit of an axis"] += child(each, "dispUnits", "dispUnitsLbl") is not None
    painter.undrawn += type(painter.undrawn)()  # without those that are zero
