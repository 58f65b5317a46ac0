"""Read the layout of OpenDocument sheets, except merged areas (OpenDocument 1.3, part 3, 9)."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.parsers import expat

from engine.families.data.cell_references import COLUMNS
from engine.families.data.workbooks import ods_formats
from engine.families.data.workbooks.facts import SheetFacts

_LENGTH = re.compile(r"([\d.]+)(cm|mm|in|pt|pc|px)")
_INCHES = {"cm": 1 / 2.54, "mm": 1 / 25.4, "in": 1.0, "pt": 1 / 72, "pc": 1 / 6, "px": 1 / 96}
INCH = 96 / 7
"""Characters per inch: 96 pixels, and 7 for the widest digit of the default font."""
USUAL = 2.258 / 2.54
"""The default column width in inches."""
_HIDDEN = ("collapse", "filter")
_CELLS = ("table:table-cell", "table:covered-table-cell")
_MOST_REPEATED = 20_000


def inches(length: str) -> float:
    """An OpenDocument length in inches; 0 if it is invalid."""
    match = _LENGTH.fullmatch(length)
    return float(match[1]) * _INCHES[match[2]] if match else 0.0


def is_usual(width: float) -> bool:
    """Whether a width in inches, or 0 for none, is the default."""
    return not width or abs(width - USUAL) < 0.02


def read(file: Path, sheet: str) -> tuple[SheetFacts, dict[int, dict[int, str]]]:
    """The layout of a sheet, and the format codes of its cells by row and column."""
    layout = _Layout(sheet)
    with zipfile.ZipFile(file) as archive:
        for name in ("styles.xml", "content.xml"):
            if name in archive.namelist():
                parser = expat.ParserCreate()
                parser.buffer_text = True
                parser.StartElementHandler = layout.start
                parser.EndElementHandler = layout.end
                parser.CharacterDataHandler = layout.text
                with archive.open(name) as part:
                    parser.ParseFile(part)
    return layout.facts, layout.formats


class _Layout:
    def __init__(self, sheet: str) -> None:
        self.sheet = sheet
        self.facts = SheetFacts()
        self.formats: dict[int, dict[int, str]] = {}
        self.styles = ods_formats.Styles()
        self.widths: dict[str, float] = {}
        self.style = ""
        self.inside = False
        self.row = self.column = self.place = 0
        self.rows = self.columns = 1
        self.defaults: list[tuple[range, str]] = []
        self.note: list[str] | None = None
        self.paragraph = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if not self.inside:
            self._outside(name, attributes)
        elif name == "table:table-column":
            self._column(attributes)
        elif name == "table:table-row":
            self.rows = int(attributes.get("table:number-rows-repeated", 1))
            self.column = 0
            if attributes.get("table:visibility") in _HIDDEN:
                self.facts.hidden_rows.update(range(self.row, self.row + min(self.rows, _MOST_REPEATED)))
        elif name in _CELLS:
            self.columns = int(attributes.get("table:number-columns-repeated", 1))
            if attributes.get("office:value-type", "string") != "string":
                self._format(attributes.get("table:style-name", ""))
        elif name == "office:annotation":
            self.note = []
        elif name == "text:p" and self.note is not None:
            self.paragraph = True
            self.note += ["\n"] if self.note else []
        elif name == "text:a" and self.note is None:
            link = attributes.get("xlink:href", "")
            self.facts.links.setdefault((self.row, self.column), _within(link))

    def _outside(self, name: str, attributes: dict[str, str]) -> None:
        if name == "table:table":
            self.inside = attributes.get("table:name") == self.sheet
        elif name == "style:style":
            self.style = attributes.get("style:name", "")
            self.styles.declare(attributes)
        elif name == "style:table-column-properties":
            self.widths[self.style] = inches(attributes.get("style:column-width", ""))
        else:
            self.styles.start(name, attributes)

    def _column(self, attributes: dict[str, str]) -> None:
        count = int(attributes.get("table:number-columns-repeated", 1))
        columns = range(self.place, min(self.place + count, COLUMNS))
        self.place += count
        width = self.widths.get(attributes.get("table:style-name", ""), 0.0)
        if attributes.get("table:visibility") in _HIDDEN:
            self.facts.hidden_columns.update(columns)
        elif not is_usual(width):
            self.facts.widths.update(dict.fromkeys(columns, min(width * INCH, 255.0)))
        self.defaults.append((columns, attributes.get("table:default-cell-style-name", "")))

    def _format(self, style: str) -> None:
        style = style or next((name for columns, name in self.defaults if self.column in columns), "")
        code = self.styles.code(style)
        if code:
            cells = dict.fromkeys(range(self.column, self.column + min(self.columns, _MOST_REPEATED)), code)
            for row in range(self.row, self.row + min(self.rows, _MOST_REPEATED)):
                self.formats.setdefault(row, {}).update(cells)

    def text(self, data: str) -> None:
        if self.paragraph and self.note is not None:
            self.note.append(data)
        elif not self.inside:
            self.styles.text(data)

    def end(self, name: str) -> None:
        if not self.inside:
            self.styles.end(name)
        elif name == "table:table":
            self.inside = False
        elif name == "table:table-row":
            self.row += self.rows
        elif name in _CELLS:
            self.column += self.columns
        elif name == "text:p":
            self.paragraph = False
        elif name == "office:annotation":
            self.facts.notes[self.row, self.column] = "".join(self.note or ())
            self.note = None


def _within(link: str) -> str:
    """A link into the workbook in Excel's form, #Sheet1!A1; others unchanged."""
    return re.sub(r"^#\$?([^!]*)\.(\$?[A-Z]+\$?\d+(?::.*)?)$", r"#\1!\2", link)
