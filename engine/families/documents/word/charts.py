"""The charts of a Word document or presentation as drawings, pictures and tables."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.word.names import R, pt
from engine.families.documents.word.theme import Theme
from engine.toolkit.charts import svg, tables
from engine.toolkit.charts.model import Chart
from engine.toolkit.charts.of_file import Charts
from engine.toolkit.charts.painting import Surroundings
from engine.toolkit.charts.tables import Table
from engine.toolkit.warnings import Warn
from engine.toolkit.xml_elements import child

URIS = ("/chart", "/chartex")
"""The ends of the kinds of graphics that are charts: those of the standard, and later ones (MS-ODRAWXML, 2.24.3)."""
_USUAL = ("4f81bd", "c0504d", "9bbb59", "8064a2", "4bacc6", "f79646")
_PIXELS = 2_400
_SMALLEST = 12.0


class OfficeCharts:
    """The charts of a package by their parts; `size` is that of text for which they say none, in points."""

    def __init__(self, package: Package, *, size: float) -> None:
        self._package, self._size = package, size
        self._charts = Charts()
        self._read: dict[str, Chart | Table | None] = {}

    def read(
        self, part: str, graphic: Element, theme: Theme, mapping: Mapping[str, str] | None = None
    ) -> Chart | Table | None:
        """The chart that an `a:graphicData` of a part refers to; None, and counted, if it is left out.

        Raises Unreadable for a part that can't be parsed.
        """
        element = next((each for each in graphic if isinstance(each.tag, str) and each.tag.endswith("}chart")), None)
        found = self._package.relations(part).get("" if element is None else element.get(R + "id") or "")
        if found is None or found.external or found.target not in self._package.names:
            self._charts.lose()
            return None
        if isinstance(known := self._read.get(found.target), Chart):
            return known if self._charts.again(known) else None
        root = self._package.xml(found.target)
        made = self._charts.read(root, self._around(found.target, root, theme, mapping or {}))
        self._read[found.target] = made
        return made

    def _around(self, part: str, root: Element, theme: Theme, mapping: Mapping[str, str]) -> Surroundings:
        other = self._package.related(part, "themeOverride")
        theme = theme if other is None else Theme(self._package.xml(other))
        own = child(root, "clrMapOvr")
        mapped = {**mapping, **({} if own is None else own.attrib)}
        accents = (theme.colours.get(f"accent{at}", usual) for at, usual in enumerate(_USUAL, start=1))
        text = theme.colour(mapped.get("tx1", "tx1")) or "000000"
        return Surroundings(lambda each: theme.drawn(each, mapped), tuple(accents), f"#{text}", self._size, theme.minor)

    def svg(self, chart: Chart, width: float, height: float, label: str, *, inline: bool = True) -> str:
        """A chart as an SVG of a size in points."""
        drawing = self._charts.draw(chart, (max(width, _SMALLEST), max(height, _SMALLEST)))
        style = "display:block" if inline else ""
        return svg.svg(drawing, label=label, style=style, inline=inline, font=chart.font)

    def png(self, chart: Chart, width: float, height: float) -> bytes:
        """A chart as a PNG, two pixels to a CSS pixel unless it is large."""
        from engine.families.images.drawing_png import png

        scale = min(2.0, _PIXELS / (max(width, height, 1.0) * 96 / 72))
        return png(self.svg(chart, width, height, "", inline=False).encode(), scale)

    def table(self, chart: Chart) -> Table:
        """The data of a chart, which counts as one that became a table."""
        self._charts.tabulate()
        return tables.of_chart(chart)

    def report(self, warn: Warn) -> None:
        """Warn of what was left out of the charts."""
        self._charts.report(warn)


def title_of(chart: Chart) -> str:
    """The title of a chart on one line; empty without one."""
    return " ".join(chart.title.lines) if chart.title is not None else ""


def html_table(table: Table, width: float) -> str:
    """The data of a chart as a table in a box of a width in points."""
    line = "border:0.5pt solid #bfbfbf;padding:1pt 4pt"
    rows = "".join(
        "<tr>" + "".join(f'<td style="{line}">{escape(each, quote=False)}</td>' for each in row) + "</tr>"
        for row in table.rows
    )
    title = f"<p><b>{escape(table.title, quote=False)}</b></p>" if table.title else ""
    made = f'<table style="border-collapse:collapse">{rows}</table>'
    return f'<div class="box" style="width:{pt(width)}">{title}{made}</div>'
