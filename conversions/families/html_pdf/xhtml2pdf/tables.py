"""Tables: columns sized by their content; what can't be read side by side is drawn one below the other."""

from __future__ import annotations

from typing import Any

from reportlab.platypus.flowables import Flowable
from xhtml2pdf.builders.block import BlockBox
from xhtml2pdf.builders.flex import LARGE, BoxStyle, table_column_widths
from xhtml2pdf.xhtml2pdf_reportlab import PmlFlowingCell, PmlKeepInFrame, PmlTable

from conversions.families.html_pdf.report import report
from conversions.families.html_pdf.xhtml2pdf.columns import MOST_SHRUNK, column_widths

ANY_HEIGHT = 0xFFFFFFF
GROUP = 1000
"""Of the number of repeated rows a table has, which part of it says which long table it is a part of."""


class Box(BlockBox):  # type: ignore[misc]
    """A box around blocks, which is shrunk only where it has the page to itself; else it goes on on the next one."""

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        if availWidth >= LARGE:  # asked how wide it would be
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
            report(canvas, "CONTENT_CLIPPED", "Content taller than a page can't be cut; it was shrunk to fit.")
        return parts


class Cell(PmlKeepInFrame):  # type: ignore[misc]
    """The content of one table cell, as tall as it is: only what is too wide is shrunk."""

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        size: tuple[float, float] = super().wrap(max(availWidth, 1.0), ANY_HEIGHT)
        return size


class Table(PmlTable):  # type: ignore[misc]
    """A table whose columns follow their content; `zoom` is the factor by which it is shrunk when it is drawn."""

    zoom = 1.0
    shared: Shared
    first_part = True
    stacked: Box | None = None
    _sized_for: float | None = None
    _spanCmds: list[Any]

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        if (
            self.stacked is None
            and self._sized_for is None
            and not self.shared.fits(self, availWidth - self._margins())
        ):
            self.stacked = Box(_below(self._cellvalues), BoxStyle())
            report(
                self.canv, "CONTENT_CLIPPED", "The cells of a table too wide for its place stand one below the other."
            )
        if self.stacked is not None:
            size: tuple[float, float] = self.stacked.wrapOn(self.canv, availWidth, availHeight)
            return size
        if self._headed():
            whole: tuple[float, float] = super().wrap(availWidth, availHeight)
            return whole
        # The header is above what the page has of the table already: without it, this is a part of what it is.
        return super().wrap(availWidth, ANY_HEIGHT)[0], ANY_HEIGHT

    def _headed(self) -> bool:
        frame = getattr(getattr(self.canv, "_doctemplate", None), "frame", None)
        return self.first_part or not self._repeatCount() or getattr(frame, "_atTop", True)

    def _wrapInside(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        if self._sized_for != availWidth and self._sized_for != -1:
            self._sized_for = availWidth
            self.zoom, widths = self.shared.widths(self, availWidth)
            self._colWidths[:] = widths
            self.totalWidth = sum(widths)
        width, height = super()._wrapInside(availWidth * self.zoom, availHeight * self.zoom)
        return width / self.zoom, height / self.zoom

    def _listCellGeom(self, V: Any, w: float, s: Any, W: Any = None, H: Any = None, aH: float = 72000) -> Any:
        # A column that is narrower than its padding is an error to the layout engine.
        return super()._listCellGeom(V, max(w, s.leftPadding + s.rightPadding + 1.0), s, W=W, H=H, aH=aH)

    def split(self, availWidth: float, availHeight: float) -> list[Any]:
        if self.stacked is not None:
            return list(self.stacked.content)
        header = 0 if self._headed() else self._repeatCount()
        above = sum(self._rowHeights[:header])
        margins = self._margins()
        width, height = (availWidth - margins) * self.zoom + margins, availHeight * self.zoom + above
        parts = [self] if header and self._height <= height else self._cut(width, height)
        for part in parts:
            part.zoom, part.shared, part._sized_for = self.zoom, self.shared, -1
        if header and parts:
            parts[0].canv = self.canv
            parts[0] = self._beheaded(parts[0], header)
        return parts

    def _cut(self, width: float, height: float) -> list[Any]:
        parts = list(super().split(width, height))
        if not parts and self._mayCutInsideRow() and self._unspan():
            report(self.canv, "CONTENT_CLIPPED", "A table cell that spans rows was cut at the end of a page.")
            self._calc(width - self._margins(), height)
            parts = list(super().split(width, height))
        return parts

    def _beheaded(self, part: Table, header: int) -> Table:
        """A part without the header, which is on the page already."""
        part.repeatRows = 0
        part._calc(sum(part._colWidths), ANY_HEIGHT)
        rest: Table = part._splitRows(sum(part._rowHeights[:header]) + 0.01)[1]
        for name in ("marginLeft", "marginRight", "zoom", "shared", "_sized_for"):
            setattr(rest, name, getattr(part, name))
        rest.spaceAfter = part.getSpaceAfter()
        rest._cutTop = True
        return rest

    def _unspan(self) -> bool:
        """Leave every cell that spans rows in the first of them; whether there was one."""
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


class Shared:
    """The columns of one table, or of all parts of a long one."""

    def __init__(self, parts: list[Table], *, nested: bool) -> None:
        self._parts = parts
        self._nested = nested
        self._measured: tuple[list[float], list[float]] | None = None
        first = parts[0]
        self._total = getattr(first, "totalWidth", None)
        self._declared = [
            next((part._argW[at] for part in parts if part._argW[at]), None) for at in range(first._ncols)
        ]

    def fits(self, table: Table, room: float) -> bool:
        """Whether what is in the cells can be read side by side."""
        lows, _ = self._measure(table)
        most = 1.0 if self._nested else MOST_SHRUNK
        return len(lows) < 2 or sum(lows) <= max(room, 1.0) * most + 1.0

    def widths(self, table: Table, available: float) -> tuple[float, list[float]]:
        """The factor by which a table is shrunk, and its columns' widths before that; reports a shrinking."""
        lows, highs = self._measure(table)
        room = max(available, 1.0)
        total = room * float(self._total[:-1]) / 100 if isinstance(self._total, str) else self._total
        zoom, widths = column_widths(lows, highs, self._declared, total and min(float(total), room), room)
        if zoom > 1.02:
            report(
                table.canv, "CONTENT_CLIPPED",
                f"A table wider than its place on the page was shrunk to {round(100 / zoom)} %.",
            )  # fmt: skip
        return zoom, widths

    def _measure(self, table: Table) -> tuple[list[float], list[float]]:
        if self._measured is None:
            count = table._ncols
            each = [table_column_widths(part, table.canv, [None] * count, spans=True) for part in self._parts]
            lows, highs = ([max(column) for column in zip(*sizes, strict=True)] for sizes in zip(*each, strict=True))
            self._measured = lows, highs
            del self._parts
        return self._measured


def adopted(table: PmlTable, groups: dict[int, list[Table]], nested: bool) -> Table:
    """A table of the layout engine's as one of ours."""
    made: Table = table
    made.__class__ = Table
    group, made.repeatRows = divmod(made.repeatRows, GROUP)
    least = [each if isinstance(each, int | float) else 0 for each in made._argH]
    made._argH = [0 if each == 0 else None for each in made._argH]
    made._minRowHeights = least
    for row in made._cellvalues:
        for cell in row:
            if type(cell) is PmlKeepInFrame:
                cell.__class__ = Cell
    parts = groups.setdefault(group, []) if group else []
    made.first_part = not parts
    parts.append(made)
    made.shared = parts[0].shared if len(parts) > 1 else Shared(parts, nested=nested)
    return made


def _below(rows: list[list[Any]]) -> list[Flowable]:
    """What is in the cells, one below the other."""
    found: list[Flowable] = []
    for row in rows:
        for cell in row:
            for each in cell if isinstance(cell, list | tuple) else [cell]:
                if isinstance(each, PmlKeepInFrame | PmlFlowingCell):
                    found += each._content
                elif isinstance(each, Flowable):
                    found.append(each)
    return found
