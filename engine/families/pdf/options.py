"""Options of opening, drawing, reading and changing PDFs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.families.images.options import COLOUR, PAGES, Background, Pages
from engine.families.ocr.options import FOLDERS
from engine.toolkit.census import EVERYTHING
from engine.toolkit.declaring import Engine
from engine.toolkit.options import option

READER = Engine(
    "tesserocr",
    modules=("tesserocr", "pypdfium2", "pikepdf", "PIL", "engine.families.pdf.recognised.read"),
    folders=FOLDERS,
)
"""The engines that add text recognition for scans."""
MAX_PASSWORD = 127
"""Bytes that a password can have (ISO 32000-2, 7.6.4.3.2)."""


@dataclass(frozen=True)
class Locked:
    """A document that may need a password."""

    password: str | None = option(None, "Password of the PDF, if it has one.", max_length=MAX_PASSWORD, secret=True)


@dataclass(frozen=True)
class Drawn(Background):
    """How pages are drawn."""

    dpi: int = option(150, "Pixels per inch of the page.", minimum=10, maximum=1200, unit="px/in")
    background: str = option(
        "#ffffff", "Colour of the paper, as #rrggbb.", pattern=COLOUR, max_length=7, shape="colour"
    )
    several: Literal["zip", "long"] = option(
        "zip",
        "How to write several pages: a ZIP with one picture per page, or one long picture.",
        choices={
            "zip": "One picture per page: All of them in a ZIP.",
            "long": "One long picture: All pages, one below the other.",
        },
        selects={"pages"},
    )


@dataclass(frozen=True)
class TextOptions(Locked, Pages):
    """How plain text is written."""

    page_break: Literal["blankLine", "formFeed"] = option(
        "blankLine",
        "Page separator: an empty line or a form feed.",
        choices={
            "blankLine": "Empty line: Easy to read.",
            "formFeed": "Form feed: A character that printers and programs treat as a page break.",
        },
    )


@dataclass(frozen=True)
class PdfOptions(Locked, Pages):
    """The operation on a PDF; most options belong to one operation."""

    operation: Literal[
        "compress",
        "rotate",
        "pages",
        "crop",
        "several",
        "number",
        "stamp",
        "watermark",
        "encrypt",
        "decrypt",
        "redact",
        "fill",
        "flatten",
        "clean",
        "repair",
        "linearize",
        "archive",
    ] = option(
        "compress",
        "What to do: compress the file, rotate pages, extract pages, crop margins, put several "
        "pages on a sheet, number pages, stamp them with text or a picture, add a watermark, "
        "encrypt, decrypt, redact (remove text permanently), fill in a form, flatten (make forms "
        "and notes part of the pages), clean (remove metadata, attachments, scripts and "
        "what is hidden), repair, linearize (show the first page while loading), or archive (PDF/A-2b, or the "
        "reason why not).",
        choices={
            "compress": "Compress: Make the file smaller.",
            "rotate": "Rotate pages: Rotate pages permanently.",
            "pages": "Extract pages: Keep selected pages, in the order you list them.",
            "crop": "Crop: Crop the margins.",
            "several": "Several on a sheet: Print two or more pages on one.",
            "number": "Number pages: Add page numbers.",
            "stamp": "Stamp: Put text or a picture on each page.",
            "watermark": "Watermark: Pale text across each page.",
            "encrypt": "Protect: Ask for a password.",
            "decrypt": "Unprotect: Remove the password, if you know it.",
            "redact": "Redact: Remove text permanently, not just cover it.",
            "fill": "Fill the form: Fill in its form fields.",
            "flatten": "Flatten: Make forms and notes a permanent part of the page.",
            "clean": "Clean: Remove metadata, attachments, scripts, and hidden layers, notes and fields.",
            "repair": "Repair: Repair a damaged file.",
            "linearize": "For the web: The first page shows before the whole file has loaded.",
            "archive": "For archives: PDF/A, for long-term archiving.",
        },
        selects=EVERYTHING,
    )
    pages: str | None = option(
        None,
        "Pages to process, such as 1-3,5 or 4-. Leave empty for all. Extracted pages keep this order.",
        pattern=PAGES,
        max_length=200,
        shape="pages",
        selects=EVERYTHING,
    )
    level: Literal["screen", "print", "archive"] | None = option(
        None,
        "compress: for the screen (150 pixels per inch, small), for print (300, good), or for "
        "the archive (visually lossless; the default).",
        choices={
            "screen": "For the screen: Pictures at 150 pixels per inch; smallest.",
            "print": "For print: Pictures at 300 pixels per inch; good for printing.",
            "archive": "For the archive: Visually lossless; largest.",
        },
    )
    image_quality: int | None = option(
        None,
        "compress: store pictures as JPEG with this quality, from 1 to 100; if not given, the level decides.",
        minimum=1,
        maximum=100,
    )
    angle: Literal["90", "180", "270"] | None = option(
        None,
        "rotate: degrees clockwise; 90 if not given.",
        choices={
            "90": "A quarter to the right: 90 degrees clockwise.",
            "180": "Upside down: 180 degrees.",
            "270": "A quarter to the left: 270 degrees clockwise.",
        },
    )
    user_password: str | None = option(
        None, "encrypt: password to open the PDF.", min_length=1, max_length=MAX_PASSWORD, secret=True
    )
    owner_password: str | None = option(
        None,
        "encrypt: password to change permissions; same as userPassword if not given.",
        min_length=1,
        max_length=MAX_PASSWORD,
        secret=True,
    )
    allow: Literal["all", "print", "none"] | None = option(
        None,
        "encrypt: what readers can do without the owner password: everything, printing only, or viewing only.",
        choices={
            "all": "Everything: Copy, change and print.",
            "print": "Printing only: Read and print, but not copy.",
            "none": "Viewing only: Read on screen only.",
        },
    )
    watermark_text: str | None = option(None, "watermark: text to print diagonally across the pages.", max_length=100)
    watermark_opacity: float | None = option(
        None, "watermark: opacity from 0.05 (hardly visible) to 1 (opaque); 0.15 if not given.", minimum=0.05, maximum=1
    )
    margins: str | None = option(
        None,
        "crop: millimetres to cut off at the top, right, bottom and left, such as 10,10,10,10.",
        pattern=r"[0-9]{1,4}(\.[0-9]{1,2})?(,[0-9]{1,4}(\.[0-9]{1,2})?){3}",
        max_length=32,
    )
    per_sheet: Literal["2", "4", "6", "8", "9", "16"] | None = option(
        None,
        "several: pages per sheet; 2 if not given.",
        choices={
            "2": "2 pages: Side by side, easy to read.",
            "4": "4 pages: Two by two.",
            "6": "6 pages: Two rows of three.",
            "8": "8 pages: Two rows of four.",
            "9": "9 pages: Three by three.",
            "16": "16 pages: Four by four, for an overview.",
        },
    )
    paper: Literal["A4", "A3", "Letter"] | None = option(
        None,
        "several: sheet size; A4 if not given.",
        choices={
            "A4": "A4: 210 by 297 mm, standard in most countries.",
            "A3": "A3: 297 by 420 mm.",
            "Letter": "Letter: 8.5 by 11 inches, standard in North America.",
        },
    )
    text: str | None = option(
        None,
        "number: number format, such as Page {page} of {pages}; only the number if not given. "
        "stamp: the text, in any script.",
        max_length=200,
    )
    start_at: int | None = option(None, "number: the first number; 1 if not given.", minimum=0, maximum=1_000_000)
    picture: str | None = option(
        None, "stamp: a PNG, JPEG or WebP picture in base64, up to 70 KB.", max_length=100_000, secret=True
    )
    picture_width: int | None = option(
        None,
        "stamp: picture width in percent of the page width; 25 if not given.",
        minimum=1,
        maximum=100,
        unit="%",
    )
    position: (
        Literal[
            "topLeft",
            "topCenter",
            "topRight",
            "center",
            "bottomLeft",
            "bottomCenter",
            "bottomRight",
        ]
        | None
    ) = option(
        None,
        "number, stamp: position on the page. By default, numbers are at the bottom and stamps at the top right.",
        choices={
            "topLeft": "Top left: In the upper left corner.",
            "topCenter": "Top centre: In the middle of the upper edge.",
            "topRight": "Top right: In the upper right corner.",
            "center": "Centre: In the middle of the page.",
            "bottomLeft": "Bottom left: In the lower left corner.",
            "bottomCenter": "Bottom centre: In the middle of the lower edge.",
            "bottomRight": "Bottom right: In the lower right corner.",
        },
    )
    text_size: int | None = option(None, "number, stamp: font size in points; 10 if not given.", minimum=4, maximum=200)
    colour: str | None = option(
        None,
        "number, stamp: text colour, as #rrggbb; black if not given.",
        pattern=COLOUR,
        max_length=7,
        shape="colour",
    )
    opacity: float | None = option(
        None, "number, stamp: opacity from 0.05 (hardly visible) to 1; 1 if not given.", minimum=0.05, maximum=1
    )
    redact_text: str | None = option(
        None,
        "redact: text to remove, one entry per line, ignoring case.",
        max_length=5_000,
        multiline=True,
        secret=True,
    )
    redact_pattern: str | None = option(
        None,
        "redact: a regular expression for text to remove, such as \\d{3}-\\d{2}-\\d{4}.",
        max_length=500,
        multiline=True,  # a password field would hide what is typed
        secret=True,
    )
    fields: str | None = option(
        None,
        'fill: form field values by name, as JSON, such as {"name": "Ada", "member": true}.',
        max_length=50_000,
        multiline=True,
        secret=True,
    )
