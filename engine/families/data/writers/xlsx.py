"""Write xlsx workbooks (ECMA-376) row by row, with inline strings.

Sheets are streamed here, because no available library writes a sheet without a header, keeps a number in a date column
a number, and gives the same bytes twice.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from html import escape
from pathlib import Path
from types import NoneType
from typing import Any

from engine.families.data import cell_references as places
from engine.families.data.sheet_layout import Layout
from engine.families.data.table import Row, Table
from engine.families.data.values import Value
from engine.families.data.writers import xlsx_frame, xlsx_layout
from engine.families.data.writers.cells import (
    FORBIDDEN,
    MAX_EXACT,
    Part,
    check_size,
    decimal_codes,
    fitting,
    sheet_names,
    simplified,
)
from engine.toolkit import archive
from engine.toolkit.warnings import Warn

_LEVEL = 3
_MAX_CODES = 500
_SPECIAL = re.compile("[&<>\x00-\x1f\ufffe\uffff]|^ | $|  |_x[0-9A-Fa-f]{4}_")
_SPECIAL_CHARACTER = re.compile("[&<>\x01-\x1f\ufffe\uffff]")
_TEXT = '<c t="inlineStr"><is><t>'
_END_OF_TEXT = "</t></is></c>"
_LONG = 16_000
_ESCAPE_LIKE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_TEXTS, _NUMBERS = {str, NoneType}, {int, float}
_EPOCH = datetime(1899, 12, 30)
_DAY = timedelta(days=1)


def write(tables: list[Table], target: Path, options: Any, warn: Warn) -> None:
    """Write each table as a sheet of one workbook, without date and author."""
    names = sheet_names(tables, warn)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as file:
        codes = _codes(tables)
        layouts = [table.layout or Layout() for table in tables]
        for name, content in xlsx_frame.parts(names, layouts, codes):
            file.writestr(archive.entry(name), xlsx_frame.HEAD + content, compresslevel=_LEVEL)
        for index, table in enumerate(tables, 1):
            # A name instead of a ZipInfo gives the entry the archive's level and a constant time.
            with file.open(f"xl/worksheets/sheet{index}.xml", "w") as part:
                _sheet(table, Part(part), options, warn, codes)
            for name, content in xlsx_layout.parts(layouts[index - 1], index):
                file.writestr(archive.entry(name), content, compresslevel=_LEVEL)


def _codes(tables: list[Table]) -> dict[str, int]:
    """The number formats that tables bring along, and the style of each."""
    layouts = [table.layout for table in tables if table.layout]
    found = dict.fromkeys(code for layout in layouts for row in layout.formats.values() for code in row.values())
    found |= dict.fromkeys(code for table in tables for code in decimal_codes(table).values())
    return {code: xlsx_frame.STYLE_HEADER + 1 + at for at, code in enumerate(list(found)[:_MAX_CODES])}


def _sheet(table: Table, part: Part, options: Any, warn: Warn, codes: dict[str, int]) -> None:
    header = options.header and table.named
    layout = table.layout or Layout()
    beside = f' xmlns:r="{xlsx_frame.OFFICE}"' if layout.links or layout.notes else ""
    part.write(f'{xlsx_frame.HEAD}<worksheet xmlns="{xlsx_frame.MAIN}"{beside}>')
    if header and options.freeze_header:
        part.write(
            '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft"'
            ' state="frozen"/></sheetView></sheetViews>'
        )
    part.write(f"{xlsx_layout.columns(layout)}<sheetData>")
    cell = _writer(warn)
    decimals = {at: codes[code] for at, code in decimal_codes(table).items() if code in codes}
    count = 0
    if header:
        check_size(1, len(table.columns))
        styled = (
            cell(fitting(name, warn)).replace("<c ", f'<c s="{xlsx_frame.STYLE_HEADER}" ', 1) for name in table.columns
        )
        part.write(f"<row>{''.join(styled)}</row>")
        count = 1
    for batch in table.batches():
        count += len(batch)
        check_size(count, len(table.columns))
        if layout.formats or layout.hidden_rows:
            first = count - len(batch)
            rows = (
                _formatted(row, layout.formats.get(at, {}), codes, cell, hidden=at in layout.hidden_rows)
                for at, row in enumerate(batch, first)
            )
            part.write("".join(rows))
        else:
            part.write("".join(_rows(batch, cell, decimals)))
    merged = "".join(
        f'<mergeCell ref="{places.cell(each.top, each.left)}:{places.cell(each.bottom, each.right)}"/>'
        for each in layout.merged
    )
    merged = f"<mergeCells>{merged}</mergeCells>" if merged else ""
    part.write(f"</sheetData>{merged}{xlsx_layout.after_cells(layout)}</worksheet>")


def _formatted(
    row: Row, formats: Mapping[int, str], codes: dict[str, int], cell: Callable[[Value], str], *, hidden: bool
) -> str:
    cells = list(map(cell, row))
    for at, code in formats.items():
        # Numbers and timestamps have a format; texts in their place have none.
        if at < len(cells) and code in codes and cells[at].startswith(("<c><v>", '<c s="')):
            cells[at] = f'<c s="{codes[code]}">{cells[at].partition(">")[2]}'
    return f"<row{xlsx_layout.HIDDEN if hidden else ''}>{''.join(cells)}</row>"


def _rows(batch: list[Row], cell: Callable[[Value], str], decimals: Mapping[int, int]) -> Iterator[str]:
    if batch and not decimals and all(type(value) is str for value in batch[0]):
        return _rows_of_texts(batch, cell)
    columns = [_cells(column, cell) for column in zip(*batch, strict=True)]
    for at, style in decimals.items() if columns else ():
        columns[at] = [each.replace("<c><v>", f'<c s="{style}"><v>', 1) for each in columns[at]]
    return (f"<row>{''.join(cells)}</row>" for cells in zip(*columns, strict=True)) if columns else iter(())


def _cells(column: tuple[Value, ...], cell: Callable[[Value], str]) -> Iterable[str]:
    """Return the cells of a column; skips the check of each cell where all are of one type and none is special."""
    kinds = set(map(type, column))
    if kinds <= _TEXTS:
        column = tuple(value or "" for value in column) if NoneType in kinds else column
        texts = "\0".join(column)
        if texts.count("\0") == len(column) - 1 and max(map(len, column)) <= _LONG:
            if texts and _special(texts):
                if "<" not in texts and "&" not in texts and ">" not in texts:
                    return map(cell, column)
                texts = escape(texts, quote=False)
                if _special(texts.replace("&", "")):
                    return map(cell, column)
                column = tuple(texts.split("\0"))
            return [f"{_TEXT}{value}{_END_OF_TEXT}" if value else "<c/>" for value in column]
    elif kinds <= _NUMBERS:
        numbers = list(map(repr, column))
        # Excludes values that are not finite, and integers with more digits than a float holds.
        if "n" not in "".join(numbers) and min(column) > -MAX_EXACT and max(column) < MAX_EXACT:
            return [f"<c><v>{number}</v></c>" for number in numbers]
    return map(cell, column)


def _rows_of_texts(batch: list[Row], cell: Callable[[Value], str]) -> Iterator[str]:
    for row in batch:
        try:
            texts = "\0".join(row)
        except TypeError:
            texts = ""
        if not texts or len(texts) > _LONG or _special(texts) or texts.count("\0") != len(row) - 1:
            yield f"<row>{''.join(map(cell, row))}</row>"
        else:
            # Most rows are plain texts, which can be joined without escaping each cell.
            cells = texts.replace("\0", _END_OF_TEXT + _TEXT)
            yield f"<row>{_TEXT}{cells}{_END_OF_TEXT}</row>".replace(_TEXT + _END_OF_TEXT, "<c/>")


def _special(texts: str) -> bool:
    """As _SPECIAL, for texts joined with NUL, and faster."""
    return (
        _SPECIAL_CHARACTER.search(texts) is not None
        or "  " in texts
        or "\0 " in texts
        or " \0" in texts
        or "_x" in texts
        or texts[0] == " "
        or texts[-1] == " "
    )


def _writer(warn: Warn) -> Callable[[Value], str]:
    """Return a function that serializes a value as the XML of its cell."""
    search = _SPECIAL.search

    def cell(value: Value) -> str:
        kind = type(value)
        if kind is not str:
            value = simplified(value, warn)
            kind = str if isinstance(value, str) else type(value)  # values that are not numbers are text
        if kind is str:
            if not value:
                return "<c/>"
            if len(value) > _LONG:
                value = fitting(value, warn)
            if search(value) is None:
                return f"{_TEXT}{value}{_END_OF_TEXT}"
            return f'<c t="inlineStr"><is><t xml:space="preserve">{_escaped(value)}</t></is></c>'
        if value is None:
            return "<c/>"
        if kind is bool:
            return f'<c t="b"><v>{value:d}</v></c>'
        if kind is int or kind is float:
            return f"<c><v>{value!r}</v></c>"
        style, days = _days(value)
        return f'<c s="{style}"><v>{days!r}</v></c>'

    return cell


def _days(value: date | time | timedelta) -> tuple[int, float]:
    """The style of a moment, and its number of days since the end of 1899."""
    if isinstance(value, datetime):
        style = xlsx_frame.STYLE_FINE if value.microsecond else xlsx_frame.STYLE_MOMENT
        return style, (value - _EPOCH) / _DAY
    if isinstance(value, date):
        return xlsx_frame.STYLE_DATE, (datetime(value.year, value.month, value.day) - _EPOCH).days
    if isinstance(value, time):
        span = timedelta(hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
        return xlsx_frame.STYLE_TIME, span / _DAY
    return xlsx_frame.STYLE_SPAN, value / _DAY


def _escaped(value: str) -> str:
    # ECMA-376, part 1, section 22.4.2.4 (ST_Xstring): a character that XML does not allow is written _xHHHH_.
    value = _ESCAPE_LIKE.sub("_x005F_", value)
    value = FORBIDDEN.sub(lambda match: f"_x{ord(match[0]):04X}_", value)
    return escape(value, quote=False).replace("\r", "&#13;")
