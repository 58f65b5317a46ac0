"""Draw tables as HTML with fixed columns, rendered to PDF."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from html import escape
from pathlib import Path
from typing import Any

from engine.families.data.pages.columns import PADDING, TEXT, Band, Layout, Measured, is_number, lay_out, measure
from engine.families.data.table import Row, Table
from engine.families.data.values import texts
from engine.families.html_pdf import render as engine
from engine.families.html_pdf.options import PLUTOPRINT, PageOptions, Paper
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MOST_CELLS = {"plutoprint": 185_000, "xhtml2pdf": 30_000}
"""Total cells of all tables, by engine; drawing them takes about half of a conversion's time limit."""
_GROUP = 120
"""Rows in each `<tbody>`: for each page, PlutoPrint visits every row of the groups on it."""
_REPEATED = 200
"""Characters of a text that is repeated in each band; longer ones are complete in the first only."""
_PAPER, _MARGIN = "A4", "15mm"
_TURNED = 1.2  # below this ratio, breaking long texts is better than landscape
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
"""Properties that xhtml2pdf lacks: widths from the first row, and no page breaks inside rows that fit a page."""


def write(tables: Sequence[Table], target: Path, options: Any, warn: Warn) -> None:
    """Draw tables as a PDF; if there are several, each has its name above it and begins on a new page.

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
        _report(sheet, layout, len(sheets) > 1, warn)
        # Of several bands each needs all rows, which are few enough to be kept.
        batches = list(sheet.table.batches()) if len(layout.bands) > 1 else sheet.table.batches()
        for band in layout.bands:
            pieces += _drawn(sheet, band, batches, layout, options, warn)
    pieces.append("</body></html>")
    html = "".join(pieces)
    del pieces
    title = sheets[0].table.name if len(sheets) == 1 and sheets[0].table.name != "Sheet1" else None
    engine.render(html, target, PageOptions(**paper), warn, title=title)


def _report(sheet: Measured, layout: Layout, several: bool, warn: Warn) -> None:
    where = say(" in the sheet “{name}”", name=sheet.table.name) if several else ""
    if layout.size < TEXT:
        warn(
            "WIDTH_FITTED",
            say(
                "The text of the table{where} was shrunk to {size}, so that more columns fit the paper's width.",
                where=where,
                size=f"{layout.size / TEXT:.0%}",
            ),
        )
    if len(layout.bands) > 1:
        warn(
            "COLUMNS_SPLIT",
            say(
                "The {count} columns{where} do not fit the paper's width: they were split into {count2} "
                "tables, one after the other, each starting with the first column.",
                count=len(sheet.columns),
                where=where,
                count2=len(layout.bands),
            ),
        )


def _drawn(
    sheet: Measured, band: Band, batches: Iterable[list[Row]], layout: Layout, options: Any, warn: Warn
) -> Iterator[str]:
    """The markup of some columns of a table."""
    if not band.columns:
        return
    cell = [f"width:{each:.2f}pt" for each in band.widths]
    numeric = [sheet.columns[each].numeric and sheet.columns[each].filled for each in band.columns]
    yield f'<table style="width:{sum(band.widths):.2f}pt;font-size:{layout.size:.2f}pt"><colgroup>'
    yield "".join(f'<col style="{each}">' for each in cell)
    yield "</colgroup>"
    first, again = True, band is not layout.bands[0]
    if sheet.header is not None:
        names = "".join(
            f'<th{" class=n" if right else ""} style="{width}">{_text(name, warn)}</th>'
            for name, width, right in zip(_names(sheet.header, band, again=again), cell, numeric, strict=True)
        )
        yield f"<thead><tr>{names}</tr></thead><tbody>" if options.repeat_header else f"<tbody><tr>{names}</tr>"
        first = False
    else:
        yield "<tbody>"
    skip, drawn = sheet.skip, 0
    for batch in batches:
        rows = texts([[row[each] for each in band.columns] for row in batch])
        if again:
            rows = [[_shortened(first), *others] for first, *others in rows]
        for row, values in zip(rows[skip:], batch[skip:], strict=True):
            parts = ["</tbody><tbody>"] if drawn and drawn % _GROUP == 0 else []
            parts.append("<tr class=z>" if drawn % 2 and options.zebra else "<tr>")
            for index, column in enumerate(band.columns):
                right = " class=n" if numeric[index] or is_number(values[column]) else ""
                width = f' style="{cell[index]}"' if first else ""
                parts.append(f"<td{right}{width}>{_text(row[index], warn)}</td>")
            first, drawn = False, drawn + 1
            parts.append("</tr>")
            yield "".join(parts)
        skip = 0 if batch else skip
    yield "</tbody></table>"


def _names(header: Sequence[str], band: Band, *, again: bool) -> list[str]:
    first, *others = (header[each] for each in band.columns)
    return [_shortened(first) if again else first, *others]


def _shortened(text: str) -> str:
    return text if len(text) <= _REPEATED else f"{text[:_REPEATED]}…"


def _text(text: str, warn: Warn) -> str:
    if text.isalnum():
        return text
    if _NOT_HTML.search(text):
        warn("ENCODING_REPLACED", "Control characters can't be printed and became U+FFFD.")
        text = _NOT_HTML.sub("\ufffd", text)
    text = escape(text, quote=False)
    return _BREAK.sub("<br>", text) if "\n" in text or "\r" in text else text
