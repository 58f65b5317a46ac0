"""Options of reading workbooks: as rows, as another workbook, or as pages."""

from __future__ import annotations

from typing import Literal

from engine.families.data.picking.options import ONE_OR_ALL, LeadingLines
from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import option, options

_SHEET = "Name or number of the sheet, counting from 1; the first one with cells if not given."
_ONE_SHEET = "Name or number of the sheet to convert, counting from 1."


@options
class SheetCells(LeadingLines):
    """Reading the cells of a workbook's sheets."""

    range: str = option(
        "", "Cells to convert, such as A1:D20, A:D or 2:50. Leave empty for all.", max_length=25, selects=EVERYTHING
    )
    values: Literal["raw", "shown"] = option(
        "raw",
        "raw keeps the values; shown keeps the text that a spreadsheet displays, such as 01234, 12% or 30:00:00.",
        choices={
            "raw": "The values: The numbers and dates themselves, so that you can calculate with them.",
            "shown": "Displayed text: Text as shown in the sheet, such as 12% or 01234.",
        },
        selects={"values"},
    )
    fill_merged: bool = option(False, "Repeat the value in each of the merged cells.")
    password: str | None = option(None, "Password of the workbook, if it has one.", max_length=255, secret=True)


@options
class SheetRows(SheetCells):
    """Reading a workbook for rows."""

    sheet: str | None = option(None, _SHEET, max_length=100, selects=EVERYTHING)
    sheets: Literal["one", "all"] = option(
        "one",
        "Convert one sheet, or all of them as separate files in a ZIP. Ignored if sheet is given.",
        choices=ONE_OR_ALL,
    )
    header_row: bool = option(True, "The first row with content has the column names.")
    empty_rows: bool = option(False, "Keep empty rows.")


@options
class SheetCopy(SheetCells):
    """Reading a workbook to write another one: every sheet, unchanged."""

    sheet: str | None = option(None, _ONE_SHEET, max_length=100, selects=EVERYTHING)
    sheets: Literal["one", "all"] = option(
        "all",
        "Convert the first sheet, or all of them. Ignored if sheet is given.",
        choices=ONE_OR_ALL,
        selects=EVERYTHING,
    )
    header_row: bool = option(False, "Treat the first row with content as a header, which gets bold and unique names.")
    empty_rows: bool = option(True, "Keep empty rows.")


@options
class SheetPages(SheetCells):
    """Reading a workbook to draw it: every sheet, unchanged."""

    sheet: str | None = option(None, _ONE_SHEET, max_length=100, selects=EVERYTHING)
    sheets: Literal["one", "all"] = option(
        "all",
        "Convert the first sheet, or all of them. Ignored if sheet is given.",
        choices=ONE_OR_ALL,
        selects=EVERYTHING,
    )
    header_row: bool = option(True, "The first row with content has the column names.")
    empty_rows: bool = option(True, "Keep empty rows.")
