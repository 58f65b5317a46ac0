"""Draw the pages of laid out sheets: cells, what is placed on them, headings, headers and footers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from engine.families.data.cell_references import Area, column_name
from engine.families.data.printed import charts, heads, lines, paging, pictures, text_boxes
from engine.families.data.printed.lines import Missing
from engine.families.data.printed.looks import Font, Run
from engine.families.data.printed.metafiles import Metafiles
from engine.families.data.printed.paging import HEADING_HEIGHT, Sheet
from engine.families.data.printed.pictures import Pictures
from engine.families.data.printed.sheets import Printed
from engine.families.data.printed.text_boxes import TextBox
from engine.families.data.printed.texts import Pen
from engine.toolkit.charts.figures import Drawing

_OUTSIDE = ("http://", "https://", "mailto:", "ftp://")
_MOST_PLACED = 20_000
_HEADING = Font("Arial", 8.0)


class Pages:
    """Draws sheets one after another on a canvas."""

    def __init__(
        self, canvas: Canvas, chart: Callable[[Any, tuple[float, float]], Drawing | None], file: str, now: datetime,
        missing: Missing, metafiles: Metafiles,
    ) -> None:  # fmt: skip
        self.canvas, self.chart, self.file, self.now, self.missing = canvas, chart, file, now, missing
        self.pictures = Pictures(metafiles)
        self.undrawn: Counter[str] = Counter()
        self.heads: list[str] = []
        """The texts of headers and footers."""
        self._unknown: set[str] = set()
        self._drawn: dict[int, Drawing | None] = {}
        self._placements = 0
        self.shown: set[int] = set()
        """The identities of the pictures and charts that are on a page."""

    def draw(self, sheets: Sequence[Printed], on_page: Callable[[int, int], None]) -> None:
        """Draw all pages of the sheets."""
        total = sum(len(each.pages) for each in sheets)
        names = {each.name: f"sheet{at}" for at, each in enumerate(sheets) if each.pages}
        done = 0
        number = 1
        for at, sheet in enumerate(sheets):
            if sheet.looks.setup.first_number is not None:
                number = sheet.looks.setup.first_number
            for index, (page, scale) in enumerate(sheet.pages):
                self.canvas.setPageSize((sheet.room.width, sheet.room.height))
                if not index:
                    self.canvas.bookmarkPage(f"sheet{at}")
                    if len(names) > 1:
                        self.canvas.addOutlineEntry(sheet.name, f"sheet{at}")
                self._page(sheet, page, scale, names)
                # After the cells, which may reach below it.
                self._head(sheet, scale, number, total, first=index == 0)
                self.canvas.showPage()
                done, number = done + 1, number + 1
                on_page(done, total)
            sheet.cells.forget()
        if self._unknown:
            self.undrawn["codes"] += len(self._unknown)

    def _page(self, sheet: Printed, page: Sheet, scale: float, names: dict[str, str]) -> None:
        grid, setup, room, canvas = sheet.grid, sheet.looks.setup, sheet.room, self.canvas
        rows = [each for each in (page.title_rows, page.rows) if each]
        columns = [each for each in (page.title_columns, page.columns) if each]
        wide = sum(grid.xs[last + 1] - grid.xs[first] for first, last in columns)
        high = sum(grid.ys[last + 1] - grid.ys[first] for first, last in rows)
        beside = paging.heading_width(grid) if setup.headings else 0.0
        above = HEADING_HEIGHT if setup.headings else 0.0
        top, _, _, left = room.margins
        inner = room.inner
        across, down = setup.centred
        x = left + (max(inner[0] - (wide + beside) * scale, 0.0) / 2 if across else 0.0)
        y = room.height - top - (max(inner[1] - (high + above) * scale, 0.0) / 2 if down else 0.0)
        links: list[tuple[str, tuple[float, ...]]] = []
        canvas.saveState()
        canvas.translate(x, y)
        canvas.scale(scale, scale)
        if sheet.looks.right_to_left:
            columns = columns[::-1]
        at_y = -above
        for row in rows:
            at_x = beside
            for column in columns:
                area = Area(row[0], column[0], row[1], column[1])
                sheet.cells.draw(canvas, area, at_x, at_y, links=links)
                self._placed(sheet, area, at_x, at_y)
                at_x += grid.xs[column[1] + 1] - grid.xs[column[0]]
            at_y -= grid.ys[row[1] + 1] - grid.ys[row[0]]
        if setup.headings:
            self._headings(sheet, rows, columns, beside)
        canvas.restoreState()
        for target, box in links:
            place = (x + box[0] * scale, y + box[1] * scale, x + box[2] * scale, y + box[3] * scale)
            if target.startswith("#"):
                name = target[1:].rpartition("!")[0].strip("'").replace("''", "'") or sheet.name
                if name in names:
                    canvas.linkAbsolute("", names[name], place, thickness=0)
                else:
                    self.undrawn["links"] += 1
            elif target.lower().startswith(_OUTSIDE):
                canvas.linkURL(target, place, relative=0, thickness=0)
            else:
                self.undrawn["links"] += 1

    def _placed(self, sheet: Printed, area: Area, x: float, y: float) -> None:
        left, top, right, bottom = sheet.grid.box(area)
        for item in sheet.placed_on(area):
            if self._placements == _MOST_PLACED:
                return
            self._placements += 1
            box = pictures.place(item, sheet.grid)
            if box[0] >= right or box[2] <= left or box[1] >= bottom or box[3] <= top or box[0] >= box[2]:
                continue
            self.canvas.saveState()
            path = self.canvas.beginPath()
            path.rect(x, y - (bottom - top), right - left, bottom - top)
            self.canvas.clipPath(path, stroke=0, fill=0)
            place = x + box[0] - left, y - (box[3] - top), box[2] - box[0], box[3] - box[1]
            if item.picture:
                picture = self.pictures.opened(item)
                if picture is not None:
                    self.shown.add(id(item))
                    pictures.draw(self.canvas, picture, place, item.turn)
            elif isinstance(item.box, TextBox):
                self.shown.add(id(item))
                text_boxes.draw(self.canvas, item.box, place, item.turn, self.missing)
            else:
                key = id(item)
                if key not in self._drawn:
                    self._drawn[key] = self.chart(item.chart, (place[2], place[3]))
                if (drawing := self._drawn.get(key)) is not None:
                    self.shown.add(key)
                    charts.draw(self.canvas, drawing, (place[0], place[1]), self.missing)
            self.canvas.restoreState()

    def _headings(
        self, sheet: Printed, rows: list[tuple[int, int]], columns: list[tuple[int, int]], beside: float
    ) -> None:
        grid, canvas = sheet.grid, self.canvas
        pen = Pen(canvas, grey=False)
        canvas.setLineWidth(0.25)
        canvas.setStrokeGray(0.5)
        canvas.setDash([], 0)
        marks: list[tuple[str, float, float, float, float]] = []
        at = beside
        for first, last in columns:
            for column in range(first, last + 1):
                if grid.widths[column]:
                    marks.append((column_name(column), at, -HEADING_HEIGHT, grid.widths[column], HEADING_HEIGHT))
                    at += grid.widths[column]
        at = -HEADING_HEIGHT
        for first, last in rows:
            for row in range(first, last + 1):
                if grid.heights[row]:
                    at -= grid.heights[row]
                    marks.append((str(row + 1), 0.0, at, beside, grid.heights[row]))
        for _, x, y, wide, high in marks:
            canvas.rect(x, y, wide, high, stroke=1, fill=0)
        pen.open()
        for text, x, y, wide, high in marks:
            line = lines.one_line(text, _HEADING, self.missing)
            pen.line(line, x + (wide - line.width) / 2, y + (high - line.height) / 2 + line.descent)
        pen.close()

    def _head(self, sheet: Printed, scale: float, number: int, total: int, *, first: bool) -> None:
        setup, room = sheet.looks.setup, sheet.room
        kind = 2 if first and not setup.same_first else 1 if number % 2 == 0 and not setup.same_even else 0
        _, right, _, left = room.margins
        if not setup.head_aligns:
            left = right = 50.4
        font = Font(sheet.looks.normal.name, sheet.looks.normal.size)
        facts = heads.Facts(number, total, sheet.name, self.file, self.now)
        size = scale if setup.head_scales else 1.0
        for code, is_head in ((setup.heads[kind], True), (setup.feet[kind], False)):
            if not code:
                continue
            for at, runs in enumerate(heads.parts(code, font, facts, self._unknown.add)):
                if runs:
                    self._part(sheet, runs, font, at, (left, right), is_head=is_head, size=size)

    def _part(
        self, sheet: Printed, runs: list[Run], font: Font, at: int, sides: tuple[float, float], *, is_head: bool,
        size: float,
    ) -> None:  # fmt: skip
        room, setup = sheet.room, sheet.looks.setup
        sized = [Run(each.text, replace(each.font or font, size=(each.font or font).size * size)) for each in runs]
        found = lines.lines(sized, sized[0].font or font, max(room.width - sum(sides), 36.0), self.missing)
        self.heads.append(" ".join("".join(piece.text for piece in each.pieces) for each in found))
        y = room.height - setup.head_margin if is_head else setup.foot_margin + sum(each.height for each in found)
        pen = Pen(self.canvas, grey=setup.grey)
        pen.open()
        for line in found:
            y -= line.ascent
            x = (sides[0], (sides[0] + room.width - sides[1] - line.width) / 2, room.width - sides[1] - line.width)[at]
            pen.line(line, x, y)
            y -= line.descent
        pen.close()
