"""Tables of many rows: every row is measured once, and only the rows of one page are laid out at a time.

The layout library makes a new table of all the rows that are left for every page, which costs the square of their
number.
"""

from __future__ import annotations

import bisect
import copy
import itertools
from typing import Any

from reportlab.platypus.tables import TableStyle
from xhtml2pdf.builders.flex import table_column_widths
from xhtml2pdf.xhtml2pdf_reportlab import PmlFlowingCell

from conversions.families.html_pdf.report import report
from conversions.families.html_pdf.xhtml2pdf.tables import ANY_HEIGHT, FUZZ, AutoTable, SizedTable, Table, fit

BAND = 64
"""Rows that are measured together."""

_MEASURES = {"SPAN", "LEFTPADDING", "RIGHTPADDING", "TOPPADDING", "BOTTOMPADDING", "FONTSIZE", "LEADING"}

Command = tuple[Any, ...]


class Rows:
    """The rows of one table with their styles, of which any band can be made a table of its own."""

    def __init__(self, data: list[list[Any]], heights: list[Any], header: int, commands: list[Command]) -> None:
        self.data = data
        self.header = min(header, len(data))
        self.columns = max(map(len, data))
        self._least = [each if isinstance(each, int | float) else 0 for each in heights]
        self._of_row: list[list[tuple[int, Command]]] = [[] for _ in data]
        self._across: list[tuple[int, Command]] = []
        self._joined = [False] * (len(data) + 1)  # whether a cell spans the rows on both sides of this boundary
        for order, (name, (left, first), (right, last), *rest) in enumerate(commands):
            first, last = (row + len(data) if row < 0 else row for row in (first, last))
            last = min(last, len(data) - 1)
            command = (name, (left, first), (right, last), *rest)
            (self._of_row[first] if first == last else self._across).append((order, command))
            if name == "SPAN":
                self._joined[first + 1 : last + 1] = [True] * (last - first)
        self.tops: list[float] = []
        self.widths: list[float] = []
        self.zoom = 1.0

    def __len__(self) -> int:
        return len(self.data)

    def boundary_before(self, row: int) -> int:
        """The last boundary up to `row` that no cell spans."""
        while self._joined[row]:
            row -= 1
        return row

    def boundary_after(self, row: int) -> int:
        """The first boundary after `row` that no cell spans."""
        row += 1
        while row < len(self.data) and self._joined[row]:
            row += 1
        return row

    def unspan(self) -> None:
        """Leave every cell that spans rows in the first of them."""

        def first_row(command: Command) -> Command:
            name, (left, first), (right, _), *rest = command
            return (name, (left, first), (right, first), *rest)

        kept = []
        for order, command in self._across:
            if command[0] == "SPAN":
                self._of_row[command[1][1]].append((order, first_row(command)))
            else:
                kept.append((order, command))
        self._across = kept
        self._joined = [False] * (len(self.data) + 1)

    def band(self, start: int, end: int, *, header: bool, measured: bool) -> SizedTable:
        """The rows from `start` to `end`, beneath the header where they do not begin with it."""
        above = self.header if header and start else 0
        rows = [*range(above), *range(start, end)]
        heights = [self.tops[row + 1] - self.tops[row] for row in rows] if measured else None
        table = SizedTable(
            [self.data[row] for row in rows],
            colWidths=self.widths[:] if measured else [None] * self.columns,
            rowHeights=heights,
            minRowHeights=None if measured else [self._least[row] for row in rows],
            repeatRows=above or max(0, self.header - start),
            hAlign="LEFT",
            vAlign="TOP",
            style=TableStyle(self._commands(rows, start, end, above, drawn=measured)),
        )
        table.totalWidth = sum(self.widths) if measured else None
        table.zoom = self.zoom
        table._cutTop = start > 0
        return table

    def _commands(self, rows: list[int], start: int, end: int, above: int, *, drawn: bool) -> list[Command]:
        found = [each for row in rows for each in self._of_row[row]]
        for order, (name, (left, first), (right, last), *rest) in self._across:
            for low, high in ((0, above), (start, end)):
                if first < high and last >= low:
                    clipped = (name, (left, max(first, low)), (right, min(last, high - 1)), *rest)
                    found.append((order, clipped))
        found.sort(key=lambda each: each[0])
        shift = above - start
        return [
            (
                name,
                (left, first + (shift if first >= start else 0)),
                (right, last + (shift if last >= start else 0)),
                *rest,
            )
            for _, (name, (left, first), (right, last), *rest) in found
            if drawn or name in _MEASURES
        ]

    def measure(self, table: LongTable, available: float) -> None:
        """Set the columns' widths and the rows' heights for this width of the page."""
        bands = []
        start = 0
        while start < len(self.data):
            end = self.boundary_after(min(start + BAND, len(self.data)) - 1)
            bands.append(self.band(start, end, header=False, measured=False))
            start = end
        measured = [table_column_widths(band, table.canv, [None] * self.columns, spans=True) for band in bands]
        lows, highs = ([max(column) for column in zip(*each, strict=True)] for each in zip(*measured, strict=True))
        self.zoom, self.widths = fit(table, (lows, highs), table.declared, available)
        heights: list[float] = []
        for band in bands:
            band.zoom = self.zoom
            band._colWidths[:] = self.widths
            band.totalWidth = sum(self.widths)
            band.wrapOn(table.canv, available, ANY_HEIGHT)
            heights += band._rowHeights
        self.tops = [0.0, *itertools.accumulate(heights)]


class LongTable(AutoTable):
    """What is left of a table of many rows, from one row on."""

    def __init__(
        self,
        data: list[list[Any]],
        colWidths: Any = None,
        rowHeights: Any = None,
        *,
        repeatRows: int = 0,
        hAlign: str = "LEFT",
        style: Any = None,
        **settings: Any,
    ) -> None:
        self.rows = Rows(data, rowHeights, repeatRows, style.getCommands())
        self.declared = list(colWidths)
        self.hAlign = hAlign
        self.start = 0
        self._continues = False
        self._measured_for: float | None = None
        self._cellvalues = data

    def identity(self, maxLen: int | None = None) -> str:
        return f"<table of {len(self.rows)} rows>"

    def _culprit(self) -> str:
        return self.identity()

    def drawn_flowables(self) -> list[Any]:
        return []

    def _headed(self) -> bool:
        """Whether the header is repeated above the first row: not where the row before it is on the same page."""
        frame = getattr(getattr(self.canv, "_doctemplate", None), "frame", None)
        return self.start > 0 and not (self._continues and not getattr(frame, "_atTop", True))

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        inner = availWidth - self._margins()
        if self._measured_for != inner:
            self._measured_for = inner
            self.rows.measure(self, inner)
        tops = self.rows.tops
        height = tops[-1] - tops[self.start] + (tops[self.rows.header] if self._headed() else 0)
        self.width = sum(self.rows.widths) / self.rows.zoom + self._margins()
        self.height = height / self.rows.zoom
        return self.width, self.height

    def split(self, availWidth: float, availHeight: float) -> list[Any]:
        rows, start = self.rows, self.start
        first = max(start, rows.header)
        room = availHeight * rows.zoom - (rows.tops[rows.header] if self._headed() else 0)
        end = bisect.bisect_right(rows.tops, rows.tops[start] + room + FUZZ) - 1
        end = rows.boundary_before(max(min(end, len(rows)), start))
        if end <= first or (end < len(rows) and _flows(rows.data[end])):
            # The next row is taller than what is left of this page: it moves on, or it is cut if it is
            # taller than any page.
            after = rows.boundary_after(max(end, first))
            if after - max(end, first) > 1 and self._mayCutInsideRow():
                # Rows that belong together are taller than a page.
                report(self.canv, "CONTENT_CLIPPED", "A table cell that spans rows was cut at the end of a page.")
                rows.unspan()
                self._measured_for = None
                self.wrap(availWidth, availHeight)
                return self.split(availWidth, availHeight)
            band = self._band(after)
            if getattr(self, "_postponed", False):
                band._postponed = True
            band.wrapOn(self.canv, availWidth, availHeight)
            band.canv = self.canv
            parts = band.split(availWidth, availHeight)
            del band.canv
            return [*parts, *self._rest(after, continues=True)] if parts else []
        return [self._band(end), *self._rest(end)]

    def drawOn(self, canvas: Any, x: float, y: float, _sW: float = 0) -> None:
        self.canv = canvas
        band = self._band(len(self.rows))
        del self.canv
        band.wrapOn(canvas, self.width, self.height)
        band.drawOn(canvas, x, y, _sW)

    def _band(self, end: int) -> SizedTable:
        band = self.rows.band(self.start, end, header=self._headed(), measured=True)
        band.hAlign = self.hAlign
        band.marginLeft, band.marginRight = self.marginLeft, self.marginRight
        band.spaceBefore = self.getSpaceBefore()
        band.spaceAfter = self.getSpaceAfter() if end == len(self.rows) else 0
        return band

    def _rest(self, start: int, *, continues: bool = False) -> list[LongTable]:
        if start >= len(self.rows):
            return []
        rest = copy.copy(self)
        rest.__dict__.pop("canv", None)
        rest.__dict__.pop("_postponed", None)
        rest.start, rest._continues, rest.spaceBefore = start, continues, 0
        return [rest]


Table.long_kind = LongTable


def _flows(row: list[Any]) -> bool:
    """Whether a cell holds a table of its own, which goes on across pages."""
    return any(
        isinstance(each, PmlFlowingCell)
        for cell in row
        for each in (cell if isinstance(cell, list | tuple) else [cell])
    )
