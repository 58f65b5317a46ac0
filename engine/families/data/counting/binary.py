"""Count the sheets of binary workbooks, using calamine."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from engine.families.data.counting import binary_looks, rows, sheets
from engine.families.data.workbooks import biff, biff_formats, impossible_days, xlsb_parts
from engine.families.data.workbooks.facts import WorkbookFacts
from engine.toolkit import archive
from engine.toolkit.census import Census

SMALL = 300_000
"""Bytes up to which a workbook is counted: no parser is faster than that of its conversion."""


def workbook(path: Path) -> Census:
    """Return the census of a workbook's sheets and their looks."""
    import python_calamine

    if path.stat().st_size > SMALL or path.read_bytes()[:1] == b"<":
        return sheets.too_large()
    facts = WorkbookFacts()
    if path.suffix == ".xls":
        biff.inspect(path, facts)
    else:
        archive.preflight(path, xlsb_parts.inspector(facts), visited=(".xml", ".rels", ".bin"), max_ratio=None)
    # A copy may have no formats that the library mistakes for dates.
    readable = biff_formats.readable(path, facts.code_page) if facts.code_page else path
    book = python_calamine.CalamineWorkbook.from_path(readable)
    names = [each.name for each in book.sheets_metadata if each.typ == python_calamine.SheetTypeEnum.WorkSheet]
    whole = sheets.workbook((name, _sheet(_values(path, facts, book.get_sheet_by_name(name)))) for name in names)
    binary_looks.see(path, facts, whole.parts, whole)
    return whole


def _values(path: Path, facts: WorkbookFacts, sheet: Any) -> list[list[Any]]:
    """The cells of a sheet, with the stored numbers of those that the library makes wrong days of."""
    found: list[list[Any]] = sheet.to_python()
    top, left = sheet.start or (0, 0)
    for (row, column), value in impossible_days.find(path, facts, sheet.name, as_numbers=False).values.items():
        if 0 <= row - top < len(found) and 0 <= column - left < len(found[row - top]):
            found[row - top][column - left] = value
    return found


def _sheet(found: list[list[Any]]) -> Census:
    full = [row for row in found if any(each != "" for each in row)]
    if not full:
        return rows.table(0, [])
    header, count = list(map(_text, full[0])), len(full) - 1
    blocks = [[list(map(_text, row)) for row in full[first + 1 : last + 1]] for first, last in rows.windows(count)]
    census = rows.table(count, blocks, header=header)
    census.add("columns", len([each for each in header if each]))
    return census


def _text(value: Any) -> str:
    if isinstance(value, timedelta):
        return ""  # durations have many spellings
    return value.isoformat() if isinstance(value, date | datetime | time) else str(value)
