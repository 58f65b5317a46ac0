"""The displayed texts of OpenDocument cells, as stored in the file (OpenDocument 1.3, part 3, 9)."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.parsers import expat

from engine.families.data.table import Row
from engine.families.data.workbooks.sheet_rows import Show

_TABLE, _ROW, _TEXT = "table:table", "table:table-row", "text:p"
_CELLS = ("table:table-cell", "table:covered-table-cell")
_SPACES = {"text:tab": "\t", "text:line-break": "\n"}
_ASIDE = ("office:annotation", "draw:frame", "draw:custom-shape")
_MOST_REPEATED = 20_000


class _Texts:
    """The texts of cells with only a value or an error, by row and column, with repetitions expanded."""

    def __init__(self, sheet: str) -> None:
        self.sheet = sheet
        self.rows: dict[int, dict[int, str]] = {}
        self.errors: set[int] = set()
        self.failed: dict[int, set[int]] = {}
        self.inside = False
        self.row = self.column = self.aside = 0
        self.rows_repeated = self.columns_repeated = 1
        self.line: dict[int, str] = {}
        self.pieces: list[str] | None = None
        self.value = self.error = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == _TABLE:
            self.inside = attributes.get("table:name") == self.sheet
            self.row = 0
        elif not self.inside:
            return
        elif name == _ROW:
            self.rows_repeated = int(attributes.get("table:number-rows-repeated", 1))
            self.line, self.errors, self.column = {}, set(), 0
        elif name in _CELLS:
            self.columns_repeated = int(attributes.get("table:number-columns-repeated", 1))
            self.value = attributes.get("office:value-type", "string") != "string"
            self.error = attributes.get("calcext:value-type") == "error"  # with an empty text as its value
            self.pieces = None
        elif name in _ASIDE:
            self.aside += 1
        elif self.aside:
            return
        elif name == _TEXT:
            self.pieces = [] if self.pieces is None else [*self.pieces, "\n"]
        elif name == "text:s" and self.pieces is not None:
            self.pieces.append(" " * min(int(attributes.get("text:c", 1)), _MOST_REPEATED))
        elif name in _SPACES and self.pieces is not None:
            self.pieces.append(_SPACES[name])

    def text(self, data: str) -> None:
        if self.inside and self.pieces is not None and not self.aside:
            self.pieces.append(data)

    def end(self, name: str) -> None:
        if not self.inside:
            return
        if name == _TABLE:
            self.inside = False
        elif name in _ASIDE:
            self.aside -= 1
        elif name in _CELLS:
            if (self.value or self.error) and self.pieces:
                for column in range(self.column, self.column + min(self.columns_repeated, _MOST_REPEATED)):
                    self.line[column] = "".join(self.pieces)
                    if self.error:
                        self.errors.add(column)
            self.column += self.columns_repeated
            self.pieces = None
        elif name == _ROW:
            rows = range(self.row, self.row + min(self.rows_repeated, _MOST_REPEATED))
            if self.line:
                self.rows |= dict.fromkeys(rows, self.line)
            if self.errors:
                self.failed |= dict.fromkeys(rows, self.errors)
            self.row += self.rows_repeated


def show(file: Path, sheet: str) -> Show:
    """A function that replaces the values of cells by their displayed texts."""
    texts = _Texts(sheet)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = texts.start
    parser.EndElementHandler = texts.end
    parser.CharacterDataHandler = texts.text
    with zipfile.ZipFile(file) as archive, archive.open("content.xml") as part:
        parser.ParseFile(part)

    def put(rows: list[Row], base: int, left: int) -> None:
        for at, row in enumerate(rows, base):
            failed = texts.failed.get(at, ())
            for column, text in texts.rows.get(at, {}).items():
                if 0 <= column - left < len(row) and (row[column - left] not in (None, "") or column in failed):
                    row[column - left] = text

    return put
