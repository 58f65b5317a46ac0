"""Tables: columns sized by their content, rows as tall as theirs, and what does not fit is shrunk and reported."""

from __future__ import annotations

from typing import Any

from xhtml2pdf.builders.flex import table_column_widths
from xhtml2pdf.xhtml2pdf_reportlab import PmlKeepInFrame, PmlParagraph, PmlTable

from conversions.families.html_pdf.report import report
from conversions.families.html_pdf.xhtml2pdf.columns import column_widths

ANY_HEIGHT = 0xFFFFFFF
FUZZ = 1e-6


class Cell(PmlKeepInFrame):  # type: ignore[misc]
    """The content of one table cell, as tall as it is: only what is too wide is shrunk."""

    _scale = 1.0

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        if self.mode != "shrink":
            return PmlKeepInFrame.wrap(self, availWidth, availHeight)  # type: ignore[no-any-return]
        self._scale = 1.0
        width = max(availWidth, 1.0)
        if len(self._content) == 1 and isinstance(self._content[0], PmlParagraph):
            self.width, self.height = self._content[0].wrapOn(self.canv, width, ANY_HEIGHT)
            if self.width <= width + FUZZ:
                return self.width, self.height
        self.fakeWidth = False
        return PmlKeepInFrame.wrap(self, width, ANY_HEIGHT)  # type: ignore[no-any-return]

    def drawOn(self, canv: Any, x: float, y: float, _sW: float = 0) -> None:
        if self._scale > 1.02:
            percent = round(100 / self._scale)
            report(canv, "CONTENT_CLIPPED", f"Content wider than its table cell was shrunk to {percent} %.")
        super().drawOn(canv, x, y, _sW)


class Table(PmlTable):  # type: ignore[misc]
    """What the layout engine makes of a `<table>`: one of the kinds below, by its number of rows."""

    LONG = 40
    """Rows from which on a table is a long one."""
    long_kind: type[Table]

    def __new__(cls, data: Any = None, *args: Any, **settings: Any) -> Table:
        if cls is Table:
            cls = Table.long_kind if len(data) > Table.LONG else AutoTable
        return object.__new__(cls)

    def _listCellGeom(self, V: Any, w: float, s: Any, W: Any = None, H: Any = None, aH: float = 72000) -> Any:
        # A column that is narrower than its padding is an error to the layout engine.
        return super()._listCellGeom(V, max(w, s.leftPadding + s.rightPadding + 1.0), s, W=W, H=H, aH=aH)


class SizedTable(Table):
    """A table of columns of known widths; `zoom` is the factor by which it is shrunk when it is drawn."""

    zoom = 1.0
    _spanCmds: list[Any]

    def _wrapInside(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        width, height = super()._wrapInside(availWidth * self.zoom, availHeight * self.zoom)
        return width / self.zoom, height / self.zoom

    def split(self, availWidth: float, availHeight: float) -> list[Any]:
        margins = self._margins()
        width, height = (availWidth - margins) * self.zoom + margins, availHeight * self.zoom
        parts = super().split(width, height)
        if not parts and self._mayCutInsideRow() and self._unspan():
            report(self.canv, "CONTENT_CLIPPED", "A table cell that spans rows was cut at the end of a page.")
            self._calc(width - margins, height)
            parts = super().split(width, height)
        for part in parts:
            part.zoom = self.zoom
        return list(parts)

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

    def draw(self) -> None:
        if self.zoom != 1.0:
            self.canv.scale(1 / self.zoom, 1 / self.zoom)
        super().draw()


class AutoTable(SizedTable):
    """A table whose columns follow their content and whose declared row heights are the least that rows have."""

    def __init__(self, data: list[list[Any]], colWidths: Any = None, rowHeights: Any = None, **settings: Any) -> None:
        least = [each if isinstance(each, int | float) else 0 for each in rowHeights or ()]
        heights = [0 if each == 0 else None for each in rowHeights or ()]
        super().__init__(data, colWidths=colWidths, rowHeights=heights or None, minRowHeights=least or None, **settings)
        self._declared = list(colWidths or [None] * self._ncols)
        self._sized_for: float | None = None

    def _wrapInside(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        if self._sized_for != availWidth:
            self._sized_for = availWidth
            measured = table_column_widths(self, self.canv, [None] * self._ncols, spans=True)
            self.zoom, widths = fit(self, measured, self._declared, availWidth)
            self._colWidths[:] = widths
            self.totalWidth = sum(widths)
        return super()._wrapInside(availWidth, availHeight)

    def split(self, availWidth: float, availHeight: float) -> list[Any]:
        # What is left of the table after a page is no new table: its columns and rows are what they are.
        self.__class__ = SizedTable
        try:
            return self.split(availWidth, availHeight)
        finally:
            self.__class__ = AutoTable


def fit(
    table: PmlTable, measured: tuple[list[float], list[float]], declared: list[Any], available: float
) -> tuple[float, list[float]]:
    """The factor by which `table` is shrunk and its columns' widths before that, for this room; reports a shrinking."""
    room = max(available, 1.0)
    # The engine keeps the declared width where it keeps the one it works with.
    total = table.__dict__.setdefault("declaredTotal", getattr(table, "totalWidth", None))
    if isinstance(total, str):
        total = room * float(total[:-1]) / 100
    lows, highs = measured
    zoom, widths = column_widths(lows, highs, declared, total and min(float(total), room), room)
    if zoom > 1.02:
        percent = round(100 / zoom)
        report(table.canv, "CONTENT_CLIPPED", f"A table wider than its place on the page was shrunk to {percent} %.")
    return zoom, widths
