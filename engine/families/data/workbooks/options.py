"""Options of reading workbooks: as rows, as another workbook, or as pages."""

from __future__ import annotations

from typing import Literal

from engine.families.data.picking.options import ONE_OR_ALL, LeadingLines
from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import option, options

_SHEET = "Name of the sheet, or its number from 1; the first one if not given."
_ONE_SHEET = "Name of the one sheet to convert, or its number from 1."


@options
class SheetCells(LeadingLines):
    """Reading the cells of a workbook's sheets."""

    range: str = option(
        "", "Cells to convert, such as A1:D20, A:D or 2:50; all if empty.", max_length=25, selects=EVERYTHING
    )
    values: Literal["raw", "shown"] = option(
        "raw",
        "raw takes the values themselves, shown the texts that a spreadsheet shows for them, such as 01234, 12% or "
        "30:00:00.",
        choices={
            "raw": "The values: Numbers and dates themselves, to go on calculating.",
            "shown": "What is shown: Texts as in the sheet, such as 12% or 01234.",
        },
        selects={"values"},
    )
    fill_merged: bool = option(False, "Repeat the value of merged cells in each of them.")
    password: str | None = option(
        None, "Password that opens the workbook, if it is encrypted.", max_length=255, secret=True
    )


@options
class SheetRows(SheetCells):
    """Reading a workbook for rows."""

    sheet: str | None = option(None, _SHEET, max_length=100, selects=EVERYTHING)
    sheets: Literal["one", "all"] = option(
        "one",
        "Convert one sheet, or all of them, each to its own file in one ZIP. Ignored if sheet is given.",
        choices=ONE_OR_ALL,
    )
    header_row: bool = option(True, "The first row with content holds the names of the columns.")
    empty_rows: bool = option(False, "Keep rows in which every cell is empty.")


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
    empty_rows: bool = option(True, "Keep rows in which every cell is empty.")


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
    header_row: bool = option(True, "The first row with content holds the names of the columns.")
    empty_rows: bool = option(True, "Keep rows in which every cell is empty.")
