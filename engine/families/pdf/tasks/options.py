"""Options of splitting, merging and extracting PDFs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.families.images.options import PAGES
from engine.families.pdf.options import Locked
from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import option


@dataclass(frozen=True)
class SplitOptions(Locked):
    """The contents of the ZIP made from a PDF."""

    take: Literal["pages", "parts"] = option(
        "pages",
        "pages: several PDFs of the pages; parts: the pictures and attached files, and metadata.json with the title, "
        "the fonts and all else that the PDF says about itself.",
        choices={
            "pages": "Pages: Several PDFs.",
            "parts": "What is in it: Pictures, attached files and what it says about itself.",
        },
        selects=EVERYTHING,
    )
    by: Literal["count", "ranges", "size", "outline"] = option(
        "count",
        "pages: a new file after so many pages, for each range of pages, before it gets too large, or at each bookmark "
        "of the first level.",
        choices={
            "count": "By number of pages: A new file after every so many.",
            "ranges": "By ranges: A file for each range of pages that you name.",
            "size": "By size: A new file before one gets too large.",
            "outline": "By chapters: A file for each bookmark of the first level.",
        },
        selects=EVERYTHING,
    )
    every: int = option(1, "pages by count: how many go into a file.", minimum=1, maximum=5_000)
    megabytes: float = option(
        10, "pages by size: how large a file may get, in MB.", minimum=0.01, maximum=250, unit="MB"
    )
    pages: str | None = option(
        None,
        "Pages to take, such as 1-3,5 or 4-; all if not given. By ranges each of them is a file.",
        pattern=PAGES,
        max_length=1_000,
        selects=EVERYTHING,
    )


_SHEETS = r"([0-9]{1,5}:)?[0-9]{1,6}(-([0-9]{1,6})?)?(r(90|180|270))?"


@dataclass(frozen=True)
class MergeOptions:
    """The layout of a ZIP's files in one PDF."""

    pages: str | None = option(
        None,
        "Pages of the result in their order, as file:pages, with r90, r180 or r270 to rotate them clockwise: "
        "1:3,1:1-2r90,2:4- takes page 3 of the first file, its first two pages rotated, and the second file from page "
        "4 on. A semicolon starts a new PDF; several PDFs make a ZIP. All pages in order if not given.",
        pattern=rf"{_SHEETS}([,;]{_SHEETS})*",
        max_length=10_000,
        selects=EVERYTHING,
    )

    page_size: Literal["picture", "A4", "Letter"] = option(
        "A4",
        "Paper of pictures: as large as the picture, or A4 or Letter, upright or not as the picture is.",
        choices={
            "picture": "As large as the picture: No margin around it.",
            "A4": "A4: 210 by 297 mm, standard in most countries.",
            "Letter": "Letter: 8.5 by 11 inches, standard in North America.",
        },
    )
    margin: float = option(0.0, "White margin around each picture, in millimetres.", minimum=0, maximum=100, unit="mm")
    bookmarks: bool = option(True, "Add a bookmark for each file, named as it is, with its own bookmarks below.")
    password: str | None = option(
        None, "Password that opens the PDFs in the ZIP that are encrypted.", max_length=127, secret=True
    )


@dataclass(frozen=True)
class Content:
    """The information about a PDF in the JSON output."""

    content: Literal["tables", "metadata", "fonts"] = option(
        "tables",
        "tables: the rows of its tables; metadata: title, author, dates, the sizes of its pages, attached files and "
        "what else it says about itself; fonts: the fonts of its pages, and whether they are in the file.",
        choices={
            "tables": "Tables: The rows of all tables in it.",
            "metadata": "About the file: Title, author, dates, sizes of pages, attached files.",
            "fonts": "Fonts: Which fonts its pages use, and whether they are in the file.",
        },
        selects=EVERYTHING,
    )
