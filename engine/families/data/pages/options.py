"""Options of tables on pages."""

from __future__ import annotations

from typing import Literal

from engine.families.html_pdf.options import Paper
from engine.toolkit.options import option, options


@options
class PdfOut(Paper):
    """Drawing tables on pages."""

    orientation: Literal["auto", "portrait", "landscape"] = option(
        "auto",
        "Portrait or landscape; auto uses landscape for tables that are too wide for portrait.",
        choices={
            "auto": "Automatic: Whichever fits better.",
            "portrait": "Portrait: Upright.",
            "landscape": "Landscape: Wide.",
        },
    )
    fit_to_width: bool = option(
        True,
        "Shrink the text until all columns fit the paper's width, down to 5 points. Columns that "
        "still don't fit go on separate pages.",
    )
    repeat_header: bool = option(True, "Repeat the column names at the top of every page.")
    zebra: bool = option(True, "Shade every other row.")
