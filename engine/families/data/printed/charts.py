"""Draw charts of a workbook from the values that are stored in them (ECMA-376, part 1, 21.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from reportlab.graphics.charts.barcharts import HorizontalBarChart, VerticalBarChart
from reportlab.graphics.charts.legends import Legend
from reportlab.graphics.charts.linecharts import HorizontalLineChart
from reportlab.graphics.charts.lineplots import LinePlot, ScatterPlot
from reportlab.graphics.charts.piecharts import Pie
from reportlab.graphics.shapes import Drawing, Rect, String
from reportlab.lib.colors import Color, HexColor

from engine.families.data.printed.chart_values import every, points
from engine.families.data.printed.chart_values import value as value_of
from engine.families.data.printed.lettering import width
from engine.families.data.printed.looks import Font
from engine.families.data.printed.xlsx_colours import Colours
from engine.toolkit.xml_elements import child, children, local

_BARS, _LINES = ("barChart", "bar3DChart"), ("lineChart", "line3DChart", "areaChart", "area3DChart", "stockChart")
_PIES, _PLOTS = ("pieChart", "pie3DChart", "doughnutChart", "ofPieChart"), ("scatterChart", "bubbleChart")
KINDS = (*_BARS, *_LINES, *_PIES, *_PLOTS, "radarChart")
_MOST_SERIES = 40
_TEXT, _TITLE = Font("Arial", 8.0), Font("Arial", 12.0)
_GREY = HexColor("#BFBFBF")
_SYMBOLS = 12


@dataclass
class Series:
    """The values of one series with its name and colour."""

    name: str
    values: list[float | None]
    labels: list[str]
    xs: list[float | None] = field(default_factory=list)
    colour: Color = _GREY

    @property
    def is_empty(self) -> bool:
        return all(each is None for each in self.values)


def drawing(
    root: Any, size: tuple[float, float], colours: Colours, values_of: Callable[[str], list[str]]
) -> Drawing | None:
    """A chart as a drawing of a size in points; None if it has no values or is of a kind that is not drawn.

    `values_of` gives the values of cells by reference, for charts that store none.
    """
    area = child(root, "chart", "plotArea")
    plot = next((each for each in children(area) if local(each) in KINDS), None)
    if plot is None or local(plot) == "radarChart" or size[0] < 40 or size[1] < 40:
        return None
    series = _series(area, colours, values_of)
    if all(each.is_empty for each in series):
        return None
    wide, high = size
    made = Drawing(wide, high)
    made.add(Rect(0, 0, wide, high, fillColor=HexColor("#FFFFFF"), strokeColor=_GREY, strokeWidth=0.5))
    title = _title(child(root, "chart", "title")) or (
        series[0].name if child(root, "chart", "title") is not None and len(series) == 1 else ""
    )
    top = high - 8
    if title:
        made.add(
            String(wide / 2, high - 18, _short(title, _TITLE, wide - 12), textAnchor="middle", fontSize=12,
                   fontName="LiberationSans-Regular")
        )  # fmt: skip
        top = high - 26
    pie = local(plot) in _PIES
    named = series[0].labels if pie else [each.name for each in series]
    bottom = 10.0
    if child(root, "chart", "legend") is not None and any(named):
        shades = _slices(len(named), colours) if pie else [each.colour for each in series]
        bottom = _legend(made, named[:_SYMBOLS], shades, wide)
    titles = [_title(child(each, "title")) for each in children(area, "catAx", "valAx", "dateAx", "serAx")]
    for at, text in enumerate(each for each in titles if each):
        made.add(String(8, top - 2 - 10 * at, text, fontSize=8, fontName="LiberationSans-Regular"))
    top -= 11 * sum(map(bool, titles))
    box = (44.0, bottom + 18, max(wide - 60, 10.0), max(top - bottom - 26, 10.0))
    drawn = _pie(series[0], box, colours) if pie else _plot(plot, series, box)
    made.add(drawn)
    return made


def _series(area: Any, colours: Colours, values_of: Callable[[str], list[str]]) -> list[Series]:
    found: list[Series] = []
    for plot in children(area, *KINDS):
        for each in list(children(plot, "ser"))[: _MOST_SERIES - len(found)]:
            values = child(each, "val")
            values = points(values if values is not None else child(each, "yVal"), values_of)
            labels = child(each, "cat")
            named = points(labels if labels is not None else child(each, "xVal"), values_of)
            last = max([*values, *named], default=-1) + 1
            shape = child(each, "spPr")
            colour = colours.drawn(child(shape, "solidFill")) or colours.drawn(child(shape, "ln", "solidFill"))
            heading = child(each, "tx")
            name = "".join(v.text or "" for v in every(heading, "v")) or " ".join(points(heading, values_of).values())
            name = name or f"Series {len(found) + 1}"
            found.append(
                Series(
                    name,
                    [value_of(values.get(at)) for at in range(last)],
                    [named.get(at, str(at + 1)) for at in range(last)],
                    [value_of(named.get(at)) for at in range(last)],
                    HexColor(f"#{colour or colours.scheme.get(f'accent{len(found) % 6 + 1}', '4F81BD')}"),
                )
            )
    return found


def _title(element: Any) -> str:
    found = "".join(each.text or "" for each in every(element, "t"))
    return found or "".join(each.text or "" for each in every(element, "v"))


def _short(text: str, font: Font, room: float) -> str:
    """A text on one line, as much of it as fits."""
    text = " ".join(text.split())
    while len(text) > 4 and width(text, font) > room:
        text = text[: int((len(text) - 1) * 0.9)].rstrip(" …") + "…"
    return text


def _legend(made: Drawing, names: list[str], shades: list[Color], wide: float) -> float:
    """Add the names of the series below the chart, and return how much room they take."""
    legend = Legend()
    legend.fontName, legend.fontSize = "LiberationSans-Regular", 8
    legend.alignment, legend.boxAnchor = "right", "sw"
    legend.dx = legend.dy = 6
    room = max(60.0, wide / min(len(names), 3) - 30)
    shown = [_short(each, _TEXT, room) for each in names]
    legend.colorNamePairs = list(zip(shades, shown, strict=False))
    legend.columnMaximum = -(-len(names) // 3)
    legend.deltax, legend.deltay, legend.x, legend.y = room, 10, 12, 6
    legend.strokeWidth, legend.strokeColor = 0, None
    made.add(legend)
    return 8.0 + 10 * -(-len(names) // 3)


def _slices(count: int, colours: Colours) -> list[Color]:
    return [HexColor(f"#{colours.scheme[f'accent{at % 6 + 1}']}") for at in range(count)]


def _pie(series: Series, box: tuple[float, float, float, float], colours: Colours) -> Pie:
    x, y, wide, high = box
    side = min(wide, high)
    pie = Pie()
    pie.x, pie.y, pie.width, pie.height = x + (wide - side) / 2, y - 8, side, side
    pie.data = [abs(each or 0.0) for each in series.values]
    if not any(pie.data):
        pie.data = [1.0]
    pie.startAngle, pie.direction = 90, "clockwise"
    for at, colour in enumerate(_slices(len(pie.data), colours)):
        pie.slices[at].fillColor, pie.slices[at].strokeColor = colour, HexColor("#FFFFFF")
    return pie


def _plot(plot: Any, series: list[Series], box: tuple[float, float, float, float]) -> Any:
    kind = local(plot)
    if kind not in _BARS:
        series = [each for each in series if not each.is_empty]  # the library can't draw a line without points
    if kind in _PLOTS:
        return _scattered(plot, series, box)
    grouping = child(plot, "grouping")
    stacked = grouping is not None and "tacked" in (grouping.get("val") or "")
    flat = kind in _BARS and (turned := child(plot, "barDir")) is not None and turned.get("val") == "bar"
    chart: Any = HorizontalLineChart() if kind in _LINES else HorizontalBarChart() if flat else VerticalBarChart()
    chart.x, chart.y, chart.width, chart.height = box
    chart.data = [[value if value is not None else (None if kind in _LINES else 0) for value in each.values]
                  for each in series]  # fmt: skip
    longest = max(map(len, chart.data))
    chart.data = [each + [None if kind in _LINES else 0] * (longest - len(each)) for each in chart.data]
    marks = max((each.labels for each in series), key=len)
    step = max(1, -(-longest // 12))
    room = box[2] / max(1, min(longest, 12)) - 2 if not flat else 40
    chart.categoryAxis.categoryNames = [
        _short(each, _TEXT, max(room, 24)) if at % step == 0 else "" for at, each in enumerate(marks)
    ]
    for axis in (chart.categoryAxis, chart.valueAxis):
        axis.labels.fontName, axis.labels.fontSize = "LiberationSans-Regular", 8
        axis.strokeColor = _GREY
    chart.valueAxis.visibleGrid, chart.valueAxis.gridStrokeColor = True, HexColor("#D9D9D9")
    _range(chart.valueAxis, chart.data, stacked)
    if kind in _BARS:
        chart.categoryAxis.style = "stacked" if stacked else "parallel"
        chart.bars.strokeColor, chart.barSpacing, chart.groupSpacing = None, 0, 6
        for at, each in enumerate(series):
            chart.bars[at].fillColor = each.colour
    else:
        for at, each in enumerate(series):
            chart.lines[at].strokeColor, chart.lines[at].strokeWidth = each.colour, 1.75
    return chart


def _range(axis: Any, data: list[list[float | None]], stacked: bool) -> None:
    """Set the range of an axis from zero, as spreadsheets choose it."""
    if stacked:
        sums = [[value or 0.0 for value in values] for values in zip(*data, strict=True)]
        high = max((sum(each for each in values if each > 0) for values in sums), default=0.0)
        low = min((sum(each for each in values if each < 0) for values in sums), default=0.0)
    else:
        shown = [value for values in data for value in values if value is not None]
        high, low = max(shown, default=0.0), min(shown, default=0.0)
    axis.valueMin, axis.valueMax = min(low, 0.0) * 1.05, max(high, 0.0) * 1.05
    if axis.valueMin == axis.valueMax:
        axis.valueMax = axis.valueMin + 1


def _scattered(plot: Any, series: list[Series], box: tuple[float, float, float, float]) -> Any:
    style = child(plot, "scatterStyle")
    kind = "" if style is None else (style.get("val") or "").lower()
    lined = "line" in kind and "marker" not in kind
    chart = LinePlot() if lined else ScatterPlot()
    chart.x, chart.y, chart.width, chart.height = box
    chart.data = [
        [(x if x is not None else at + 1.0, y) for at, (x, y) in enumerate(zip(each.xs, each.values, strict=True))
         if y is not None]
        for each in series
    ]  # fmt: skip
    if not lined:
        chart.xLabel = chart.yLabel = ""
        chart.outerBorderOn, chart.lineLabelFormat = 0, None
    for axis, at in ((chart.xValueAxis, 0), (chart.yValueAxis, 1)):
        axis.labels.fontName, axis.labels.fontSize = "LiberationSans-Regular", 8
        values = [[point[at] for points in chart.data for point in points]]
        _range(axis, values, False)
    for at, each in enumerate(series):
        chart.lines[at].strokeColor = each.colour
        if not lined:
            chart.lines[at].symbol.fillColor = each.colour
    return chart
