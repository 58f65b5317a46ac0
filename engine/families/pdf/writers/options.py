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
        "Find tables by the lines drawn around their cells, by text that stands in columns, by both (auto), or not at "
        "all.",
        choices={
            "auto": "Automatic: By lines and by columns.",
            "lines": "By lines: Only where lines are drawn around the cells.",
            "text": "By columns: Only where text stands in columns.",
            "none": "No tables: Everything is text.",
        },
    )


@dataclass(frozen=True)
class TextParts(TablesFound):
    """The contents of a text, and the handling of its pictures."""

    images: Literal["drop", "embed", "zip"] = option(
        "drop",
        "What to do with pictures: leave them out, embed them in the text, or put them beside it in a ZIP.",
        choices={
            "drop": "Leave them out: Text only.",
            "embed": "In the text: One file with everything in it.",
            "zip": "Beside the text: The text and its pictures in one ZIP.",
        },
        selects=("pictures",),
    )
    page_marks: bool = option(False, "Mark where each page of the PDF begins.")
    running_lines: Literal["drop", "keep"] = option(
        "drop",
        "Leave out the heads and feet that are on page after page, or keep them on every page.",
        choices={
            "drop": "Leave them out: Heads, feet and page numbers go.",
            "keep": "Keep them: On every page where they are.",
        },
    )


_PICTURES = "Take the pictures over, or leave them out."
_TAKEN = {
    "embed": "Take them over: Where they are on the page.",
    "drop": "Leave them out: Text only.",
}


@dataclass(frozen=True)
class WordParts(TablesFound):
    """The layout of pages in a word processor document."""

    layout: Literal["flow", "exact"] = option(
        "flow",
        "flow makes paragraphs, lists and tables that are easy to edit; exact puts every line where it is on the page.",
        choices={
            "flow": "Easy to edit: Paragraphs, lists and tables that flow.",
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
        "Find tables by the lines drawn around their cells, by text that stands in columns, or by both (auto).",
        choices={
            "auto": "Automatic: By lines and by columns.",
            "lines": "By lines: Only where lines are drawn around the cells.",
            "text": "By columns: Only where text stands in columns.",
        },
    )
    numbers: Literal["detect", "text"] = option(
        "detect",
        "Make numbers of cells that are written as such (1,234.50, (3.00), 1.234,50), or keep every cell as text. "
        "Leading zeros, units and numbers of over 15 digits stay text.",
        choices={
            "detect": "Make numbers: Cells such as 1,234.50 become numbers to calculate with.",
            "text": "Keep as text: Every cell exactly as it is printed.",
        },
    )


@dataclass(frozen=True)
class Sheets(TablesOnly):
    """How the tables of a PDF are laid out on sheets."""

    sheets: Literal["perTable", "perPage", "one"] = option(
        "perTable",
        "One sheet for each table, for each page that has any, or one for all of them.",
        choices={
            "perTable": "One for each table: Every table by itself.",
            "perPage": "One for each page: All tables of a page together.",
            "one": "One for everything: All tables below each other.",
        },
        selects=EVERYTHING,
    )


@dataclass(frozen=True)
class TableFiles(TablesOnly):
    """How the tables of a PDF become files of rows."""

    sheets: Literal["perTable", "perPage", "one"] = option(
        "one",
        "One file with all tables below each other, or in a ZIP one for each table or for each page that has any.",
        choices={
            "perTable": "One for each table: Every table by itself.",
            "perPage": "One for each page: All tables of a page together.",
            "one": "One for everything: All tables below each other.",
        },
        selects=EVERYTHING,
    )
