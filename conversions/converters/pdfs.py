"""PDF: its pages as pictures, its text, and changes to the file itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from conversions.converters import picture_options as groups
from conversions.converters.base import Engine, converter
from conversions.converters.picture_options import Background, Pages
from conversions.formats import AVIF, BMP, GIF, HTML, JPG, MARKDOWN, PDF, PNG, TIFF, TXT, WEBP, Format
from conversions.options import option, together
from conversions.warnings import Warn

PDFIUM = Engine(
    "pypdfium2",
    modules=(
        "pypdfium2",
        "pikepdf",
        "PIL",
        "conversions.engines.pdf_pictures",
        "conversions.engines.pdf_text",
    ),
)
PIKEPDF = Engine("pikepdf", modules=("pikepdf", "PIL", "reportlab", "conversions.engines.qpdf"))

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
    background: str = option("#ffffff", "Colour of the paper, as #rrggbb.", pattern=groups.COLOUR, max_length=7)


@dataclass(frozen=True)
class TextOptions(Locked, Pages):
    """How plain text is written."""

    page_break: Literal["blankLine", "formFeed"] = option(
        "blankLine", "What stands between two pages: an empty line or a form feed."
    )


@dataclass(frozen=True)
class PdfOptions(Locked, Pages):
    """What is done to a PDF; most options belong to one operation."""

    operation: Literal["compress", "rotate", "pages", "encrypt", "decrypt", "watermark"] = option(
        "compress", "What to do: make it smaller, turn pages, pick pages, lock, unlock, or write across the pages."
    )
    pages: str | None = option(
        None,
        "Pages to turn, pick or write across, such as 1-3,5 or 4-; all of them if left out. Picked pages come in this "
        "order.",
        pattern=groups.PAGES,
        max_length=200,
    )
    image_quality: int | None = option(
        None,
        "compress: store pictures as JPEG of this quality, 1 to 100; left out, no picture loses anything.",
        minimum=1,
        maximum=100,
    )
    angle: Literal["90", "180", "270"] | None = option(None, "rotate: degrees clockwise, 90 if left out.")
    user_password: str | None = option(
        None, "encrypt: password to open the PDF.", min_length=1, max_length=MAX_PASSWORD, secret=True
    )
    owner_password: str | None = option(
        None,
        "encrypt: password to change what is allowed; the same as the other one if left out.",
        min_length=1,
        max_length=MAX_PASSWORD,
        secret=True,
    )
    allow: Literal["all", "print", "none"] | None = option(
        None, "encrypt: what readers may do without the owner's password: everything, only print, or only look."
    )
    watermark_text: str | None = option(None, "watermark: text to write across the pages.", max_length=100)
    watermark_opacity: float | None = option(
        None, "watermark: from 0.05 (hardly visible) to 1 (opaque), 0.15 if left out.", minimum=0.05, maximum=1
    )


def _pictures(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Draw the pages of a PDF as {output}; several pages become a ZIP of pictures."""
    from conversions.engines import pdf_pictures

    return pdf_pictures.to_pictures(source, target, options, warn)


for _output, _coding in (
    (PNG, groups.PngCoding),
    (JPG, groups.JpgCoding),
    (WEBP, groups.WebpCoding),
    (AVIF, groups.AvifCoding),
    (TIFF, groups.TiffCoding),
    (GIF, groups.GifCoding),
    (BMP, groups.BmpCoding),
):
    converter(
        PDF,
        _output,
        family="pdf",
        engine=PDFIUM,
        options=together(f"PdfTo{_output.id.capitalize()}Options", Drawn, _coding, Pages, Locked),
    )(_pictures)


@converter(PDF, TXT, family="pdf", engine=PDFIUM, options=TextOptions)
def pdf_to_txt(source: Path, target: Path, options: TextOptions, warn: Warn) -> None:
    """Take the text out of a PDF."""
    from conversions.engines import pdf_text

    pdf_text.to_txt(source, target, options, warn)


@converter(PDF, MARKDOWN, family="pdf", engine=PDFIUM, options=together("PdfToMarkdownOptions", Pages, Locked))
def pdf_to_markdown(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Take the text out of a PDF, with headings, paragraphs and lists as they look."""
    from conversions.engines import pdf_text

    pdf_text.to_markdown(source, target, options, warn)


@converter(PDF, HTML, family="pdf", engine=PDFIUM, options=together("PdfToHtmlOptions", Pages, Locked))
def pdf_to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Take the text out of a PDF as simple HTML, with headings, paragraphs and lists as they look."""
    from conversions.engines import pdf_text

    pdf_text.to_html(source, target, options, warn)


@converter(PDF, PDF, family="pdf", engine=PIKEPDF, options=PdfOptions)
def pdf_to_pdf(source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    """Make a PDF smaller, turn or pick its pages, lock or unlock it, or write across its pages."""
    from conversions.engines import qpdf

    qpdf.convert(source, target, options, warn)
