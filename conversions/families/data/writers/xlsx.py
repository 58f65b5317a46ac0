"""Writing xlsx workbooks (ECMA-376) row by row, with texts in the cells themselves.

The sheets are streamed: no library at hand writes a sheet without a header, keeps a number in a column of dates a
number, and gives the same bytes twice.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from html import escape
from pathlib import Path
from types import NoneType
from typing import Any

from conversions.families.data.table import Row, Table
from conversions.families.data.values import Value
from conversions.families.data.writers.cells import (
    FORBIDDEN,
    MAX_EXACT,
    Part,
    check_size,
    fitting,
    sheet_names,
    simplified,
)
from conversions.toolkit import archive
from conversions.toolkit.warnings import Warn

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml."
_LEVEL = 3
_SPECIAL = re.compile("[&<>\x00-\x1f\ufffe\uffff]|^ | $|  |_x[0-9A-Fa-f]{4}_")
_SPECIAL_CHARACTER = re.compile("[&<>\x01-\x1f\ufffe\uffff]")
_TEXT = '<c t="inlineStr"><is><t>'
_END_OF_TEXT = "</t></is></c>"
_LONG = 16_000
_ESCAPE_LIKE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_TEXTS, _NUMBERS = {str, NoneType}, {int, float}
_EPOCH = datetime(1899, 12, 30)
_DAY = timedelta(days=1)

_FORMATS = ("yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss", "hh:mm:ss", "[h]:mm:ss")
_STYLE_DATE, _STYLE_MOMENT, _STYLE_TIME, _STYLE_SPAN, _STYLE_HEADER = 1, 2, 3, 4, 5


def write(tables: list[Table], target: Path, options: Any, warn: Warn) -> None:
    """Write each table as a sheet of one workbook, which has no date and no author."""
    names = sheet_names(tables, warn)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as file:
        for name, content in _frame(names):
            file.writestr(archive.entry(name), _HEAD + content, compresslevel=_LEVEL)
        for index, table in enumerate(tables, 1):
            # By name, an entry has the level of the archive, and a time that is always the same.
            with file.open(f"xl/worksheets/sheet{index}.xml", "w") as part:
                _sheet(table, Part(part), options, warn)


def _sheet(table: Table, part: Part, options: Any, warn: Warn) -> None:
    header = options.header and table.named
    part.write(f'{_HEAD}<worksheet xmlns="{_MAIN}">')
    if header and options.freeze_header:
        part.write(
            '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft"'
            ' state="frozen"/></sheetView></sheetViews>'
        )
    part.write("<sheetData>")
    cell = _writer(warn)
    count = 0
    if header:
        check_size(1, len(table.columns))
        styled = (cell(fitting(name, warn)).replace("<c ", f'<c s="{_STYLE_HEADER}" ', 1) for name in table.columns)
        part.write(f"<row>{''.join(styled)}</row>")
        count = 1
    for batch in table.batches():
        count += len(batch)
        check_size(count, len(table.columns))
        part.write("".join(_rows(batch, cell)))
    part.write("</sheetData></worksheet>")


def _rows(batch: list[Row], cell: Callable[[Value], str]) -> Iterator[str]:
    if batch and all(type(value) is str for value in batch[0]):
        return _rows_of_texts(batch, cell)
    columns = [_cells(column, cell) for column in zip(*batch, strict=True)]
    return (f"<row>{''.join(cells)}</row>" for cells in zip(*columns, strict=True)) if columns else iter(())


def _cells(column: tuple[Value, ...], cell: Callable[[Value], str]) -> Iterable[str]:
    """The cells of a column, which needs no look at each of them where all are of one type and none is special."""
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
        # Without what is not finite, and what has too many digits for a float.
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
            # Texts without anything special, which most rows are, need no look at each cell.
            cells = texts.replace("\0", _END_OF_TEXT + _TEXT)
            yield f"<row>{_TEXT}{cells}{_END_OF_TEXT}</row>".replace(_TEXT + _END_OF_TEXT, "<c/>")


def _special(texts: str) -> bool:
    """As _SPECIAL, of texts with NUL between them, and faster."""
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
    """What turns one value into the XML of its cell."""
    search = _SPECIAL.search

    def cell(value: Value) -> str:
        kind = type(value)
        if kind is not str:
            value = simplified(value, warn)
            kind = type(value)
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
        return _STYLE_MOMENT, (value - _EPOCH) / _DAY
    if isinstance(value, date):
        return _STYLE_DATE, (datetime(value.year, value.month, value.day) - _EPOCH).days
    if isinstance(value, time):
        span = timedelta(hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
        return _STYLE_TIME, span / _DAY
    return _STYLE_SPAN, value / _DAY


def _escaped(value: str) -> str:
    # ECMA-376, part 1, section 22.4.2.4 (ST_Xstring): a character that XML does not allow is written _xHHHH_.
    value = _ESCAPE_LIKE.sub("_x005F_", value)
    value = FORBIDDEN.sub(lambda match: f"_x{ord(match[0]):04X}_", value)
    return escape(value, quote=False).replace("\r", "&#13;")


def _frame(names: list[str]) -> Iterator[tuple[str, str]]:
    """The parts of a workbook around its sheets."""
    numbers = range(1, len(names) + 1)
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{_TYPE}worksheet+xml"/>'
        for number in numbers
    )
    yield (
        "[Content_Types].xml",
        f'<Types xmlns="{_PACKAGE}content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}styles+xml"/>{overrides}</Types>',
    )
    yield (
        "_rels/.rels",
        f'<Relationships xmlns="{_PACKAGE}relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    )
    sheets = "".join(
        f'<sheet name="{escape(name)}" sheetId="{number}" r:id="rId{number}"/>'
        for number, name in zip(numbers, names, strict=True)
    )
    yield (
        "xl/workbook.xml",
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets></workbook>',
    )
    relations = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in numbers
    )
    yield (
        "xl/_rels/workbook.xml.rels",
        f'<Relationships xmlns="{_PACKAGE}relationships">{relations}'
        f'<Relationship Id="rId{len(names) + 1}" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
    )
    yield "xl/styles.xml", _styles()


def _styles() -> str:
    formats = "".join(f'<numFmt numFmtId="{164 + at}" formatCode="{code}"/>' for at, code in enumerate(_FORMATS))
    dates = "".join(
        f'<xf numFmtId="{164 + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        for at in range(len(_FORMATS))
    )
    font = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
    return (
        f'<styleSheet xmlns="{_MAIN}"><numFmts count="{len(_FORMATS)}">{formats}</numFmts>'
        f'<fonts count="2"><font>{font}</font><font><b/>{font}</font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill>'
        '<fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        f'<cellXfs count="{len(_FORMATS) + 2}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>{dates}'
        '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    )
