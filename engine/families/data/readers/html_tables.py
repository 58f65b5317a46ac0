"""Read the tables of an HTML page as rows, with spans expanded."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from engine.families.data.features import Feature, Found
from engine.families.data.table import MAX_CELLS, Row, Table, batched, check_width, column_name, unique_names
from engine.toolkit import encodings
from engine.toolkit.census import ALL
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_SPAN = 1000
"""HTML, 4.9.11: column spans are limited to this; row spans likewise here."""

_SPREAD = Kind("MERGED_CELLS", "Cells that span rows or columns are repeated in each of them: {count}{places}.")
_RAGGED = Kind(
    "ROW_RAGGED", "Rows with fewer cells than their table has columns were filled with empty cells: {count}{places}."
)
_SPACE = re.compile(r"[ \t\r\n\f]+")
_SILENT = frozenset({"script", "style", "template", "noscript"})
_BREAKS = frozenset({"br", "p", "div", "li", "tr"})


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The chosen table of a page, or all of them; cell texts with line breaks and without markup.

    Raises Unreadable for a page without tables and InvalidOption for a table number that does not exist.
    """
    data = source.read_bytes()
    return tables(encodings.read(data, warn, declared=encodings.declared_in_html(data)), "page", options, warn)


def tables(markup: str, whole: str, options: Any, warn: Warn) -> list[Table]:
    """As `read`, for the markup of a document, which messages call `whole`."""
    parser = _Tables()
    parser.feed(markup)
    parser.close()
    found = [table for table in parser.finished() if any(table.rows)]
    if not found:
        raise Unreadable(say("The {whole} has no table.", whole=whole), reason="empty")
    if options.sheets != "all":
        if options.table > len(found):
            raise InvalidOption(
                "table",
                say(
                    "The {whole} has {count} tables. Choose a number from 1 to {count}.", whole=whole, count=len(found)
                ),
            )
        if len(found) > 1:
            warn(
                "CONTENT_DROPPED",
                say(
                    "Only table {table} of {count} is in the output. Use sheets=all to convert all of them.",
                    table=options.table,
                    count=len(found),
                ),
            )
        found = [found[options.table - 1]]
    return [_table(each, index, options, warn) for index, each in enumerate(found, 1)]


class _TableRows:
    """One table while it is read: rows of texts, and cells that span following rows."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self.spans = 0
        self.caption = ""
        self.below: dict[int, tuple[int, str]] = {}
        self.cells = 0
        self.links: list[str] = []
        self.pictures = 0

    def open_row(self) -> None:
        self.rows.append([])

    def add(self, text: str, columns: int, rows: int) -> None:
        if not self.rows:
            self.open_row()
        row = self.rows[-1]
        self._reach(row)
        for _ in range(columns):
            if rows > 1:
                self.below[len(row)] = (rows - 1, text)
            row.append(text)
        self.spans += columns > 1 or rows > 1
        self.cells += columns
        if self.cells > MAX_CELLS // 10:
            raise OverLimit("memory", "The tables on the page span too many cells.")

    def close_row(self) -> None:
        if self.rows:
            self._reach(self.rows[-1])

    def _reach(self, row: list[str]) -> None:
        while len(row) in self.below:
            left, text = self.below.pop(len(row))
            if left > 1:
                self.below[len(row)] = (left - 1, text)
            row.append(text)
            self.cells += 1


class _Tables(HTMLParser):
    """Collects all tables of a page; nested ones are separate tables."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.all: list[_TableRows] = []
        self.open: list[_TableRows] = []
        self.cell: list[tuple[list[str], int, int] | None] = []
        self.silent = 0
        self.caption = False
        self.link: tuple[str, int] | None = None

    def finished(self) -> list[_TableRows]:
        while self.open:
            self._close_table()
        return self.all

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self.silent += 1
        elif tag == "table":
            collected = _TableRows()
            self.all.append(collected)
            self.open.append(collected)
            self.cell.append(None)
        elif not self.open:
            return
        elif tag == "tr":
            self._close_cell()
            self.open[-1].close_row()
            self.open[-1].open_row()
        elif tag in ("td", "th"):
            self._close_cell()
            given = dict(attrs)
            self.cell[-1] = ([], _span(given.get("colspan")), _span(given.get("rowspan")))
        elif tag == "caption":
            self.caption = True
        elif tag == "img":
            self.open[-1].pictures += self.cell[-1] is not None
        elif tag == "a":
            cell, address = self.cell[-1], dict(attrs).get("href")
            self.link = (address, len(cell[0])) if cell and address else None
        elif tag in _BREAKS:
            self.handle_break()

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self.silent = max(0, self.silent - 1)
        elif tag == "caption":
            self.caption = False
        elif not self.open:
            return
        elif tag == "a":
            self._close_link()
        elif tag in ("td", "th"):
            self._close_cell()
        elif tag == "tr":
            self._close_cell()
            self.open[-1].close_row()
        elif tag == "table":
            self._close_table()

    def handle_data(self, data: str) -> None:
        if self.silent or not self.open:
            return
        if self.caption:
            self.open[-1].caption += data
            return
        cell = self.cell[-1]
        if cell is not None:
            cell[0].append(_SPACE.sub(" ", data))

    def handle_break(self) -> None:
        cell = self.cell[-1]
        if cell is not None:
            cell[0].append("\n")

    def _close_link(self) -> None:
        cell = self.cell[-1]
        if self.link and cell:
            address, start = self.link
            if "".join(cell[0][start:]).strip() not in (address, address.removeprefix("mailto:")):
                self.open[-1].links.append(address)
        self.link = None

    def _close_cell(self) -> None:
        self._close_link()
        cell = self.cell[-1]
        if cell is not None:
            pieces, columns, rows = cell
            lines = (line.strip(" ") for line in _SPACE_RUN.sub(" ", "".join(pieces)).split("\n"))
            collected = self.open[-1]
            collected.add("\n".join(lines).strip("\n").replace("\xa0", " "), columns, rows)
            self.cell[-1] = None

    def _close_table(self) -> None:
        self._close_cell()
        self.open[-1].close_row()
        self.open.pop()
        self.cell.pop()


_SPACE_RUN = re.compile(" +")


def _span(value: str | None) -> int:
    number = int(value) if value and value.isascii() and value.isdigit() and len(value) < 7 else 1
    return min(max(number, 1), MAX_SPAN)


def _table(collected: _TableRows, index: int, options: Any, warn: Warn) -> Table:
    name = _SPACE.sub(" ", collected.caption).strip()[:60] or f"Table {index}"
    rows = [row for row in collected.rows if row][options.skip_rows :]
    if not rows:
        raise InvalidOption("skipRows", say("“{name}” does not have that many rows. Skip fewer.", name=name))
    width = max(map(len, rows))
    check_width(width)
    if len(rows) * width > MAX_CELLS // 10:
        raise OverLimit("memory", "The tables on the page span too many cells.")
    if collected.spans:
        warn.tally(_SPREAD, collected.spans, [f"“{name}”"], part=str(index))
    ragged = sum(len(row) != width for row in rows)
    if ragged:
        warn.tally(_RAGGED, ragged, [f"“{name}”"], part=str(index))
    even: list[Row] = [row + [""] * (width - len(row)) for row in rows]
    header = unique_names(even.pop(0), warn, name if options.sheets == "all" else "") if options.header_row else None
    columns = header or [column_name(at) for at in range(width)]
    for kind in ("links", "pictures"):
        warn.account(kind, ALL)  # includes those outside the table, which are not converted
    beside = Found()
    beside.put(Feature.LINK, len(collected.links), collected.links)
    beside.put(Feature.PICTURE, collected.pictures)
    return Table(name, columns, lambda: batched(even), named=options.header_row, nulls=False, found=beside)
