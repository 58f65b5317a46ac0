"""Workbooks: the sheets of an xlsx, xls or ods file as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, SheetTypeEnum

from conversions.families.data import biff
from conversions.families.data.damage import unreadable
from conversions.families.data.features import Feature, Found
from conversions.families.data.readers import ods_breaks
from conversions.families.data.sheet_bounds import MAX_SHEET_CELLS, WorkbookFacts, ods_inspector, xlsx_inspector
from conversions.families.data.table import Row, Table, batched, check_width, column_name, unique_names
from conversions.families.data.values import Value, text
from conversions.toolkit import archive, office_links
from conversions.toolkit.failures import InvalidOption, OverLimit, Unreadable
from conversions.toolkit.warnings import Kind, Warn

_OTHER_SHEETS = Kind("SHEET_SKIPPED", "Other sheets are not in the output", "Use sheet or allSheets.")
_SHEETS_WITHOUT_CELLS = Kind("SHEET_SKIPPED", "Sheets without cells, such as charts, are not in the output")
_ERRORS = Kind("VALUE_CONVERTED", "Cells that show an error, such as #N/A, were emptied")
_EMPTY_ROWS = Kind("CONTENT_DROPPED", "Empty rows were left out", "Use emptyRows to keep them.")

MAX_EXACT = 10**15
"""From here on a spreadsheet's floats no longer hold every integer."""


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The chosen sheet of a workbook, or all of them, each as a table named like its sheet.

    Raises Unreadable for a damaged or encrypted file, InvalidOption for a sheet that is not there, OverLimit for a
    sheet with too many cells.
    """
    facts = WorkbookFacts()
    if source.suffix == ".xls":
        biff.inspect(source, facts)
    else:
        archive.preflight(source, xlsx_inspector(facts) if source.suffix == ".xlsx" else ods_inspector(facts))
    if source.suffix != ".xlsx" and any(part.cells > MAX_SHEET_CELLS for part in facts.parts.values()):
        # All sheets are unpacked as soon as such a file is opened.
        raise OverLimit("memory", "A sheet spans too many cells. Delete what is far from the data.")
    with unreadable(
        "The workbook is damaged and can't be opened. Save it again and try once more.",
        CalamineError,
        OSError,
        ValueError,
    ):
        try:
            book = CalamineWorkbook.from_path(ods_breaks.written_out(source) if facts.breaks else source)
        except PasswordError:
            raise Unreadable(biff.PROTECTED) from None
        sheets = [each.name for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
    if not sheets:
        raise Unreadable("The workbook has no sheet with cells.")
    chosen = sheets if options.all_sheets and not options.sheet else [_chosen(sheets, options.sheet)]
    warn.detect(sheets=len(sheets))
    for address in facts.outside:
        warn("REMOTE_RESOURCE_BLOCKED", office_links.blocked(address))
    found = Found()
    found.put(Feature.PICTURE, facts.drawings)
    others = [name for name in sheets if name not in chosen]
    empty = [name for name in book.sheet_names if name not in sheets]
    warn.tally(_OTHER_SHEETS, len(others), map(quoted, others))
    warn.tally(_SHEETS_WITHOUT_CELLS, len(empty), map(quoted, empty))
    return [_read_sheet(book, name, facts, options, warn, found) for name in chosen]


def quoted(name: str) -> str:
    """A name of the user's as it stands in a message."""
    return f"“{name}”"


def _read_sheet(
    book: CalamineWorkbook, name: str, facts: WorkbookFacts, options: Any, warn: Warn, found: Found
) -> Table:
    if facts.cells(name) > MAX_SHEET_CELLS:
        raise OverLimit("memory", f"The sheet “{name}” spans too many cells. Delete what is far from the data.")
    found.put(Feature.FORMULA, facts.formulas(name), [f"sheet {quoted(name)}"], part=name)
    warn.tally(_ERRORS, facts.errors(name), [f"sheet {quoted(name)}"], part=name)
    with unreadable(
        f"The sheet “{name}” is damaged. Save the workbook again and try once more.", CalamineError, ValueError
    ):
        return _Sheet(book.get_sheet_by_name(name), options, warn, found).table


def _chosen(sheets: list[str], wanted: str | None) -> str:
    if wanted is None or wanted == "":
        return sheets[0]
    if wanted in sheets:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(sheets):
        return sheets[int(wanted) - 1]
    names = ", ".join(f"“{name}”" for name in sheets[:10])
    raise InvalidOption(
        "sheet", f"There is no sheet “{wanted}”. Give one of {names}, or a number from 1 to {len(sheets)}."
    )


class _Sheet:
    """One sheet; rows without any value are left out, and rows and columns before the first value too."""

    def __init__(self, sheet: CalamineSheet, options: Any, warn: Warn, found: Found) -> None:
        self.sheet = sheet
        self.warn = warn
        self.header = options.header_row
        self.keep_empty = options.empty_rows
        merged = sheet.merged_cell_ranges or []
        found.put(Feature.MERGED, len(merged), [f"sheet {quoted(sheet.name)}"], part=sheet.name)
        check_width(sheet.width)
        first = next((row for batch in self._batches() for row in batch), [])
        if self.header:
            columns = unique_names([text(cell) for cell in first], warn, sheet.name)
        else:
            columns = [column_name(index) for index in range(len(first))]
        self.table = Table(sheet.name, columns, self.batches, named=self.header, nulls=False, found=found)

    def _batches(self) -> Iterator[list[Row]]:
        """The rows from the first one with a value on."""
        if self.sheet.height == 0:
            return
        started = False
        for rows in batched(self.sheet.iter_rows()):
            for index, column in enumerate(zip(*rows, strict=True)):
                values = _values(column)
                if values is not column:
                    for row, value in zip(rows, values, strict=True):
                        row[index] = value
            if not started:
                first = next((at for at, row in enumerate(rows) if any(cell is not None for cell in row)), len(rows))
                del rows[:first]
                started = bool(rows)
            yield rows

    def batches(self) -> Iterator[list[Row]]:
        header, dropped = self.header, 0
        for batch in self._batches():
            if header and batch:
                del batch[0]
                header = False
            filled = batch if self.keep_empty else [row for row in batch if row.count(None) < len(row)]
            dropped += len(batch) - len(filled)
            yield filled
        if dropped:
            self.warn.tally(_EMPTY_ROWS, dropped, [f"sheet {quoted(self.sheet.name)}"], part=self.sheet.name)


def _values(column: tuple[Value, ...]) -> Iterable[Value]:
    """A column of cells as the values they stand for."""
    # Looked at as a whole where it is of one type, as most columns are.
    kinds = set(map(type, column))
    if kinds == {str}:
        return [cell or None for cell in column] if "" in column else column
    if kinds == {float}:
        return [int(cell) if cell.is_integer() and abs(cell) < MAX_EXACT else cell for cell in column]
    if kinds == {bool}:
        return column
    return [_value(cell) for cell in column]


def _value(cell: Value) -> Value:
    if type(cell) is str:
        return cell or None
    if type(cell) is float and cell.is_integer() and abs(cell) < MAX_EXACT:
        return int(cell)
    if type(cell) is datetime and cell.microsecond:
        # A moment is a float of days, whose last digits are no time: round to milliseconds.
        rounded = cell + timedelta(microseconds=500)
        return rounded.replace(microsecond=rounded.microsecond // 1000 * 1000)
    return cell
