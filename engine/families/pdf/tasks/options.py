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
        "pages: several PDFs; parts: the pictures and attachments, and metadata.json with the "
        "title, fonts and other metadata.",
        choices={
            "pages": "Pages: Several PDFs.",
            "parts": "What is in it: Pictures, attachments and metadata.",
        },
        selects=EVERYTHING,
    )
    by: Literal["count", "ranges", "size", "outline"] = option(
        "count",
        "pages: start a new file after a number of pages, for each page range, before a file "
        "gets too large, or at each top-level bookmark.",
        choices={
            "count": "By number of pages: A new file after a number of pages.",
            "ranges": "By ranges: One file per page range.",
            "size": "By size: A new file before one gets too large.",
            "outline": "By chapters: One file per top-level bookmark.",
        },
        selects=EVERYTHING,
    )
    every: int = option(1, "pages by count: pages per file.", minimum=1, maximum=5_000)
    megabytes: float = option(10, "pages by size: maximum file size in MB.", minimum=0.01, maximum=250, unit="MB")
    pages: str | None = option(
        None,
        "Pages to extract, such as 1-3,5 or 4-. Leave empty for all. When splitting by ranges, "
        "each one becomes a file.",
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
        "Pages of the result in order, as file:pages, with r90, r180 or r270 to rotate them "
        "clockwise: 1:3,1:1-2r90,2:4- takes page 3 of the first file, its first two pages "
        "rotated, and the second file from page 4 on. A semicolon starts a new PDF; several PDFs "
        "come in a ZIP. Leave empty for all pages in order.",
        pattern=rf"{_SHEETS}([,;]{_SHEETS})*",
        max_length=10_000,
        selects=EVERYTHING,
    )

    page_size: Literal["picture", "A4", "Letter"] = option(
        "A4",
        "Paper size for pictures: the size of the picture, or A4 or Letter in the picture's orientation.",
        choices={
            "picture": "As large as the picture: No margin around it.",
            "A4": "A4: 210 by 297 mm, standard in most countries.",
            "Letter": "Letter: 8.5 by 11 inches, standard in North America.",
        },
    )
    margin: float = option(0.0, "White margin around each picture, in millimetres.", minimum=0, maximum=100, unit="mm")
    bookmarks: bool = option(True, "Add a bookmark for each file with its name, and the file's bookmarks below it.")
    password: str | None = option(None, "Password for encrypted PDFs in the ZIP.", max_length=127, secret=True)


@dataclass(frozen=True)
class Content:
    """The information about a PDF in the JSON output."""

    content: Literal["tables", "metadata", "fonts"] = option(
        "tables",
        "tables: the rows of its tables; metadata: title, author, dates, page sizes, attachments "
        "and other metadata; fonts: the fonts its pages use, and whether they are embedded.",
        choices={
            "tables": "Tables: The rows of all its tables.",
            "metadata": "About the file: Title, author, dates, page sizes and attachments.",
            "fonts": "Fonts: The fonts its pages use, and whether they are embedded.",
        },
        selects=EVERYTHING,
    )
