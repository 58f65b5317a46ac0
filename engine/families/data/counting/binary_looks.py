"""Count the looks and rules of the sheets of xls (MS-XLS) and xlsb workbooks (MS-XLSB)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area
from engine.families.data.counting import rich_records
from engine.families.data.counting.looks import KINDS, NO_VALUES, TOGETHER, Looks, of_cell, of_style
from engine.families.data.counting.sheet_records import Cell
from engine.families.data.counting.xls_records import XlsWorkbook
from engine.families.data.counting.xlsb_records import XlsbWorkbook
from engine.families.data.workbooks import biff
from engine.families.data.workbooks.facts import WorkbookFacts
from engine.toolkit.census import Census
from engine.toolkit.number_formats import GENERAL, sections

_DATES = frozenset({"date", "elapsed", "half"})


def see(path: Path, facts: WorkbookFacts, parts: dict[str, Census], whole: Census) -> None:
    """Add the looks and rules of a workbook to the censuses of its sheets and its own.

    `facts` are those of an xls file; of an xlsb file they are read here.
    """
    if path.suffix == ".xls":
        book: XlsWorkbook | XlsbWorkbook = XlsWorkbook(biff.records(path))
    else:
        book = XlsbWorkbook(path, facts)
    if not book.is_read:
        whole.samples |= {kind: object() for kind in KINDS | TOGETHER}
        return
    styles, seen = _styles(book, facts), [each[1:-1] if each else None for each in book.fonts]
    for name, census in parts.items():
        looks, part, found = Looks(census, name), facts.part(name), book.sheet(facts, name)
        used = _used(found.cells)
        looks.cells(
            (
                places.cell(each.row, each.column),
                of_cell(styles[each.style], has_value=each.has_value, is_number=each.is_number)
                | ({"runs"} if rich_records.are_unlike(each.runs, book.styles[each.style][0], seen) else frozenset()),
            )
            for each in found.cells
            if each.style < len(styles) and (styles[each.style] or each.runs)
        )
        looks.shifted(used)
        looks.merged(part.merged, used)
        looks.columns(part.widths, part.hidden_columns, used)
        for row in sorted(part.hidden_rows):
            if used.top <= row <= used.bottom:
                looks.add("hidden", place=row + 1)
        for kind in found.rules:
            looks.add(kind, place=name)
        looks.add("setups", found.setups if found.cells else 0, name)
        looks.add("protections", found.locked, name)
        if name in book.hidden:
            looks.add("hidden", place=name)
    Looks(whole).add("setups", book.areas)
    Looks(whole).add("protections", book.locked)
    for each in book.names:
        Looks(whole).add("names", place=each)


def _used(cells: Iterable[Cell]) -> Area:
    full = [each for each in cells if each.has_value]
    if not full:
        return NO_VALUES
    rows, columns = {each.row for each in full}, {each.column for each in full}
    return Area(min(rows), min(columns), max(rows), max(columns))


def _styles(book: XlsWorkbook | XlsbWorkbook, facts: WorkbookFacts) -> list[frozenset[str]]:
    usual = (book.fonts[book.styles[0][0]], book.styles[0][1]) if book.styles and book.fonts else None
    return [
        of_style(
            font=book.fonts[font] if font < len(book.fonts) else None,
            alignment=alignment,
            usual=usual,
            filled=at in facts.styles.filled,
            bordered=bordered,
            code=_is_number_format(facts.styles.formats[at]),
        )
        for at, (font, alignment, bordered) in enumerate(book.styles)
    ]


def _is_number_format(code: str) -> bool:
    return code.lower() not in (GENERAL.lower(), "@", "") and not sections(code)[0].kinds & _DATES
