"""Options of converting PDF pages to other documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import option


@dataclass(frozen=True)
class TablesFound:
    """How tables are found."""

    tables: Literal["auto", "lines", "text", "none"] = option(
        "auto",
        "Find tables by lines around their cells, by text in columns, by both (auto), or not at all.",
        choices={
            "auto": "Automatic: By lines and by columns.",
            "lines": "By lines: Only where there are lines around the cells.",
            "text": "By columns: Only where text is in columns.",
            "none": "No tables: Everything is text.",
        },
    )


@dataclass(frozen=True)
class TextParts(TablesFound):
    """The contents of a text, and the handling of its pictures."""

    images: Literal["drop", "embed", "zip"] = option(
        "drop",
        "Leave pictures out, embed them in the text, or put them beside it in a ZIP.",
        choices={
            "drop": "Leave them out: Text only.",
            "embed": "In the text: One file with everything in it.",
            "zip": "Beside the text: The text and its pictures in one ZIP.",
        },
        selects=("pictures",),
    )
    page_marks: bool = option(False, "Mark where each page of the PDF starts.")
    running_lines: Literal["drop", "keep"] = option(
        "drop",
        "Remove repeated headers and footers, or keep them on every page.",
        choices={
            "drop": "Leave them out: Remove headers, footers and page numbers.",
            "keep": "Keep them: Keep them on every page.",
        },
    )


_PICTURES = "Keep pictures, or leave them out."
_TAKEN = {
    "embed": "Keep them: Where they are on the page.",
    "drop": "Leave them out: Text only.",
}


@dataclass(frozen=True)
class WordParts(TablesFound):
    """The layout of pages in a word processor document."""

    layout: Literal["flow", "exact"] = option(
        "flow",
        "flow makes paragraphs, lists and tables that are easy to edit; exact keeps every line "
        "in its place on the page.",
        choices={
            "flow": "Easy to edit: Paragraphs, lists and tables that reflow.",
            "exact": "Exact: Every line where it is on the page, harder to edit.",
        },
    )
    images: Literal["embed", "drop"] = option("embed", _PICTURES, choices=_TAKEN, selects=("pictures",))


@dataclass(frozen=True)
class BookParts(TablesFound):
    """The contents of a flowing document."""

    images: Literal["embed", "drop"] = option("embed", _PICTURES, choices=_TAKEN, selects=("pictures",))


@dataclass(frozen=True)
class SlideParts(TablesFound):
    """How pages become slides."""

    images: Literal["embed", "drop"] = option("embed", _PICTURES, choices=_TAKEN, selects=("pictures",))


@dataclass(frozen=True)
class TablesOnly:
    """The detection of tables, and the conversion of their cells."""

    tables: Literal["auto", "lines", "text"] = option(
        "auto",
        "Find tables by lines around their cells, by text in columns, or by both (auto).",
        choices={
            "auto": "Automatic: By lines and by columns.",
            "lines": "By lines: Only where there are lines around the cells.",
            "text": "By columns: Only where text is in columns.",
        },
    )
    numbers: Literal["detect", "text"] = option(
        "detect",
        "Convert cells such as 1,234.50, (3.00) or 1.234,50 to numbers, or keep all cells as "
        "text. Leading zeros, units and numbers over 15 digits stay text.",
        choices={
            "detect": "Convert to numbers: Cells such as 1,234.50 become numbers that you can calculate with.",
            "text": "Keep as text: Every cell exactly as it is printed.",
        },
    )


@dataclass(frozen=True)
class Sheets(TablesOnly):
    """How the tables of a PDF are laid out on sheets."""

    sheets: Literal["perTable", "perPage", "one"] = option(
        "perTable",
        "One sheet per table, per page with tables, or for all tables.",
        choices={
            "perTable": "One for each table: Every table separately.",
            "perPage": "One for each page: All tables on a page together.",
            "one": "One for everything: All tables, one below the other.",
        },
        selects=EVERYTHING,
    )


@dataclass(frozen=True)
class TableFiles(TablesOnly):
    """How the tables of a PDF become files of rows."""

    sheets: Literal["perTable", "perPage", "one"] = option(
        "one",
        "One file with all tables, or a ZIP with one file per table or per page with tables.",
        choices={
            "perTable": "One for each table: Every table separately.",
            "perPage": "One for each page: All tables on a page together.",
            "one": "One for everything: All tables, one below the other.",
        },
        selects=EVERYTHING,
    )
