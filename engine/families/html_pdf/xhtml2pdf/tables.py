"""Size table columns by content; stack what is too wide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.platypus.flowables import Flowable
from xhtml2pdf.builders.block import BlockBox
from xhtml2pdf.builders.flex import LARGE, BoxStyle, table_column_widths
from xhtml2pdf.xhtml2pdf_reportlab import PmlFlowingCell, PmlKeepInFrame, PmlTable

from engine.families.html_pdf.report import report
from engine.toolkit.messages import say

ANY_HEIGHT = 0xFFFFFFF
MOST_SHRUNK = 2.0
"""A table too wide for its container is drawn at half its size at most."""

LONG = 80
"""The number of rows above which a table is split in halves first: each split takes time for all remaining rows."""

UNSPACED = 40.0
"""The minimum width in points of a column whose text may break between any two characters."""


class Box(BlockBox):  # type: ignore[misc]
    """A box around blocks, which is shrunk only if it has a page to itself; else it continues on the next one."""

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        if availWidth >= LARGE:  # called to learn its width
            return max(
                self.content_widths(getattr(self, "canv", None))[1], self.box_width.length or 0 if self.box_width else 0
            ), 0.0
        size: tuple[float, float] = super().wrap(availWidth, availHeight)
        return size

    def split(self, availWidth: float, availHeight: float) -> list[Any]:
        parts = list(super().split(availWidth, availHeight))
        for part in parts:
            if type(part) is BlockBox:
                part.__class__ = Box
        if len(parts) == 1 and isinstance(parts[0], PmlKeepInFrame):
            canvas = getattr(self, "canv", None)
            frame = getattr(getattr(canvas, "_doctemplate", None), "frame", None)
            if frame is not None and not (frame._atTop and availHeight > frame._aH / 2):
                return []
            report(canvas, "CONTENT_CLIPPED", say("Content taller than a page can't be split and was shrunk to fit."))
        return parts


class Cell(PmlKeepInFrame):  # type: ignore[misc]
    """The content of one table cell at its own height: only excess width is shrunk."""

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        size: tuple[float, float] = super().wrap(max(availWidth, 1.0), ANY_HEIGHT)
        return size


class Table(PmlTable):  # type: ignore[misc]
    """A table whose columns follow their content; `zoom` is the factor by which it is shrunk when drawn."""

    zoom = 1.0
    nested = False
    stacked: Box | None = None
    _sized_for: float | None = None
    _spanCmds: list[Any]

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        if self._sized_for not in (availWidth, -1):
            self._sized_for = availWidth
            self._size(availWidth - self._margins())
        size: tuple[float, float] = (self.stacked.wrapOn(self.canv, availWidth, availHeight) if self.stacked
                                     else super().wrap(availWidth, availHeight))  # fmt: skip
        return size

    def _size(self, room: float) -> None:
        """Choose the column widths, or stack the cells."""
        room, total = max(room, 1.0), getattr(self, "totalWidth", None)
        declared = [each or None for each in self._argW]
        lows, highs = table_column_widths(self, self.canv, [None] * self._ncols, spans=True)
        lows = [each + 0.1 for each in lows]  # otherwise rounding would break the longest word
        for row in self._cellvalues:
            for at, cell in enumerate(row):
                styles = (getattr(each, "style", None) for each in getattr(cell, "_content", ()))
                if any(getattr(each, "wordWrap", None) == "CJK" for each in styles):
                    lows[at] = min(lows[at], UNSPACED)
        if len(lows) > 1 and sum(lows) > room * (1.0 if self.nested else MOST_SHRUNK) + 1.0:
            self.stacked = Box(_below(self._cellvalues), BoxStyle())
            message = say("A table is too wide, so its cells were placed one below the other.")
            report(self.canv, "CONTENT_CLIPPED", message)
            return
        total = room * float(total[:-1]) / 100 if isinstance(total, str) else total
        self.zoom = max(1.0, sum(lows) / room)
        if self.zoom > 1.02:
            message = say("A table wider than the page area was shrunk to {zoom} %.", zoom=round(100 / self.zoom))
            report(self.canv, "CONTENT_CLIPPED", message)
        widths = column_widths(lows, highs, declared, min(total, room) if total else None, room * self.zoom)
        self._colWidths[:] = widths
        self.totalWidth = sum(widths)

    def _wrapInside(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        width, height = super()._wrapInside(availWidth * self.zoom, availHeight * self.zoom)
        return width / self.zoom, height / self.zoom

    def _listCellGeom(self, V: Any, w: float, s: Any, W: Any = None, H: Any = None, aH: float = 72000) -> Any:
        # The layout engine fails for a column narrower than its padding.
        return super()._listCellGeom(V, max(w, s.leftPadding + s.rightPadding + 1.0), s, W=W, H=H, aH=aH)

    def split(self, availWidth: float, availHeight: float) -> list[Any]:
        if self.stacked is not None:
            return list(self.stacked.content)
        margins = self._margins()
        width, height = (availWidth - margins) * self.zoom + margins, availHeight * self.zoom
        self._argH = list(self._rowHeights)  # otherwise all remaining rows would be measured again for every page
        half = self._half(height) if self._nrows > LONG and not self.nested else 0.0
        parts = list(super().split(width, half or height))
        if not parts and self._mayCutInsideRow() and self._unspan():
            report(self.canv, "CONTENT_CLIPPED", say("A table cell that spans rows was cut at the end of a page."))
            self._calc(width - margins, height)
            parts = list(super().split(width, height))
        for part in parts:
            part.zoom, part._sized_for = self.zoom, -1
        if half and len(parts) == 2:
            parts[0].canv = self.canv
            parts[0].wrap(availWidth, availHeight)
            first = parts[0].split(availWidth, availHeight)
            return [*first, parts[1]] if first else []
        return parts

    def _half(self, height: float) -> float:
        """The height of the first half of the rows, up to the end of a page, or 0; `height` is left on this one."""
        page = self.canv._doctemplate.frame._aH * self.zoom
        head = sum(each or 0.0 for each in self._rowHeights[: self._repeatCount()])
        whole = used = 0.0
        for at, tall in enumerate(self._rowHeights):
            if tall is None:  # not measured yet
                break
            if used + tall > height:
                if at > self._nrows // 2:
                    return whole + 0.01
                used, height = head, page
            used, whole = used + tall, whole + tall
        return 0.0

    def _unspan(self) -> bool:
        """Keep every row-spanning cell only in its first row; returns whether there was one."""
        rows = [(first % self._nrows, last % self._nrows) for _, (_, first), (_, last) in self._spanCmds]
        if all(first == last for first, last in rows):
            return False
        self._spanCmds = [
            (name, (left, first), (right, first))
            for (name, (left, _), (right, _)), (first, _) in zip(self._spanCmds, rows, strict=True)
            if left != right
        ]
        for name in ("_spanRanges", "_spanRects", "_rowSpanCells", "_colSpanCells"):
            self.__dict__.pop(name, None)
        self._argH = [None] * self._nrows
        return True

    def drawOn(self, canvas: Any, x: float, y: float, _sW: float = 0) -> None:
        if self.stacked is not None:
            self.stacked.drawOn(canvas, x, y, _sW)
        else:
            super().drawOn(canvas, x, y, _sW)

    def draw(self) -> None:
        if self.zoom != 1.0:
            self.canv.scale(1 / self.zoom, 1 / self.zoom)
        super().draw()


def adopted(table: PmlTable, *, nested: bool) -> Table:
    """Convert the layout engine's table to a `Table`."""
    made: Table = table
    made.__class__ = Table
    made.nested = nested
    made._minRowHeights = [each if isinstance(each, int | float) else 0 for each in made._argH]
    made._argH = [0 if each == 0 else None for each in made._argH]
    for row in made._cellvalues:
        for cell in row:
            if type(cell) is PmlKeepInFrame:
                cell.__class__ = Cell
    return made


def column_widths(
    lows: Sequence[float],
    highs: Sequence[float],
    declared: Sequence[float | str | None],
    total: float | None,
    room: float,
) -> list[float]:
    """The widths of a table's columns, in points (CSS 2.1, 17.5.2.2): none less than its `low`, all within `room`.

    `lows` and `highs` are the least and the most that the columns' contents can use; `declared` are points, a
    percentage such as `30%`, or None; `total` is the table's own width, or None where its content decides.
    """
    shares = any(isinstance(each, str) for each in declared)
    total = max(total or (room if shares else min(room, sum(highs))), sum(lows))
    wanted = [
        max(
            low,
            high
            if specified is None
            else float(specified[:-1]) / 100 * total
            if isinstance(specified, str)
            else float(specified),
        )
        for low, high, specified in zip(lows, highs, declared, strict=True)
    ]
    lacking = total - sum(wanted)
    if lacking < 0:
        part = lacking / (sum(lows) - sum(wanted))
        return [most + (low - most) * part for low, most in zip(lows, wanted, strict=True)]
    open_ = [specified is None for specified in declared] if None in declared else [True] * len(wanted)
    whole = sum(width for width, grows in zip(wanted, open_, strict=True) if grows) or 1.0
    return [width + lacking * width / whole * grows for width, grows in zip(wanted, open_, strict=True)]


def _below(rows: list[list[Any]]) -> list[Flowable]:
    """The contents of the cells, stacked."""
    found: list[Flowable] = []
    for row in rows:
        for cell in row:
            for each in cell if isinstance(cell, list | tuple) else [cell]:
                if isinstance(each, PmlKeepInFrame | PmlFlowingCell):
                    found += each._content
                elif isinstance(each, Flowable):
                    found.append(each)
    return found
