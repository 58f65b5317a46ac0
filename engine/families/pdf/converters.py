"""Convert PDF pages to pictures and text, and edit PDF files."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from engine.families.images import options as groups
from engine.families.images.converters import writing
from engine.families.images.options import Pages
from engine.families.ocr.options import Recognised, Searchable
from engine.families.pdf.options import READER, Drawn, Locked, PdfOptions, TextOptions
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import AVIF, BMP, GIF, HEIC, JPG, PDF, PNG, TIFF, TXT, WEBP, Format
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

PDFIUM = Engine(
    "pypdfium2",
    modules=(
        "pypdfium2",
        "pikepdf",
        "PIL",
        "engine.families.pdf.pictures",
        "engine.families.pdf.text",
    ),
)
PIKEPDF = Engine(
    "pikepdf",
    modules=(
        "pikepdf",
        "PIL",
        "reportlab",
        "pypdfium2",
        "engine.families.pdf.qpdf",
        "engine.families.pdf.watermark",
        "engine.families.pdf.tasks.archive.convert",
        "engine.families.pdf.tasks.field_appearances",
        "engine.families.pdf.tasks.overlays",
        "engine.families.pdf.tasks.cleaning",
        "engine.families.pdf.tasks.redaction.redact",
        "engine.families.pdf.tasks.redaction.unread",
        "engine.families.pdf.tasks.sheets",
        "engine.families.pdf.tasks.smaller_fonts",
    ),
)
READING, CHANGING = (
    dataclasses.replace(each, modules=(*each.modules, *READER.modules), folders=READER.folders)
    for each in (PDFIUM, PIKEPDF)
)


def _pictures(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert the pages of a PDF to {output}. Several pages become a ZIP of pictures or one long picture."""
    from engine.families.pdf import pictures

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
        engine=writing(_output, PDFIUM),
        options=combine(f"PdfTo{_output.id.capitalize()}Options", Drawn, _coding, Pages, Locked),
        packs=True,
    )(_pictures)


@converter(PDF, TXT, profile="ocr", engine=READING, options=combine("PdfToTxtOptions", Recognised, TextOptions))
def pdf_to_txt(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Extract the text of a PDF, and recognise text on scanned pages."""
    from engine.families.pdf import text as pdf_text

    found = pdf_text.texts_of(source, options, warn) if options.ocr != "force" else None
    if found is None or not (options.ocr == "off" or found.has_text_throughout):
        from engine.families.pdf.recognised import read

        found = pdf_text.texts_of(read.with_text(source, options, warn), options, warn)
    pdf_text.write(found, target, options, warn)


@converter(PDF, PDF, profile="ocr", engine=CHANGING, options=combine("PdfToPdfOptions", PdfOptions, Searchable))
def pdf_to_pdf(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Compress, rotate, crop, number, stamp, encrypt, decrypt, clean or repair a PDF, pick pages, or read scans."""
    from engine.families.pdf import qpdf

    if options.ocr != "off":
        from engine.families.pdf.recognised import read

        source = read.searchable(source, options, warn, exact=options.operation == "redact")
    qpdf.convert(source, target, options, warn)
