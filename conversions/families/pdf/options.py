"""What PDFs can be told: how they are opened, drawn, read and changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conversions.families.images.options import COLOUR, PAGES, Background, Pages
from conversions.toolkit.options import option

MAX_PASSWORD = 127
"""Bytes that a password can have (ISO 32000-2, 7.6.4.3.2)."""


@dataclass(frozen=True)
class Locked:
    """A document that may need a password."""

    password: str | None = option(
        None, "Password that opens the PDF, if it is encrypted.", max_length=MAX_PASSWORD, secret=True
    )


@dataclass(frozen=True)
class Drawn(Background):
    """How pages are drawn."""

    dpi: int = option(150, "Pixels per inch of the page.", minimum=10, maximum=1200)
    background: str = option("#ffffff", "Colour of the paper, as #rrggbb.", pattern=COLOUR, max_length=7)


@dataclass(frozen=True)
class TextOptions(Locked, Pages):
    """How plain text is written."""

    page_break: Literal["blankLine", "formFeed"] = option(
        "blankLine", "What separates pages: an empty line or a form feed."
    )


@dataclass(frozen=True)
class PdfOptions(Locked, Pages):
    """What is done to a PDF; most options belong to one operation."""

    operation: Literal["compress", "rotate", "pages", "encrypt", "decrypt", "watermark"] = option(
        "compress", "What to do: compress the file, rotate pages, extract pages, encrypt, decrypt, or add a watermark."
    )
    pages: str | None = option(
        None,
        "Pages to rotate, extract or watermark, such as 1-3,5 or 4-; all if not given. Extracted pages keep "
        "this order.",
        pattern=PAGES,
        max_length=200,
    )
    image_quality: int | None = option(
        None,
        "compress: store pictures as JPEG with this quality, from 1 to 100; if not given, pictures stay as they are.",
        minimum=1,
        maximum=100,
    )
    angle: Literal["90", "180", "270"] | None = option(None, "rotate: degrees clockwise; 90 if not given.")
    user_password: str | None = option(
        None, "encrypt: password to open the PDF.", min_length=1, max_length=MAX_PASSWORD, secret=True
    )
    owner_password: str | None = option(
        None,
        "encrypt: password for changing the permissions; the same as userPassword if not given.",
        min_length=1,
        max_length=MAX_PASSWORD,
        secret=True,
    )
    allow: Literal["all", "print", "none"] | None = option(
        None, "encrypt: what readers may do without the owner password: everything, printing only, or viewing only."
    )
    watermark_text: str | None = option(None, "watermark: text to print diagonally across the pages.", max_length=100)
    watermark_opacity: float | None = option(
        None, "watermark: opacity from 0.05 (hardly visible) to 1 (opaque); 0.15 if not given.", minimum=0.05, maximum=1
    )
