"""Sheet bounds: how many cells a workbook's sheets span, seen in its XML before a library makes room for them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from conversions.families.data.readers import ods_breaks
from conversions.families.data.readers.xml_text import check_form
from conversions.toolkit import office_links

MAX_SHEET_CELLS = 20_000_000
"""A sheet is held as a full rectangle of about 32 bytes a cell, whether or not its cells are filled."""

# What begins with a letter is searched for twice as fast as what begins with white space.
_PLACE = rb"""r(?<=\sr)\s*=\s*["']"""
_COLUMN = re.compile(_PLACE + rb"([A-Za-z]{1,7})\d")
_ROW = re.compile(_PLACE + rb"[A-Za-z]*(\d{1,9})")
_UNPLACED = rb"(?!\s+r\s*=)[\s/>]"
# Colons are rare in a sheet, so that they are what is searched for.
_PREFIXED = re.compile(rb":(?:c|row)[\s/>]")
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
_END = 100_000
_SHEET = re.compile(r"<(?:\w+:)?sheet\s[^>]*>")
_ATTRIBUTE = re.compile(r"""([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_RELATION = re.compile(r"<(?:\w+:)?Relationship\s[^>]*>")
_XLSX_DRAWING = re.compile(rb"<(?:\w+:)?(?:pic|graphicFrame)[\s>]")

_ODS_ROW = re.compile(rb"<table:table-row([^>]*?)(?:/>|>(.*?)</table:table-row>)", re.DOTALL)
_ODS_CELL = re.compile(rb"<table:(?:covered-)?table-cell([^>]*?)(/?)>")
_ROWS_REPEATED = re.compile(rb"""number-rows-repeated\s*=\s*["'](\d+)""")
_COLUMNS_REPEATED = re.compile(rb"""number-columns-repeated\s*=\s*["'](\d+)""")


@dataclass
class SheetFacts:
    """What one sheet's XML tells: the cells of the area it spans, and how many formulas and error values it has."""

    cells: int = 0
    formulas: int = 0
    errors: int = 0


@dataclass
class WorkbookFacts:
    """What was seen of each part of a workbook; sheets are found by name where the workbook names their parts.

    `breaks` tells that cells of an ods file have tabs or line breaks in them, `drawings` counts pictures and charts,
    and `outside` has the addresses of what is not in the file.
    """

    parts: dict[str, SheetFacts] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    breaks: bool = False
    drawings: int = 0
    outside: list[str] = field(default_factory=list)

    def _part(self, sheet: str) -> SheetFacts:
        target = self.targets.get(self.names.get(sheet, ""), "")
        return self.parts.get(target.removeprefix("/").removeprefix("xl/"), SheetFacts())

    def cells(self, sheet: str) -> int:
        # A sheet that can't be told apart counts as the largest.
        part = self._part(sheet)
        return part.cells or max((each.cells for each in self.parts.values()), default=0)

    def formulas(self, sheet: str) -> int:
        return self._part(sheet).formulas

    def errors(self, sheet: str) -> int:
        return self._part(sheet).errors


def xlsx_inspector(facts: WorkbookFacts) -> Callable[[str, bytes], None]:
    """Look at each part of an xlsx file (ECMA-376, part 1, section 18)."""

    def inspect(name: str, data: bytes) -> None:
        facts.outside += office_links.outside(name, data)
        facts.drawings += len(_XLSX_DRAWING.findall(data)) if name.startswith("xl/drawings/") else 0
        if name == "xl/workbook.xml":
            for tag in _SHEET.findall(data.decode("utf-8", "replace")):
                attributes = _attributes(tag)
                relation = next((value for key, value in attributes.items() if key.endswith(":id")), "")
                facts.names[attributes.get("name", "")] = relation
        elif name == "xl/_rels/workbook.xml.rels":
            for tag in _RELATION.findall(data.decode("utf-8", "replace")):
                attributes = _attributes(tag)
                facts.targets[attributes.get("Id", "")] = attributes.get("Target", "")
        elif b"<sheetData" in data or b":sheetData" in data:
            prefixed = _PREFIXED.search(data) is not None
            facts.parts[name.removeprefix("xl/")] = SheetFacts(
                cells=_xlsx_cells(data, prefixed=prefixed),
                formulas=len(_FORMULA.findall(data)),
                errors=data.count(b't="e"'),
            )

    return inspect


def _attributes(tag: str) -> dict[str, str]:
    return {key: html.unescape(first or second) for key, first, second in _ATTRIBUTE.findall(tag)}


def _xlsx_cells(data: bytes, *, prefixed: bool) -> int:
    """How many cells the sheet spans at most: those of all rows up to the last and all columns up to the last."""
    if not prefixed and 0 < (bound := _roughly(data)) <= MAX_SHEET_CELLS:
        return bound
    rows = max(map(int, set(_ROW.findall(data))), default=0)
    columns = max(map(_index, set(_COLUMN.findall(data))), default=0)
    # What has no position follows the one before it, or begins its row or sheet.
    tag = rb"<(?:\w+:)?" if prefixed else b"<"
    rows += len(re.findall(tag + b"row" + _UNPLACED, data))
    columns += max(len(re.findall(tag + b"c" + _UNPLACED, part)) for part in data.split(b"row"))
    return rows * columns


def _roughly(data: bytes) -> int:
    """A bound for `_xlsx_cells`, seen without reading each position; 0 where none is seen.

    The last row and the last column that are named near the sheet's two ends are taken for the last of all: then it is
    searched for a row or a cell that has no position, or one that is not among them.
    """
    ends = data[:_END] + data[-_END:]
    columns, rows = _COLUMN.findall(ends), _ROW.findall(ends)
    if not columns:
        return 0
    last = max(columns, key=_index).upper()
    highest = str(max(map(int, rows)))
    # All names with as many letters and not a later first one, all numbers with as many digits and not a higher one.
    column = rb"[A-%c][A-Z]{%d}|[A-Z]{0,%d}" % (last[0], len(last) - 1, len(last) - 1)
    row = rb"[0-%c]\d{%d}|\d{0,%d}" % (ord(highest[0]), len(highest) - 1, len(highest) - 1)
    # One after the other: what begins with two fixed letters is searched for faster than what begins with one.
    if re.search(rb"""<c(?!\s+r="(?:%s)(?:%s)")[\s/>]""" % (column, row), data):
        return 0
    if re.search(rb"""<row(?!\s+r="(?:%s)")[\s/>]""" % row, data):
        return 0
    return int(highest[0] + "9" * (len(highest) - 1)) * _index(bytes([last[0]]) + b"Z" * (len(last) - 1))


def _index(letters: bytes) -> int:
    index = 0
    for letter in letters.upper():
        index = index * 26 + letter - 64
    return index


def ods_inspector(facts: WorkbookFacts) -> Callable[[str, bytes], None]:
    """Look at the content of an ods file (OpenDocument 1.3, part 3, section 9); repeated empty cells take no room."""

    def inspect(name: str, data: bytes) -> None:
        if name != "content.xml":
            return
        facts.outside += office_links.outside(name, data)
        facts.drawings += data.count(b"<draw:frame ") + data.count(b"<draw:frame>")
        # The library that reads it waits for closing tags beyond the end of the file.
        check_form(data)
        facts.breaks = ods_breaks.present(data)
        for content in data.split(b"<table:table ")[1:]:
            attributes = _attributes(content[: content.find(b">")].decode("utf-8", "replace"))
            sheet = attributes.get("table:name", "")
            facts.names[sheet] = facts.targets[sheet] = sheet
            facts.parts[sheet] = SheetFacts(cells=_ods_cells(content), formulas=content.count(b"table:formula="))

    return inspect


def _ods_cells(table: bytes) -> int:
    if b"-repeated" not in table:
        return table.count(b"<table:table-cell") + table.count(b"<table:covered-table-cell")
    height, width, rows = 0, 0, 0
    for attributes, body in _ODS_ROW.findall(table):
        repeated = _ROWS_REPEATED.search(attributes)
        rows += int(repeated[1]) if repeated else 1
        position = filled = 0
        for cell, closed in _ODS_CELL.findall(body):
            times = _COLUMNS_REPEATED.search(cell)
            position += int(times[1]) if times else 1
            if not closed or b"value" in cell or b"formula" in cell:
                filled = position
        if filled:
            height, width = rows, max(width, filled)
    return height * width
