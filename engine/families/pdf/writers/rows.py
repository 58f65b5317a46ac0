"""Write PDF tables as workbooks, delimited text and JSON."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from engine.families.data.workbook_from_rows import write_xlsx
from engine.families.pdf.page.continued import joined_tables
from engine.families.pdf.page.document import ReadOptions, document_of
from engine.families.pdf.writers.numbers import Value, values
from engine.families.pdf.writers.runs import cleaned
from engine.toolkit import archive
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import ZIP, Format
from engine.toolkit.warnings import Warn


class RowOptions(ReadOptions, Protocol):
    """The options needed for writing tables."""

    @property
    def numbers(self) -> str: ...


class SheetOptions(RowOptions, Protocol):
    """The options needed for laying out tables on sheets."""

    @property
    def sheets(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Found:
    """A table of the page `page`, the `number`-th of all; both count from 1."""

    page: int
    number: int
    rows: list[list[Value]]


def to_xlsx(source: Path, target: Path, options: SheetOptions, warn: Warn) -> None:
    """Write the tables as sheets of a workbook."""
    found = _tables(source, options, warn, by_page=options.sheets == "perPage")
    write_xlsx([(name, rows) for name, rows in _sheets(found, options.sheets)], target, warn)


def to_csv(source: Path, target: Path, options: SheetOptions, warn: Warn) -> Format | None:
    """Write the tables as comma-separated text; a ZIP if there are several files."""
    sheets = _sheets(_tables(source, options, warn, by_page=options.sheets == "perPage"), options.sheets)
    if len(sheets) == 1:
        _csv(sheets[0][1], target)
        return None
    files = []
    for at, (name, rows) in enumerate(sheets):
        path = target.with_name(f"part{at}.csv")
        _csv(rows, path)
        files.append((f"{name.lower().replace(' ', '-')}.csv", path))
    archive.pack(target, files)
    return ZIP


def to_json(source: Path, target: Path, options: RowOptions, warn: Warn) -> None:
    """Write the tables as a list of objects, each with its page and its rows."""
    found = _tables(source, options, warn)
    with target.open("w", encoding="utf-8", newline="\n") as file:
        file.write("[")
        for at, table in enumerate(found):
            rows = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in table.rows)
            file.write(f'{"," if at else ""}\n  {{"page": {table.page}, "rows": [\n{rows}\n  ]}}')
        file.write("\n]\n")


def _csv(rows: list[list[Value]], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\r\n").writerows(rows)


def _tables(source: Path, options: RowOptions, warn: Warn, *, by_page: bool = False) -> list[Found]:
    document = document_of(source, options, warn, folder=None, text_only=True)
    found: list[Found] = []
    for block in document.blocks if by_page else joined_tables(document.blocks, document.sizes):
        if block.table is not None:
            texts = [[cleaned(cell) for cell in row] for row in block.table.texts()]
            as_text: list[list[Value]] = [[cell or None for cell in row] for row in texts]
            rows = values(texts) if options.numbers == "detect" else as_text
            found.append(Found(block.page + 1, len(found) + 1, rows))
            merged = sum(cell.rows * cell.columns > 1 for cell in block.table.cells)
            if merged:
                warn("MERGED_CELLS", "Merged cells keep their value in the first cell only.")
    if not found:
        raise Unreadable("No table was found in the PDF.", reason="empty")
    if any(block.table is None and block.kind != "picture" for block in document.blocks):
        warn("CONTENT_DROPPED", "Only the tables are in the output, not the text around them.")
    return found


def _sheets(found: list[Found], sheets: str) -> list[tuple[str, list[list[Value]]]]:
    """The names and rows of the sheets; tables on one sheet are separated by an empty row."""
    if sheets == "perTable":
        return [(f"Table {table.number}", table.rows) for table in found]
    groups: dict[str, list[list[Value]]] = {}
    for table in found:
        rows = groups.setdefault("Tables" if sheets == "one" else f"Page {table.page}", [])
        rows += [[], *table.rows] if rows else table.rows
    return list(groups.items())
