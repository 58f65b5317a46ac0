"""The looks of the sheets of an OpenDocument spreadsheet, read beside their values (OpenDocument 1.3, part 3, 9)."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area, Place
from engine.families.data.printed import ods_setup
from engine.families.data.printed.looks import Anchor, Cell, Looks, Placed, Run
from engine.families.data.printed.ods_styles import USUAL, Styles, points
from engine.families.data.printed.xlsx_parts import Parts
from engine.families.data.printed.xlsx_sheets import Book
from engine.toolkit.xml_elements import child, children, given, local, number

_TAGS = ("font-face-decls", "automatic-styles", "table-column", "table-row", "shapes", "conditional-formats", "table")
_KINDS = {"float": "n", "percentage": "n", "currency": "n", "date": "n", "time": "n", "boolean": "b", "string": "s"}
_MANY = 1_000
"""Repetitions of empty cells and rows from which they are the rest of the sheet."""
_CONDITIONS = ("condition", "color-scale", "data-bar", "icon-set", "date-is")
_SHAPES = ("custom-shape", "line", "rect", "ellipse", "circle", "path", "polygon", "polyline", "connector", "control")


class _Reader:
    def __init__(self, parts: Parts) -> None:
        self.parts, self.styles, self.book = parts, Styles(parts), Book()
        self.styles.number_of("")
        self.links: dict[Place, str] = {}
        self.looks = self._new()
        self.row = self.column = 0
        self.defaults: list[int] = []
        """The style of cells without one, by column."""

    def _new(self) -> Looks:
        looks = Looks(self.styles.list, USUAL)
        looks.usual_width, looks.usual_height = 64.0, 12.8
        looks.links = self.links = {}
        self.row = self.column = 0
        self.defaults = []
        return looks

    def see(self, element: Any) -> None:
        kind = local(element)
        if kind in ("font-face-decls", "automatic-styles"):
            self.styles.add(copy.deepcopy(element))
        elif kind == "table-column":
            self._column(element)
        elif kind == "table-row":
            self._row(element)
        elif kind == "shapes":
            self._placed(element, None)
        elif kind == "conditional-formats":
            names = (local(each) for each in element.iter() if isinstance(each.tag, str))
            self.book.lost["conditions"] += sum(each in _CONDITIONS for each in names)
        elif local(element.getparent()) == "spreadsheet":
            style = given(element, "style-name") or ""
            self.looks.setup = ods_setup.setup(self.styles, style)
            self.looks.areas = ods_setup.areas(given(element, "print-ranges") or "")
            self.looks.right_to_left = (self.styles.property("table", style, "writing-mode") or "").startswith("rl")
            self.book.sheets[given(element, "name") or ""] = self.looks
            self.looks = self._new()

    def _column(self, element: Any) -> None:
        count = max(int(number(given(element, "number-columns-repeated"), 1)), 1)
        columns = range(self.column, min(self.column + count, places.COLUMNS))
        self.column += count
        if not columns:
            return
        name = given(element, "style-name") or ""
        width = points(self.styles.property("table-column", name, "column-width"), self.looks.usual_width)
        if (given(element, "visibility") or "visible") != "visible":
            width = 0.0
        self.looks.widths.append((columns, width, 0))
        default = self.styles.number_of(given(element, "default-cell-style-name") or "")
        self.defaults += [default] * len(columns)
        if self.styles.property("table-column", name, "break-before") == "page":
            self.looks.column_breaks.add(columns.start)
        if local(element.getparent()) == "table-header-columns":
            first = self.looks.title_columns[0] if self.looks.title_columns else columns.start
            self.looks.title_columns = (first, columns[-1])

    def _row(self, element: Any) -> None:
        looks = self.looks
        count = max(int(number(given(element, "number-rows-repeated"), 1)), 1)
        name = given(element, "style-name") or ""
        cells = self._cells(element)
        filled = any(each.kind for each in cells.values())
        shown = count if filled or count <= _MANY else 0
        height = self.styles.property("table-row", name, "row-height")
        hidden = (given(element, "visibility") or "visible") != "visible"
        fixed = self.styles.property("table-row", name, "use-optimal-row-height") == "false"
        for row in range(self.row, min(self.row + shown, places.ROWS)):
            if hidden:
                looks.hidden_rows.add(row)
            elif height:
                looks.heights[row] = min(max(points(height), 0.0), 2_000.0)
            if fixed:
                looks.fixed_rows.add(row)
            if cells:
                looks.cells[row] = cells
        if self.styles.property("table-row", name, "break-before") == "page":
            looks.row_breaks.add(self.row)
        if local(element.getparent()) == "table-header-rows":
            looks.title_rows = (looks.title_rows[0] if looks.title_rows else self.row, self.row + count - 1)
        self.row += count

    def _cells(self, element: Any) -> dict[int, Cell]:
        found: dict[int, Cell] = {}
        at = 0
        inherited = given(element, "default-cell-style-name")
        for each in children(element, "table-cell", "covered-table-cell"):
            count = max(int(number(given(each, "number-columns-repeated"), 1)), 1)
            kind = _KINDS.get(given(each, "value-type") or "", "s" if child(each, "p") is not None else "")
            if kind or count <= _MANY:
                own = given(each, "style-name") or inherited
                for column in range(at, min(at + count, places.COLUMNS)):
                    style = self._default(column) if own is None else self.styles.number_of(own)
                    if kind or self.styles.list[style].is_visible:
                        value = number(given(each, "value")) if kind == "n" else None
                        found[column] = Cell(style, kind, self._runs(each, style) if kind == "s" else None, value)
            down, across = (int(number(given(each, f"number-{name}-spanned"), 1)) for name in ("rows", "columns"))
            if (down > 1 or across > 1) and local(each) == "table-cell":
                self.looks.merged.append(Area(self.row, at, self.row + max(down, 1) - 1, at + max(across, 1) - 1))
            for link in each.iter() if child(each, "p") is not None else ():
                if isinstance(link.tag, str) and local(link) == "a" and (target := given(link, "href")):
                    self.links[self.row, at] = _within(target)
            self._placed(each, at)
            at += count
        return found

    def _default(self, column: int) -> int:
        return self.defaults[column] if column < len(self.defaults) else 0

    def _runs(self, cell: Any, style: int) -> tuple[Run, ...] | None:
        paragraphs = list(children(cell, "p"))
        if not any(local(each) == "span" for paragraph in paragraphs for each in children(paragraph)):
            return None
        font = self.styles.list[style].font
        found: list[Run] = []
        for at, paragraph in enumerate(paragraphs):
            found.append(Run(("\n" if at else "") + (paragraph.text or "")))
            for each in children(paragraph):
                own = self.styles.span(given(each, "style-name") or "", font) if local(each) == "span" else None
                text = (
                    " " * int(min(number(given(each, "c"), 1), 100)) if local(each) == "s" else "".join(each.itertext())
                )
                found += [Run(text, own), Run(each.tail or "")]
        return tuple(each for each in found if each.text)

    def _placed(self, element: Any, column: int | None) -> None:
        for frame in children(element, "frame", *_SHAPES, "g"):
            if local(frame) != "frame":
                self.book.lost["shapes"] += 1
                continue
            image = child(frame, "image")
            if child(frame, "object") is not None:
                self.book.lost["charts"] += 1
            elif image is not None and (data := self.parts.picture((given(image, "href") or "").removeprefix("./"))):
                x, y, wide, high = (points(given(frame, each)) for each in ("x", "y", "width", "height"))
                anchor = (
                    Anchor(size=(wide, high), at=(x, y))
                    if column is None
                    else Anchor((column, x, self.row, y), size=(wide, high))
                )
                self.looks.placed.append(Placed(anchor, picture=data))
            else:
                self.book.lost["shapes" if image is None else "pictures"] += 1


def _within(link: str) -> str:
    """A link into the workbook in Excel's form."""
    return f"#{link[1:].replace('.', '!', 1).lstrip('$')}" if link.startswith("#") else link


def read(file: Path) -> Book:
    """The looks of all sheets."""
    with Parts(file) as parts:
        reader = _Reader(parts)
        for element in parts.elements("content.xml", _TAGS):
            reader.see(element)
    for looks in reader.book.sheets.values():
        looks.rules = len(looks.row_breaks) + len(looks.column_breaks) + len(looks.areas) + bool(looks.title_rows)
    return reader.book
