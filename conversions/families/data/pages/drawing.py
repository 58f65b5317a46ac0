"""Tables as pages: HTML with fixed columns, drawn as PDF by the layout engine of web pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from html import escape
from pathlib import Path
from typing import Any

from conversions.families.data.pages.columns import PADDING, TEXT, Band, Layout, Measured, is_number, lay_out, measure
from conversions.families.data.table import Table
from conversions.families.data.values import texts
from conversions.families.html_pdf import render as engine
from conversions.families.html_pdf.options import PLUTOPRINT, PageOptions, Paper
from conversions.toolkit.warnings import Warn

MOST_CELLS = {"plutoprint": 185_000, "xhtml2pdf": 30_000}
"""Cells of all tables together, by engine; drawing them takes about half of the time that a conversion has."""
_GROUP = 120
"""Rows of one `<tbody>`: PlutoPrint looks at each row of a group for each page that the group is on."""
_PAPER, _MARGIN = "A4", "15mm"
_TURNED = 1.2  # as long as it is less, breaking long texts is better than turning the paper
_BREAK = re.compile(r"\r\n|\r|\n")
_NOT_HTML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_STYLE = (
    "body{margin:0;font-family:Helvetica,Arial,sans-serif;color:#000}"
    "h2{font-size:13pt;margin:0 0 6pt 0}"
    "table{border-collapse:separate;border-spacing:0;margin:0 0 12pt 0}"
    f"td,th{{border-bottom:0.5pt solid #bbb;padding:.22em {PADDING}em;text-align:left;vertical-align:top}}"
    "td,th{overflow-wrap:break-word}"
    "th{background-color:#e8eaed;font-weight:bold}.n{text-align:right}.z td{background-color:#f5f6f7}"
)
_NEXT = "h2.next{page-break-before:always}"
_FIXED = "table{table-layout:fixed}tr{page-break-inside:avoid}"
"""What the other engine has no style for: it takes the widths of the first row, and parts no row that a page holds."""


def write(tables: Sequence[Table], target: Path, options: Any, warn: Warn) -> None:
    """Draw tables as a PDF, each with its name above it and from a new page on where there are several.

    Raises OverLimit for more cells than can be drawn in time. May raise Widened.
    """
    left = MOST_CELLS[engine.engine]
    sheets: list[Measured] = []
    for table in tables:
        sheets.append(measure(table, first_is_header=getattr(options, "header_row", False), most=left))
        left -= sheets[-1].rows * (len(table.columns) + 1)
    size, margin = options.page_size or _PAPER, options.margin or _MARGIN
    upright, lying = engine.widths(size, margin)
    orientation = options.orientation
    if orientation == "auto":
        wide = any(each.natural > _TURNED * upright for each in sheets)
        orientation = "landscape" if wide else "portrait"
    room = lying if orientation == "landscape" else upright
    paper = {each.name: getattr(options, each.name) for each in fields(Paper)}
    paper.update(page_size=size, margin=margin, orientation=orientation)
    style = _STYLE + (_NEXT if len(sheets) > 1 else "") + (_FIXED if engine.engine == PLUTOPRINT.distribution else "")
    pieces = [f"<!DOCTYPE html><html><head><meta charset='utf-8'><style>{style}</style></head><body>"]
    for number, sheet in enumerate(sheets):
        if len(sheets) > 1:
            pieces.append(f"<h2{' class=next' if number else ''}>{_text(sheet.table.name, warn)}</h2>")
        layout = lay_out(sheet.columns, room, fit=options.fit_to_width)
        _say(sheet, layout, len(sheets) > 1, warn)
        for band in layout.bands:
            pieces += _drawn(sheet, band, layout.size, options, warn)
    pieces.append("</body></html>")
    html = "".join(pieces)
    del pieces
    title = sheets[0].table.name if len(sheets) == 1 and sheets[0].table.name != "Sheet1" else None
    engine.render(html, target, PageOptions(**paper), warn, title=title)


def _say(sheet: Measured, layout: Layout, several: bool, warn: Warn) -> None:
    where = f" of the sheet “{sheet.table.name}”" if several else ""
    if layout.size < TEXT:
        warn(
            "WIDTH_FITTED",
            f"The text of the table{where} was printed at {layout.size / TEXT:.0%} of its size, so that more columns"
            " fit the paper's width.",
        )
    if len(layout.bands) > 1:
        warn(
            "COLUMNS_SPLIT",
            f"The {len(sheet.columns):,} columns{where} do not fit the width of the paper: they were split into"
            f" {len(layout.bands)} tables, one after the other, and each begins with the first column.",
        )


def _drawn(sheet: Measured, band: Band, size: float, options: Any, warn: Warn) -> Iterator[str]:
    """The markup of some columns of a table."""
    if not band.columns:
        return
    cell = [f"width:{each:.2f}pt" for each in band.widths]
    numeric = [sheet.columns[each].numeric and sheet.columns[each].filled for each in band.columns]
    yield f'<table style="width:{sum(band.widths):.2f}pt;font-size:{size:.2f}pt"><colgroup>'
    yield "".join(f'<col style="{each}">' for each in cell)
    yield "</colgroup>"
    first = True
    if sheet.header is not None:
        names = "".join(
            f'<th{" class=n" if right else ""} style="{width}">{_text(sheet.header[column], warn)}</th>'
            for column, width, right in zip(band.columns, cell, numeric, strict=True)
        )
        yield f"<thead><tr>{names}</tr></thead><tbody>" if options.repeat_header else f"<tbody><tr>{names}</tr>"
        first = False
    else:
        yield "<tbody>"
    skip, drawn = sheet.skip, 0
    for batch in sheet.table.batches():
        rows = texts(batch)
        for row, values in zip(rows[skip:], batch[skip:], strict=True):
            parts = ["</tbody><tbody>"] if drawn and drawn % _GROUP == 0 else []
            parts.append("<tr class=z>" if drawn % 2 and options.zebra else "<tr>")
            for index, column in enumerate(band.columns):
                right = " class=n" if numeric[index] or is_number(values[column]) else ""
                width = f' style="{cell[index]}"' if first else ""
                parts.append(f"<td{right}{width}>{_text(row[column], warn)}</td>")
            first, drawn = False, drawn + 1
            parts.append("</tr>")
            yield "".join(parts)
        skip = 0 if batch else skip
    yield "</tbody></table>"


def _text(text: str, warn: Warn) -> str:
    if text.isalnum():
        return text
    if _NOT_HTML.search(text):
        warn("ENCODING_REPLACED", "Control characters, which can't be drawn, became U+FFFD.")
        text = _NOT_HTML.sub("\ufffd", text)
    text = escape(text, quote=False)
    return _BREAK.sub("<br>", text) if "\n" in text or "\r" in text else text
