"""Options of tables on pages."""

from __future__ import annotations

from typing import Literal

from engine.families.html_pdf.options import Paper
from engine.families.images.options import ORIENTATIONS
from engine.toolkit.options import option, options


@options
class PdfOut(Paper):
    """Drawing tables on pages."""

    orientation: Literal["auto", "portrait", "landscape"] = option(
        "auto",
        "Portrait or landscape; auto uses landscape for tables that are too wide for portrait.",
        choices=ORIENTATIONS,
    )
    fit_to_width: bool = option(
        True,
        "Shrink the text until all columns fit the paper's width, down to 5 points. Columns that "
        "still don't fit go on separate pages.",
    )
    repeat_header: bool = option(True, "Repeat the column names at the top of every page.")
    zebra: bool = option(True, "Shade every other row.")


@options
class PrintedSheets(PdfOut):
    """Drawing sheets on pages, as printed or as plain tables."""

    layout: Literal["sheet", "table"] = option(
        "sheet",
        "Pages as a spreadsheet program prints them, or plain tables. Options that choose columns or rows give tables.",
        choices={
            "sheet": "As printed: With the sheet's formats, page setup, pictures and charts.",
            "table": "Plain tables: The values alone, in columns as wide as they need.",
        },
    )
    fit: Literal["document", "width", "page"] = option(
        "document",
        "How to scale sheets: as set in the workbook, to fit all columns on the page width, or "
        "to fit each sheet on one page.",
        choices={
            "document": "As set in the workbook: The workbook's print scale.",
            "width": "Fit all columns on a page: Shrunk until the width fits.",
            "page": "Each sheet on one page: However small it becomes.",
        },
    )
