"""Facts about sheets in the parts of OpenDocument spreadsheets (OpenDocument 1.3, part 3, 9)."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from xml.parsers import expat

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area
from engine.families.data.features import Feature
from engine.families.data.workbooks import ods_breaks, ods_layout, sheet_bounds
from engine.families.data.workbooks.facts import SheetFacts, WorkbookFacts, attributes
from engine.toolkit import office_links
from engine.toolkit.failures import OverLimit, Unreadable

_HIDDEN_ROW = re.compile(rb"""<table:table-row\b[^<>]*table:visibility=["'](?:collapse|filter)""")
_HIDDEN_COLUMN = re.compile(rb"""<table:table-column\b[^<>]*table:visibility=["'](?:collapse|filter)""")
_UNCALCULATED = re.compile(
    rb"""<table:table-cell\b(?![^<>]*office:value-type)[^<>]*table:formula=(?:"([^"]*)"|'([^']*)')"""
)
_ERROR = re.compile(rb"""calcext:value-type=["']error["']""")
_TELLING = re.compile(rb"""office:value-type=["'](percentage|currency)""")
_CHART = re.compile(rb"<draw:object\b")
_PICTURE = re.compile(rb"<draw:image\b")
_SHAPE = re.compile(rb"<draw:(?:custom-shape|line|rect|ellipse|circle|path|polygon|polyline|connector|control)\b")
_ROW_OR_CELL = re.compile(rb"<table:(table-row|table-cell|covered-table-cell)\b([^<>]*)>")
_STYLE = re.compile(rb"<style:style\b([^<>]*[^/<>])>(.*?)(?:</style:style>|\Z)", re.DOTALL)
_WIDTH = re.compile(rb"""style:column-width=["']([^"']*)""")
_FILLED = re.compile(rb"""<style:table-cell-properties\b[^<>]*fo:background-color=["']#""")
_COLUMN = re.compile(rb"<table:table-column\b[^<>]*>")
_WIDEST = (1_024, places.COLUMNS)
"""The columns of a sheet in LibreOffice: what reaches to the last of them has the width of the sheet."""
_SPANS = re.compile(rb"""number-(rows|columns)-(spanned|repeated)\s*=\s*["'](\d{1,7})""")


def inspector(facts: WorkbookFacts) -> Callable[[str, bytes], None]:
    """A function that inspects each part of the file by name and content."""

    def inspect(name: str, data: bytes) -> None:
        if name != "content.xml":
            return
        facts.outside += office_links.external_addresses(name, data)
        # The reading library waits for closing tags beyond the end of the file.
        _check_form(data)
        facts.breaks = ods_breaks.present(data)
        styles = _Looks(data[: data.find(b"<office:body")])
        for content in data.split(b"<table:table ")[1:]:
            sheet = attributes(content[: content.find(b">")].decode("utf-8", "replace")).get("table:name", "")
            facts.names[sheet] = facts.targets[sheet] = sheet
            facts.parts[sheet] = part = _sheet(content)
            styles.see(content, part)

    return inspect


class _Looks:
    """Column styles with a custom width, and cell styles with a fill colour."""

    def __init__(self, head: bytes) -> None:
        self.widths: set[str] = set()
        self.filled: set[bytes] = set()
        for tag, content in _STYLE.findall(head):
            style = attributes(tag.decode("utf-8", "replace"))
            name = style.get("style:name", "")
            if style.get("style:family") == "table-column":
                width = _WIDTH.search(content)
                if width and not ods_layout.is_usual(ods_layout.inches(width[1].decode())):
                    self.widths.add(name)
            elif style.get("style:family") == "table-cell" and _FILLED.search(content):
                self.filled.add(name.encode())

    def see(self, content: bytes, part: SheetFacts) -> None:
        """Record the columns and cells of a sheet with these styles."""
        last = 0
        for tag in _COLUMN.findall(content) if self.widths else ():
            column = attributes(tag.decode("utf-8", "replace"))
            hidden = column.get("table:visibility", "visible") != "visible"
            count = int(column.get("table:number-columns-repeated", 1))
            last += count
            if column.get("table:style-name") in self.widths and not hidden and last not in _WIDEST:
                part.see(Feature.WIDTH, count=count)
        part.see(Feature.COLOUR, count=sum(content.count(b'table:style-name="%s"' % name) for name in self.filled))


def _sheet(content: bytes) -> SheetFacts:
    part = SheetFacts(cells=sheet_bounds.ods_cells(content))
    if sheet_bounds.ods_characters(content) > sheet_bounds.MAX_SHEET_CHARACTERS:
        raise OverLimit("limit", "A sheet has too many characters when repeated cells are written out.")
    uncalculated = [html.unescape((match[1] or match[2]).decode()) for match in _UNCALCULATED.finditer(content)]
    for formula in uncalculated:
        part.uncalculated.add(formula.removeprefix("of:")[:60])
    part.see(Feature.FORMULA, count=content.count(b"table:formula=") - len(uncalculated))
    part.errors.add(count=len(_ERROR.findall(content)))
    for kind in _TELLING.findall(content):
        part.see(Feature.NUMBER_FORMAT, f"a {kind.decode()}")
    part.see(Feature.NOTE, count=content.count(b"<office:annotation ") + content.count(b"<office:annotation>"))
    part.see(Feature.LINK, count=content.count(b"<text:a "))
    charts = len(_CHART.findall(content))
    part.see(Feature.CHART, count=charts)
    part.see(Feature.PICTURE, count=max(0, len(_PICTURE.findall(content)) - charts))  # each has one of itself
    part.see(Feature.SHAPE, count=len(_SHAPE.findall(content)))
    part.see(Feature.HIDDEN_ROW, count=len(_HIDDEN_ROW.findall(content)))
    part.see(Feature.HIDDEN_COLUMN, count=len(_HIDDEN_COLUMN.findall(content)))
    if b"-spanned" in content and part.cells <= sheet_bounds.MAX_SHEET_CELLS:
        part.merged = list(_merged(content))
        part.see(Feature.MERGED, count=len(part.merged))
    return part


def _merged(content: bytes) -> Iterator[Area]:
    """The areas of spanning cells."""
    row, above, column = -1, 1, 0
    for kind, tag in _ROW_OR_CELL.findall(content):
        numbers = {(which, what): int(digits) for which, what, digits in _SPANS.findall(tag)}
        if kind == b"table-row":
            row, above, column = row + above, numbers.get((b"rows", b"repeated"), 1), 0
            continue
        rows, columns = numbers.get((b"rows", b"spanned"), 1), numbers.get((b"columns", b"spanned"), 1)
        if rows > 1 or columns > 1:
            yield Area(row, column, row + rows - 1, column + columns - 1)
        column += numbers.get((b"columns", b"repeated"), 1)


def _check_form(data: bytes) -> None:
    """Raise Unreadable unless the document is well-formed."""
    try:
        expat.ParserCreate().Parse(data, True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise Unreadable(
            "The file is damaged: a part of it is not well-formed. Save it again.", reason="damaged"
        ) from error
