"""Draw the charts of a workbook on its pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from engine.families.data.printed import lines
from engine.families.data.printed.lines import Missing
from engine.families.data.printed.looks import Font
from engine.families.data.printed.texts import Pen
from engine.families.data.printed.xlsx_colours import Colours
from engine.toolkit.charts.figures import Drawing, Outline, Words
from engine.toolkit.charts.model import Chart, Paint
from engine.toolkit.charts.of_file import Charts
from engine.toolkit.charts.painting import Surroundings

_ACCENTS = tuple(f"accent{at}" for at in range(1, 7))
_SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}


class WorkbookCharts:
    """Reads and draws the charts of one workbook. `values_of` gives the values of cells for charts that store none."""

    def __init__(self, colours: Colours, values_of: Callable[[str], list[str]]) -> None:
        self.charts = Charts()

        def colour(element: Any) -> str | None:
            found = colours.drawn(element)
            return f"#{found}" if found else None

        self._around = Surroundings(
            colour, tuple(colours.scheme[each] for each in _ACCENTS), framed=True, values_of=values_of
        )

    def drawing(self, root: Any, size: tuple[float, float]) -> Drawing | None:
        """A chart by the root of its part in a size in points; None, and counted, if it can't be drawn."""
        found = self.charts.read(root, self._around, tabled=False)
        return self.charts.draw(found, size) if isinstance(found, Chart) else None


def draw(canvas: Canvas, drawing: Drawing, at: tuple[float, float], missing: Missing) -> None:
    """Draw a chart with its lower left corner at a place; `missing` gets the characters that no font has."""
    canvas.saveState()
    canvas.translate(at[0], at[1] + drawing.height)
    for each in drawing.items:
        if isinstance(each, Outline):
            _outline(canvas, each)
        else:
            _words(canvas, each, missing)
    canvas.restoreState()


def _colour(paint: Paint) -> Color:
    found = HexColor(paint.colour)
    return Color(found.red, found.green, found.blue, paint.opacity)


def _outline(canvas: Canvas, each: Outline) -> None:
    path = canvas.beginPath()
    for letter, numbers in each.steps:
        points = [-number if at % 2 else number for at, number in enumerate(numbers)]
        match letter:
            case "M":
                path.moveTo(*points)
            case "L":
                path.lineTo(*points)
            case "C":
                path.curveTo(*points)
            case _:
                path.close()
    if each.fill is not None:
        canvas.setFillColor(_colour(each.fill))
    if each.edge is not None:
        canvas.setStrokeColor(_colour(each.edge.paint))
        canvas.setLineWidth(each.edge.width)
        canvas.setDash(list(each.edge.dashes), 0)
        canvas.setLineJoin(1)
    canvas.drawPath(path, stroke=each.edge is not None, fill=each.fill is not None)


def _words(canvas: Canvas, each: Words, missing: Missing) -> None:
    look = each.lettering
    font = Font("Arial", look.size, bold=look.bold, italic=look.italic, colour=look.paint.colour[1:].upper())
    line = lines.one_line(each.text, font, missing)
    canvas.saveState()
    canvas.translate(each.at[0], -each.at[1])
    canvas.rotate(-each.turn)
    pen = Pen(canvas, grey=False)
    pen.open()
    pen.line(line, -line.width * _SHARES[each.anchor], 0.0)
    pen.close()
    canvas.restoreState()
