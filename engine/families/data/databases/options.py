"""Options of SQLite databases."""

from __future__ import annotations

from typing import Literal

from engine.families.data.picking.options import ONE_OR_ALL
from engine.families.data.workbooks.options import SheetCells
from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import option, options


@options
class DatabaseTables:
    """Reading a database for rows."""

    table: str | None = option(
        None,
        "Name or number of the table, counting from 1; the first one if not given.",
        max_length=200,
        selects=EVERYTHING,
    )
    sheets: Literal["one", "all"] = option(
        "one",
        "Convert one table, or all of them as separate files in a ZIP. Ignored if table is given.",
        choices=ONE_OR_ALL,
        selects=EVERYTHING,
    )


@options
class DatabaseCopy:
    """Reading a database to write a workbook: every table."""

    table: str | None = option(
        None, "Name or number of the table to convert, counting from 1.", max_length=200, selects=EVERYTHING
    )
    sheets: Literal["one", "all"] = option(
        "all",
        "Convert the first table, or all of them as separate sheets. Ignored if table is given.",
        choices=ONE_OR_ALL,
        selects=EVERYTHING,
    )


@options
class SheetsToTables(SheetCells):
    """Reading a workbook to write a database: every sheet, with names for its columns."""

    sheet: str | None = option(
        None, "Name or number of the sheet to convert, counting from 1.", max_length=100, selects=EVERYTHING
    )
    sheets: Literal["one", "all"] = option(
        "all",
        "Convert the first sheet, or all of them as separate tables. Ignored if sheet is given.",
        choices=ONE_OR_ALL,
        selects=EVERYTHING,
    )
    header_row: bool = option(True, "The first row with content has the column names.")
    empty_rows: bool = option(False, "Keep empty rows.")


@options
class SqliteOut:
    """Writing a database."""

    table_name: str = option(
        "", "Name of the table if there is only one. Leave empty to use the sheet's name, or data.", max_length=200
    )
