"""Write ods workbooks (OpenDocument 1.3) row by row."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from html import escape
from pathlib import Path
from typing import Any

from engine.families.data.cell_references import Area
from engine.families.data.features import Feature
from engine.families.data.sheet_layout import Across, Layout
from engine.families.data.table import Table
from engine.families.data.values import Value, text
from engine.families.data.writers.cells import (
    FORBIDDEN,
    Part,
    check_size,
    decimal_codes,
    fitting,
    sheet_names,
    simplified,
)
from engine.families.data.writers.ods_layout import EMPTY, LayoutWriter
from engine.toolkit import archive
from engine.toolkit.formats import ODS
from engine.toolkit.warnings import Warn

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_SPACES = re.compile("^ +| {2,}| +$|[\t\n]")
_SPACES_OR_MARKUP = re.compile("[&<>\x00-\x1f\ufffe\uffff]|^ | $|  ")

_MANIFEST = (
    f'{_HEAD}<manifest:manifest xmlns:manifest="{_OASIS}manifest:1.0" manifest:version="1.3">'
    f'<manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="{ODS.content_type}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
)
_DATE_PARTS = '<number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/>' + (
    '<number:text>-</number:text><number:day number:style="long"/>'
)
_TIME_PARTS = '<number:hours number:style="long"/><number:text>:</number:text><number:minutes number:style="long"/>' + (
    '<number:text>:</number:text><number:seconds number:style="long"/>'
)
_NAMESPACES = (
    f' xmlns:office="{_OASIS}office:1.0" xmlns:table="{_OASIS}table:1.0"'
    f' xmlns:text="{_OASIS}text:1.0" xmlns:style="{_OASIS}style:1.0" xmlns:number="{_OASIS}datastyle:1.0"'
    f' xmlns:fo="{_OASIS}xsl-fo-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.3"'
)
_STYLES = (
    f'<number:date-style style:name="N1">{_DATE_PARTS}</number:date-style>'
    f'<number:date-style style:name="N2">{_DATE_PARTS}<number:text> </number:text>{_TIME_PARTS}</number:date-style>'
    f'<number:time-style style:name="N3" number:truncate-on-overflow="false">{_TIME_PARTS}</number:time-style>'
    + "".join(
        f'<style:style style:name="{name}" style:family="table-cell" style:data-style-name="N{at}"/>'
        for at, name in enumerate(("date", "moment", "time"), 1)
    )
    + '<style:style style:name="header" style:family="table-cell"><style:text-properties fo:font-weight="bold"/>'
    "</style:style>"
)
_CLOSING = "</office:spreadsheet></office:body></office:document-content>"


def write(tables: list[Table], target: Path, options: Any, warn: Warn) -> None:
    """Write each table as a sheet of one workbook, without date and author."""
    names = sheet_names(tables, warn)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(archive.entry("mimetype", stored=True), ODS.content_type)
        file.writestr(archive.entry("META-INF/manifest.xml"), _MANIFEST)
        with file.open("content.xml", "w") as entry:
            part = Part(entry)
            writer = LayoutWriter(
                [table.layout for table in tables], (code for each in tables for code in decimal_codes(each).values())
            )
            part.write(
                f"{_HEAD}<office:document-content{_NAMESPACES}><office:automatic-styles>{_STYLES}{writer.styles}"
                "</office:automatic-styles><office:body><office:spreadsheet>"
            )
            for name, table in zip(names, tables, strict=True):
                _sheet(name, table, part, options, warn, writer)
            part.write(_CLOSING)
    warn.tally(Feature.NUMBER_FORMAT.value, writer.lost.total(), writer.lost)


def _sheet(name: str, table: Table, part: Part, options: Any, warn: Warn, writer: LayoutWriter) -> None:
    cell = _writer(warn)
    check_size(1, len(table.columns))
    layout = table.layout or Layout()
    merged = layout.merged
    across = Across(merged)
    with_layout = {at for at, _ in (*layout.notes, *layout.links)} | layout.formats.keys() | layout.hidden_rows
    width = max([1, len(table.columns), *(each.right + 1 for each in merged), *(at + 1 for _, at in layout.notes)])
    part.write(f'<table:table table:name="{escape(name)}"{writer.table(layout)}>{writer.columns(layout, width)}')
    decimals = decimal_codes(table)
    count = 0
    if options.header and table.named:
        styled = (cell(name).replace("-cell ", '-cell table:style-name="header" ', 1) for name in table.columns)
        part.write(f"<table:table-row>{''.join(styled)}</table:table-row>")
        count = 1
    for batch in table.batches():
        count += len(batch)
        check_size(count, len(table.columns))
        first = count - len(batch)
        for at, row in enumerate(batch, first):
            cells = list(map(cell, row))
            for column, code in decimals.items():
                cells[column] = writer.formatted(cells[column], row[column], code)
            if at in with_layout:
                cells = writer.cells(layout, at, row, cells)
            part.write(_row(cells, across(at), at, hidden=at in layout.hidden_rows))
    last = max([0, *(each.top + 1 for each in merged), *(at + 1 for at, _ in (*layout.notes, *layout.links))])
    empty = 0
    for at in range(count, last):
        areas = across(at)
        if at not in with_layout and not areas:
            empty += 1
            continue
        if empty:
            part.write(f'<table:table-row table:number-rows-repeated="{empty}">{EMPTY}</table:table-row>')
            empty = 0
        part.write(_row(writer.cells(layout, at, [], []) if at in with_layout else [], areas, at, hidden=False))
    count = max(count, last)
    if not count:
        part.write(f"<table:table-row>{EMPTY}</table:table-row>")
    part.write("</table:table>")


def _row(cells: list[str], merged: list[Area], at: int, *, hidden: bool) -> str:
    for area in merged:
        cells += [EMPTY] * (area.right + 1 - len(cells))
        for column in range(area.left, area.right + 1):
            if (at, column) == (area.top, area.left):
                rows, columns = area.bottom - area.top + 1, area.right - area.left + 1
                spans = f' table:number-columns-spanned="{columns}" table:number-rows-spanned="{rows}"'
                cells[column] = cells[column].replace("<table:table-cell", f"<table:table-cell{spans}", 1)
            else:
                cells[column] = cells[column].replace("table:table-cell", "table:covered-table-cell")
    row = '<table:table-row table:visibility="collapse">' if hidden else "<table:table-row>"
    return f"{row}{''.join(cells) or EMPTY}</table:table-row>"


def _writer(warn: Warn) -> Callable[[Value], str]:
    """Return a function that serializes a value as the XML of its cell."""

    def string(value: str) -> str:
        value = fitting(value, warn)
        if _SPACES_OR_MARKUP.search(value):
            if FORBIDDEN.search(value):
                warn("ENCODING_REPLACED", "Control characters, which the format does not allow, became U+FFFD.")
                value = FORBIDDEN.sub("\ufffd", value)
            value = value.replace("\r\n", "\n").replace("\r", "\n")
            value = _SPACES.sub(_space, escape(value, quote=False))
        return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'

    def typed(kind: str, value: str, shown: str, style: str = "") -> str:
        attribute = "" if kind == "float" else f"{kind}-"
        style = f' table:style-name="{style}"' if style else ""
        return (
            f'<table:table-cell{style} office:value-type="{kind}" office:{attribute}value="{value}">'
            f"<text:p>{shown}</text:p></table:table-cell>"
        )

    def cell(value: Value) -> str:
        if type(value) is not str:
            value = simplified(value, warn)
        if value is None or value == "":
            return EMPTY
        if isinstance(value, str):
            return string(value)
        if isinstance(value, bool):
            return typed("boolean", text(value), text(value).upper())
        if isinstance(value, int | float):
            return typed("float", repr(value), repr(value))
        if isinstance(value, datetime):
            return typed("date", value.isoformat(), value.isoformat(" "), "moment")
        if isinstance(value, date):
            return typed("date", value.isoformat(), value.isoformat(), "date")
        return typed("time", _duration(value), str(value), "time")

    return cell


def _duration(value: time | timedelta) -> str:
    """A time of day, or a span, as ISO 8601 writes spans."""
    if isinstance(value, time):
        value = timedelta(hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
    seconds = abs(value).total_seconds()
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{'-' if value < timedelta() else ''}PT{int(hours):02}H{int(minutes):02}M{rest:02.6g}S"


def _space(match: re.Match[str]) -> str:
    # OpenDocument 1.3, part 3, section 6.1: white space collapses as in HTML unless it is an element.
    found = match[0]
    if found == "\n":
        return "</text:p><text:p>"
    return "<text:tab/>" if found == "\t" else f'<text:s text:c="{len(found)}"/>'
