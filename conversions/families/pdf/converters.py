"""PDF: its pages as pictures, its text, and changes to the file itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.images import options as groups
from conversions.families.images.options import Pages
from conversions.families.pdf.options import Drawn, Locked, PdfOptions, TextOptions
from conversions.toolkit.declaring import Engine, converter
from conversions.toolkit.formats import AVIF, BMP, GIF, JPG, PDF, PNG, TIFF, TXT, WEBP, Format
from conversions.toolkit.options import combine
from conversions.toolkit.warnings import Warn

PDFIUM = Engine(
    "pypdfium2",
    modules=(
        "pypdfium2",
        "pikepdf",
        "PIL",
        "conversions.families.pdf.pictures",
        "conversions.families.pdf.text",
    ),
)
PIKEPDF = Engine("pikepdf", modules=("pikepdf", "PIL", "reportlab", "conversions.families.pdf.qpdf"))


def _pictures(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Draw the pages of a PDF as {output}; several pages become a ZIP of pictures."""
    from conversions.families.pdf import pictures

    return pictures.to_pictures(source, target, options, warn)


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
        profile="pdf",
        engine=PDFIUM,
        options=combine(f"PdfTo{_output.id.capitalize()}Options", Drawn, _coding, Pages, Locked),
    )(_pictures)


@converter(PDF, TXT, profile="pdf", engine=PDFIUM, options=TextOptions)
def pdf_to_txt(source: Path, target: Path, options: TextOptions, warn: Warn) -> None:
    """Extract the text of a PDF."""
    from conversions.families.pdf import text as pdf_text

    pdf_text.to_txt(source, target, options, warn)


@converter(PDF, PDF, profile="pdf", engine=PIKEPDF, options=PdfOptions)
def pdf_to_pdf(source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    """Compress, rotate, crop, number, stamp, encrypt, decrypt, clean or repair a PDF, or pick pages of it."""
    from conversions.families.pdf import qpdf

    qpdf.convert(source, target, options, warn)
