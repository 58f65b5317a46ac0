"""PDF: its pages as pictures, its text, and changes to the file itself."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from conversions.families.images import options as groups
from conversions.families.images.options import Pages
from conversions.families.ocr.options import READER, Recognised, Searchable
from conversions.families.pdf.options import Drawn, Locked, PdfOptions, TextOptions
from conversions.toolkit.declaring import Engine, converter
from conversions.toolkit.formats import AVIF, BMP, GIF, HEIC, JPG, PDF, PNG, TIFF, TXT, WEBP, Format
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
    lazy=("pillow_heif",),
)
PIKEPDF = Engine(
    "pikepdf",
    modules=(
        "pikepdf",
        "PIL",
        "reportlab",
        "pypdfium2",
        "conversions.families.pdf.qpdf",
        "conversions.families.pdf.watermark",
        "conversions.families.pdf.tasks.archive.convert",
        "conversions.families.pdf.tasks.overlays",
        "conversions.families.pdf.tasks.redaction.redact",
        "conversions.families.pdf.tasks.sheets",
        "conversions.families.pdf.tasks.smaller_fonts",
    ),
)
READING, CHANGING = (
    dataclasses.replace(each, modules=(*each.modules, *READER.modules), folders=READER.folders)
    for each in (PDFIUM, PIKEPDF)
)


def _pictures(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Draw the pages of a PDF as {output}; several pages become a ZIP of pictures, or a long one."""
    from conversions.families.pdf import pictures

    return pictures.to_pictures(source, target, options, warn)


for _output, _coding in (
    (PNG, groups.PngCoding),
    (JPG, groups.JpgCoding),
    (WEBP, groups.WebpCoding),
    (AVIF, groups.AvifCoding),
    (HEIC, groups.HeicCoding),
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
        packs=True,
    )(_pictures)


@converter(PDF, TXT, profile="ocr", engine=READING, options=combine("PdfToTxtOptions", Recognised, TextOptions))
def pdf_to_txt(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Extract the text of a PDF; that of scanned pages is recognised."""
    from conversions.families.pdf import text as pdf_text

    found = pdf_text.texts_of(source, options) if options.ocr != "force" else None
    if found is None or not (options.ocr == "off" or found.beyond_doubt):
        from conversions.families.ocr import read

        found = pdf_text.texts_of(read.with_text(source, read.Wish.of(options), warn), options)
    pdf_text.write(found, target, options, warn)


@converter(PDF, PDF, profile="ocr", engine=CHANGING, options=combine("PdfToPdfOptions", PdfOptions, Searchable))
def pdf_to_pdf(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Compress, rotate, crop, number, stamp, encrypt, decrypt, clean or repair a PDF, pick pages, or read scans."""
    from conversions.families.pdf import qpdf

    if options.ocr != "off":
        from conversions.families.ocr import read

        source = read.searchable(source, read.Wish.of(options), warn)
    qpdf.convert(source, target, options, warn)
