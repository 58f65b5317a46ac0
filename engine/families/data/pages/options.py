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
        "Portrait or landscape; auto turns the paper where the table is wider than it is upright.",
        choices={
            "auto": "Automatic: What fits better.",
            "portrait": "Portrait: Upright.",
            "landscape": "Landscape: Wide.",
        },
    )
    fit_to_width: bool = option(
        True,
        "Make the text of a table smaller until all columns fit the width of the paper, down to 5 points; columns that "
        "do not fit are put on pages of their own.",
    )
    repeat_header: bool = option(True, "Repeat the names of the columns at the top of every page.")
    zebra: bool = option(True, "Shade every other row.")
