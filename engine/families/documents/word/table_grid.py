"""Word table cells by column, with formatting from table, style and cell (17.4, 17.7.6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import declared_grid, properties
from engine.families.documents.word.names import W, child, integer, points, value
from engine.families.documents.word.properties import Properties
from engine.families.documents.word.styles import Styles, merged
from engine.families.documents.word.theme import Theme

_MOST_COLUMNS = 200
_MOST_HEIGHT = 1584.0
"""Points: the tallest row of Word."""
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
SIDES = ("top", "right", "bottom", "left")


@dataclass
class Cell:
    """A cell with its position and spans; `element` is missing where a row skips it."""

    element: Element
    row: int
    column: int
    columns: int
    rows: int = 1
    regions: tuple[str, ...] = ()


@dataclass
class _Style:
    """The properties of a table style: of the whole table, and of its regions."""

    borders: dict[str, Any] = field(default_factory=dict)
    margins: dict[str, float] = field(default_factory=dict)
    fill: str | None = None
    block: Properties = field(default_factory=dict)
    text: Properties = field(default_factory=dict)
    regions: dict[str, _Style] = field(default_factory=dict)
    bands: tuple[int, int] = (1, 1)
    valign: str | None = None

    def take(self, element: Element, theme: Theme) -> None:
        table, cell = child(element, "tblPr"), child(element, "tcPr")
        self.borders |= properties.borders(child(table, "tblBorders"), theme)
        self.borders |= properties.borders(child(cell, "tcBorders"), theme)
        self.margins |= cell_margins(child(table, "tblCellMar"))
        if (shade := child(cell, "shd")) is not None:
            self.fill = properties.shading(shade, theme)
        self.valign = value(child(cell, "vAlign")) or self.valign
        self.block = merged(self.block, properties.paragraph(child(element, "pPr"), theme))
        self.text = self.text | properties.run(child(element, "rPr"), theme)
        rows, columns = (integer(value(child(table, f"tblStyle{each}BandSize"))) for each in ("Row", "Col"))
        self.bands = (max(rows or self.bands[0], 1), max(columns or self.bands[1], 1))
        for each in element.iterfind(W + "tblStylePr"):
            self.regions.setdefault(each.get(W + "type") or "", _Style()).take(each, theme)


@dataclass(frozen=True)
class CellFormatting:
    """The formatting of a cell, and its table's paragraph and text properties."""

    block: Properties
    text: Properties
    fill: str | None
    align: str
    edges: dict[str, str]
    padding: tuple[float, ...]
    """The cell padding, clockwise from the top, in points."""


def edge_width(edge: str) -> float:
    """The width of a border edge, in points."""
    length = edge.partition("pt")[0]
    return 0.0 if length == edge else float(length)


class TableGrid:
    """The rows and cells of one table."""

    def __init__(self, styles: Styles, element: Element) -> None:
        self._theme = styles.theme
        self.properties = child(element, "tblPr")
        self._style = _Style()
        name = value(child(self.properties, "tblStyle")) or styles.default("table")
        for each in styles.chain(name):
            self._style.take(each, self._theme)
        self._borders = self._style.borders | properties.borders(child(self.properties, "tblBorders"), self._theme)
        self.margins = {"top": 0.0, "right": 5.4, "bottom": 0.0, "left": 5.4} | self._style.margins
        self.margins |= cell_margins(child(self.properties, "tblCellMar"))
        declared_grid.widen(element)
        self.rows = declared_grid.rows_of(element)
        self._heights: dict[int, float | None] = {}
        self.cells, self.width = self._laid_out(element)
        self._find_regions()

    def _laid_out(self, element: Element) -> tuple[list[list[Cell]], int]:
        """The cells of each row by column; vertically merged cells extend the one above."""
        found: list[list[Cell]] = []
        above: dict[int, Cell] = {}
        most = 1
        for number, row in enumerate(self.rows):
            own = child(row, "trPr")
            column = min(integer(value(child(own, "gridBefore"))) or 0, _MOST_COLUMNS)
            cells: list[Cell] = []
            below: dict[int, Cell] = {}
            if column:
                cells.append(Cell(None, number, 0, column))
            for each in declared_grid.cells_of(row):
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

    def _find_regions(self) -> None:
        """Find the style regions of each cell (17.7.6)."""
        formatting = child(self.properties, "tblLook")
        mask = 0x4A0
        if formatting is not None:
            try:
                mask = int(formatting.get(W + "val") or "0", 16)
            except ValueError:
                mask = 0
            for name, bit in _LOOK.items():
                if (own := formatting.get(W + name)) is not None:
                    mask = mask | bit if own in ("1", "true", "on") else mask & ~bit
        last_row, last_column = len(self.cells) - 1, self.width
        down, across = self._style.bands
        for number, cells in enumerate(self.cells):
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

    def formatting(self, cell: Cell) -> CellFormatting:
        """The formatting of an existing cell."""
        own = child(cell.element, "tcPr")
        block, text, fill, valign = self._style.block, self._style.text, self._style.fill, self._style.valign
        for name in cell.regions:
            region = self._style.regions[name]
            block, text = merged(block, region.block), text | region.text
            fill, valign = region.fill or fill, region.valign or valign
        if (shade := child(own, "shd")) is not None:
            fill = properties.shading(shade, self._theme) or fill
        align = value(child(own, "vAlign")) or valign or ""
        margins = self.margins | cell_margins(child(own, "tcMar"))
        return CellFormatting(block, text, fill, align, self._edges(cell, own), tuple(margins[side] for side in SIDES))

    def height(self, cell: Cell) -> float | None:
        """The least height of the row in which a cell begins, in points, if it is set (17.4.80)."""
        if cell.row not in self._heights:
            length = points(value(child(child(self.rows[cell.row], "trPr"), "trHeight")))
            self._heights[cell.row] = length if length and 0 < length < _MOST_HEIGHT else None
        return self._heights[cell.row]

    def _edges(self, cell: Cell, own: Element | None) -> dict[str, str]:
        """Each edge of a cell: its own, else from the style's regions, else from the table."""
        last_row = cell.row + cell.rows >= len(self.rows)
        outer = {
            "top": cell.row == 0, "bottom": last_row, "left": cell.column == 0,
            "right": cell.column + cell.columns >= self.width,
        }  # fmt: skip
        found = {}
        layers = [self._borders]
        layers += [self._style.regions[name].borders for name in cell.regions]
        direct = properties.borders(child(own, "tcBorders"), self._theme)
        for side in SIDES:
            inner = "insideH" if side in ("top", "bottom") else "insideV"
            edge = ""
            for at, layer in enumerate(layers):
                declared = layer.get(side if outer[side] or at else inner)
                if at and not outer[side] and declared is None:
                    declared = layer.get(inner)
                if declared is not None:
                    edge = declared[0]
            if side in direct:
                edge = direct[side][0]
            found[side] = edge or "none"
        return found


def cell_margins(element: Element | None) -> dict[str, float]:
    """The padding of a cell, as far as it is set."""
    found = {}
    for each in () if element is None else element:
        side = {"start": "left", "end": "right"}.get(each.tag.rpartition("}")[2], each.tag.rpartition("}")[2])
        length = points(each.get(W + "w"))
        if side in SIDES and length is not None and each.get(W + "type") in (None, "dxa"):
            found[side] = max(0.0, min(length, 200.0))
    return found
