"""Tables of a Word document (ECMA-376, part 1, 17.4) as HTML: widths, merged cells, edges, shading, repeated heads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from conversions.families.documents.ooxml.package import Element
from conversions.families.documents.word import job as kinds
from conversions.families.documents.word import properties
from conversions.families.documents.word.job import Job
from conversions.families.documents.word.looks import Css, is_dark
from conversions.families.documents.word.names import W, child, integer, on, points, pt, value
from conversions.families.documents.word.properties import Properties
from conversions.families.documents.word.styles import merged

_MOST_COLUMNS = 200
_REGIONS = (
    "band1Vert", "band2Vert", "band1Horz", "band2Horz", "firstCol", "lastCol", "firstRow", "lastRow", "neCell",
    "nwCell", "seCell", "swCell",
)  # fmt: skip
_LOOK = {
    "firstRow": 0x20,
    "lastRow": 0x40,
    "firstColumn": 0x80,
    "lastColumn": 0x100,
    "noHBand": 0x200,
    "noVBand": 0x400,
}
_SIDES = ("top", "right", "bottom", "left")

Blocks = Callable[..., str]


@dataclass
class Cell:
    element: Element
    row: int
    column: int
    columns: int
    rows: int = 1
    regions: tuple[str, ...] = ()


@dataclass
class _Style:
    """What a table style says: of the whole table, and of its regions."""

    borders: dict[str, Any] = field(default_factory=dict)
    margins: dict[str, float] = field(default_factory=dict)
    fill: str | None = None
    block: Properties = field(default_factory=dict)
    text: Properties = field(default_factory=dict)
    regions: dict[str, _Style] = field(default_factory=dict)
    bands: tuple[int, int] = (1, 1)
    valign: str | None = None

    def take(self, element: Element, job: Job) -> None:
        table, cell = child(element, "tblPr"), child(element, "tcPr")
        self.borders |= properties.borders(child(table, "tblBorders"), job.theme)
        self.borders |= properties.borders(child(cell, "tcBorders"), job.theme)
        self.margins |= _margins(child(table, "tblCellMar"))
        if (shade := child(cell, "shd")) is not None:
            self.fill = properties.shading(shade, job.theme)
        self.valign = value(child(cell, "vAlign")) or self.valign
        self.block = merged(self.block, properties.paragraph(child(element, "pPr"), job.theme))
        self.text = self.text | properties.run(child(element, "rPr"), job.theme)
        rows, columns = (integer(value(child(table, f"tblStyle{each}BandSize"))) for each in ("Row", "Col"))
        self.bands = (max(rows or self.bands[0], 1), max(columns or self.bands[1], 1))
        for each in element.iterfind(W + "tblStylePr"):
            self.regions.setdefault(each.get(W + "type") or "", _Style()).take(each, job)


class Table:
    """One table; `blocks` writes what is in a cell."""

    def __init__(self, job: Job, element: Element, blocks: Blocks) -> None:
        self._job = job
        self._blocks = blocks
        self._properties = child(element, "tblPr")
        self._style = _Style()
        name = value(child(self._properties, "tblStyle")) or job.styles.default("table")
        for each in job.styles.chain(name):
            self._style.take(each, job)
        self._borders = self._style.borders | properties.borders(child(self._properties, "tblBorders"), job.theme)
        self._margins = {"top": 0.0, "right": 5.4, "bottom": 0.0, "left": 5.4} | self._style.margins
        self._margins |= _margins(child(self._properties, "tblCellMar"))
        self._rows = _rows(element)
        self._cells, self._width = self._laid_out(element)

    def _laid_out(self, element: Element) -> tuple[list[list[Cell]], int]:
        """The cells of each row at their columns; those that continue the one above make it longer."""
        found: list[list[Cell]] = []
        above: dict[int, Cell] = {}
        most = 1
        for number, row in enumerate(self._rows):
            own = child(row, "trPr")
            column = min(integer(value(child(own, "gridBefore"))) or 0, _MOST_COLUMNS)
            cells: list[Cell] = []
            below: dict[int, Cell] = {}
            if column:
                cells.append(Cell(None, number, 0, column))
            for each in _cells(row):
                properties_ = child(each, "tcPr")
                span = max(1, min(integer(value(child(properties_, "gridSpan"))) or 1, _MOST_COLUMNS))
                merge = child(properties_, "vMerge")
                started = above.get(column)
                if merge is not None and (merge.get(W + "val") or "continue") == "continue" and started is not None:
                    started.rows += 1
                    below[column] = started
                else:
                    cell = Cell(each, number, column, span)
                    cells.append(cell)
                    if merge is not None:
                        below[column] = cell
                column = min(column + span, _MOST_COLUMNS * 4)
            above = below
            most = max(most, column)
            found.append(cells)
        return found, most

    def write(self, element: Element, room: float) -> str:
        grid = [points(each.get(W + "w")) or 0.0 for each in element.iterfind(f"{W}tblGrid/{W}gridCol")][: self._width]
        widths = grid + [0.0] * (self._width - len(grid))
        for cells in self._cells:
            for each in cells:
                if each.columns == 1 and each.element is not None and not widths[each.column]:
                    said = child(child(each.element, "tcPr"), "tcW")
                    if said is not None and said.get(W + "type") in (None, "dxa"):
                        widths[each.column] = points(said.get(W + "w")) or 0.0
        css = self._placed(widths, room)
        self._look()
        columns = "".join(f'<col style="width:{pt(each)}">' if each else "<col>" for each in widths)
        head = 0
        while head < len(self._rows) - 1 and _says(self._rows[head], "tblHeader"):
            head += 1
        if any(each.row < head < each.row + each.rows for cells in self._cells[:head] for each in cells):
            head = 0
        outermost = self._job.footed and self._job.rowed is None
        if outermost:
            self._job.rowed = []
        rows = []
        for number in range(len(self._rows)):
            rows.append(self._row(number, widths, room))
            if outermost and number >= head and self._ends_at(number):
                rows[-1] += self._room_for_notes()
        if outermost:
            self._job.rowed = None
        inside = (f"<thead>{''.join(rows[:head])}</thead>" if head else "") + f"<tbody>{''.join(rows[head:])}</tbody>"
        name = self._job.looks.name(css, "t")
        return f'<table class="{name}"><colgroup>{columns}</colgroup>{inside}</table>'

    def _ends_at(self, number: int) -> bool:
        """Whether no cell reaches from this row into the next."""
        return not any(each.row + each.rows > number + 1 for cells in self._cells[: number + 1] for each in cells)

    def _room_for_notes(self) -> str:
        """A row for the notes that were referred to since the last one, which is nowhere to be seen."""
        notes, self._job.rowed = self._job.rowed or [], []
        if not notes:
            return ""
        self._job.below |= dict.fromkeys(notes)
        inside = "".join(f'<div id="f{each}"></div>' for each in notes)
        return f'<tr><td colspan="{self._width}" style="padding:0">{inside}</td></tr>'

    def _placed(self, widths: list[float], room: float) -> Css:
        whole = sum(widths)
        said = child(self._properties, "tblW")
        kind = None if said is None else said.get(W + "type")
        css: Css = {"border-collapse": "collapse"}
        if kind == "pct" and said is not None:
            text = said.get(W + "w") or ""
            share = (integer(text.rstrip("%")) or 0) / (100 if text.endswith("%") else 5000)
            if 0 < share <= 2:
                scale = share * room / whole if whole else 0
                widths[:] = [each * scale for each in widths] if scale else [share * room / len(widths)] * len(widths)
                whole = share * room
        elif kind == "dxa" and said is not None and not whole:
            whole = points(said.get(W + "w")) or 0.0
        if whole and all(widths):
            css |= {"width": pt(whole), "table-layout": "fixed"}
        align = value(child(self._properties, "jc"))
        indent = child(self._properties, "tblInd")
        left = (points(indent.get(W + "w")) or 0.0) if indent is not None else 0.0
        if align == "center":
            css["margin"] = "0 auto"
        elif align in ("right", "end"):
            css["margin"] = "0 0 0 auto"
        else:
            css["margin-left"] = pt(left - self._margins["left"])
        if (
            value(child(self._properties, "bidiVisual")) is not None
            or child(self._properties, "bidiVisual") is not None
        ):
            css["direction"] = "rtl"
        return css

    def _look(self) -> None:
        """Which regions of the style each cell is in (17.7.6)."""
        said = child(self._properties, "tblLook")
        mask = 0x4A0
        if said is not None:
            try:
                mask = int(said.get(W + "val") or "0", 16)
            except ValueError:
                mask = 0
            for name, bit in _LOOK.items():
                if (own := said.get(W + name)) is not None:
                    mask = mask | bit if own in ("1", "true", "on") else mask & ~bit
        last_row, last_column = len(self._cells) - 1, self._width
        down, across = self._style.bands
        for number, cells in enumerate(self._cells):
            for each in cells:
                names = set()
                first_row = number == 0 and bool(mask & 0x20)
                end_row = number == last_row and bool(mask & 0x40) and last_row > 0
                first = each.column == 0 and bool(mask & 0x80)
                end = each.column + each.columns >= last_column and bool(mask & 0x100)
                row, column = number - bool(mask & 0x20), each.column - bool(mask & 0x80)
                if not mask & 0x200 and not first_row and not end_row:
                    names.add("band1Horz" if row // down % 2 == 0 else "band2Horz")
                if not mask & 0x400 and not first and not end:
                    names.add("band1Vert" if column // across % 2 == 0 else "band2Vert")
                names |= {
                    name
                    for name, there in (
                        ("firstRow", first_row),
                        ("lastRow", end_row),
                        ("firstCol", first),
                        ("lastCol", end),
                    )
                    if there
                }
                corners = (
                    ("nwCell", first_row and first),
                    ("neCell", first_row and end),
                    ("swCell", end_row and first),
                    ("seCell", end_row and end),
                )
                names |= {name for name, there in corners if there}
                each.regions = tuple(name for name in _REGIONS if name in names and name in self._style.regions)

    def _row(self, number: int, widths: list[float], room: float) -> str:
        own = child(self._rows[number], "trPr")
        css: Css = {}
        height = child(own, "trHeight")
        if height is not None and (length := points(height.get(W + "val"))):
            css["height"] = pt(min(length, 1500))
        if _says(self._rows[number], "cantSplit"):
            css["break-inside"] = "avoid"
        cells = "".join(self._cell(each, widths, room) for each in self._cells[number])
        name = self._job.looks.name(css, "r")
        return f'<tr class="{name}">{cells}</tr>' if name else f"<tr>{cells}</tr>"

    def _cell(self, cell: Cell, widths: list[float], room: float) -> str:
        span = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
        span += f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
        if cell.element is None:
            return f"<td{span}></td>"
        own = child(cell.element, "tcPr")
        if child(own, "textDirection") is not None and value(child(own, "textDirection")) not in ("lrTb", "lrTbV"):
            self._job.found[kinds.TURNED] += 1
        css: Css = {}
        block, text, fill, valign = self._style.block, self._style.text, self._style.fill, self._style.valign
        for name in cell.regions:
            region = self._style.regions[name]
            block, text = merged(block, region.block), text | region.text
            fill, valign = region.fill or fill, region.valign or valign
        if (shade := child(own, "shd")) is not None:
            fill = properties.shading(shade, self._job.theme) or fill
        if fill and fill != "transparent":
            css["background-color"] = fill
        for side, edge in self._edges(cell, own).items():
            if edge != "none":
                css[f"border-{side}"] = edge
        margins = self._margins | _margins(child(own, "tcMar"))
        css["padding"] = " ".join(pt(margins[side]) if margins[side] else "0" for side in _SIDES)
        align = {"center": "middle", "bottom": "bottom"}.get(value(child(own, "vAlign")) or valign or "")
        if align:
            css["vertical-align"] = align
        if child(own, "noWrap") is not None and on(child(own, "noWrap")):
            css["white-space"] = "nowrap"
        inner = sum(widths[cell.column : cell.column + cell.columns]) or room / max(len(widths), 1) * cell.columns
        content = self._blocks(
            cell.element, max(inner - margins["left"] - margins["right"], 10.0), table=(block, text), dark=is_dark(fill)
        )
        return f'<td{span} class="{self._job.looks.name(css, "c")}">{content}</td>'

    def _edges(self, cell: Cell, own: Element | None) -> dict[str, str]:
        """How each edge of a cell is drawn: its own word, else the regions of the style, else the table."""
        last_row = cell.row + cell.rows >= len(self._rows)
        outer = {
            "top": cell.row == 0, "bottom": last_row, "left": cell.column == 0,
            "right": cell.column + cell.columns >= self._width,
        }  # fmt: skip
        found = {}
        layers = [self._borders]
        layers += [self._style.regions[name].borders for name in cell.regions]
        direct = properties.borders(child(own, "tcBorders"), self._job.theme)
        for side in _SIDES:
            inner = "insideH" if side in ("top", "bottom") else "insideV"
            edge = ""
            for at, layer in enumerate(layers):
                said = layer.get(side if outer[side] or at else inner)
                if at and not outer[side] and said is None:
                    said = layer.get(inner)
                if said is not None:
                    edge = said[0]
            if side in direct:
                edge = direct[side][0]
            found[side] = edge or "none"
        return found


def _margins(element: Element | None) -> dict[str, float]:
    found = {}
    for each in () if element is None else element:
        side = {"start": "left", "end": "right"}.get(each.tag.rpartition("}")[2], each.tag.rpartition("}")[2])
        length = points(each.get(W + "w"))
        if side in _SIDES and length is not None and each.get(W + "type") in (None, "dxa"):
            found[side] = max(0.0, min(length, 200.0))
    return found


def _says(row: Element, name: str) -> bool:
    mark = child(child(row, "trPr"), name)
    return mark is not None and on(mark)


def _rows(table: Element) -> list[Element]:
    return _unwrapped(table, "tr")


def _cells(row: Element) -> list[Element]:
    return _unwrapped(row, "tc")


def _unwrapped(parent: Element, name: str) -> list[Element]:
    """Children of a name, also where they are in content controls or markup of others."""
    found = []
    for each in parent:
        if each.tag == W + name:
            found.append(each)
        elif each.tag in (W + "sdt", W + "sdtContent", W + "customXml", W + "ins"):
            found += _unwrapped(each, name)
    return found
