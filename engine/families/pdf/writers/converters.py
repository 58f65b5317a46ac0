"""Convert PDF pages to structured text, editable documents and table rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.families.images.options import Pages
from engine.families.ocr.options import Recognised
from engine.families.pdf.options import READER, Locked
from engine.families.pdf.tasks.options import Content
from engine.families.pdf.writers.options import (
    BookParts,
    Sheets,
    SlideParts,
    TableFiles,
    TablesOnly,
    TextParts,
    WordParts,
)
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import CSV, DOCX, EPUB, HTML, JSON, MARKDOWN, ODT, PDF, PPTX, RTF, XLSX, Format
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

_READ = ("pypdfium2", "pikepdf", "PIL", "engine.families.pdf.page.document")
TEXTS = Engine(
    "pypdfium2",
    modules=(*_READ, "engine.families.pdf.writers.texts", *READER.modules),
    folders=READER.folders,
)
WORDS = Engine(
    "pypdfium2",
    modules=(*_READ, "engine.families.pdf.writers.docx.document", *READER.modules),
    folders=READER.folders,
)
SLIDES = Engine(
    "pypdfium2",
    modules=(*_READ, "engine.families.pdf.writers.slides.document", *READER.modules),
    folders=READER.folders,
)
FLOWING = Engine(
    "pypdfium2",
    modules=(*_READ, "cmarkgfm", "nh3", "engine.families.pdf.writers.flowing", *READER.modules),
    folders=READER.folders,
    lazy=("pypandoc",),
    programs=("pypandoc/files/pandoc",),
    further=("pypandoc-binary",),
)
ROWS = Engine(
    "pypdfium2", modules=(*_READ, "engine.families.pdf.writers.rows", *READER.modules), folders=READER.folders
)


@converter(
    PDF,
    MARKDOWN,
    profile="ocr",
    engine=TEXTS,
    options=combine("PdfToMarkdownOptions", Recognised, TextParts, Pages, Locked),
    packs=True,
)
def pdf_to_markdown(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Extract the text of a PDF in reading order, with headings, paragraphs, lists, tables, links and form fields."""
    from engine.families.pdf.recognised import read
    from engine.families.pdf.writers import texts

    return texts.to_markdown(read.with_text(source, options, warn), target, options, warn)


@converter(
    PDF,
    HTML,
    profile="ocr",
    engine=TEXTS,
    options=combine("PdfToHtmlOptions", Recognised, TextParts, Pages, Locked),
    packs=True,
)
def pdf_to_html(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert the text of a PDF to simple HTML, with headings, paragraphs, lists, tables, links and form fields."""
    from engine.families.pdf.recognised import read
    from engine.families.pdf.writers import texts

    return texts.to_html(read.with_text(source, options, warn), target, options, warn)


@converter(
    PDF,
    DOCX,
    profile="ocr",
    engine=WORDS,
    options=combine("PdfToDocxOptions", Recognised, WordParts, Pages, Locked),
)
def pdf_to_docx(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert a PDF to a Word document, with headings, paragraphs, lists, tables, pictures and links."""
    from engine.families.pdf.recognised import read
    from engine.families.pdf.writers.docx import document

    document.to_docx(read.with_text(source, options, warn), target, options, warn)


@converter(
    PDF, PPTX, profile="ocr", engine=SLIDES, options=combine("PdfToPptxOptions", Recognised, SlideParts, Pages, Locked)
)
def pdf_to_pptx(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert a PDF to a presentation, one slide per page, with text, tables, pictures and links in place."""
    from engine.families.pdf.recognised import read
    from engine.families.pdf.writers.slides import document

    document.to_pptx(read.with_text(source, options, warn), target, options, warn)


@converter(
    PDF, XLSX, profile="ocr", engine=ROWS, options=combine("PdfToXlsxOptions", Recognised, Sheets, Pages, Locked)
)
def pdf_to_xlsx(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the tables in a PDF to a workbook."""
    from engine.families.pdf.recognised import read
    from engine.families.pdf.writers import rows

    rows.to_xlsx(read.with_text(source, options, warn), target, options, warn)


@converter(
    PDF,
    CSV,
    profile="ocr",
    engine=ROWS,
    options=combine("PdfToCsvOptions", Recognised, TableFiles, Pages, Locked),
    packs=True,
)
def pdf_to_csv(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert the tables in a PDF to CSV."""
    from engine.families.pdf.recognised import read
    from engine.families.pdf.writers import rows

    return rows.to_csv(read.with_text(source, options, warn), target, options, warn)


@converter(
    PDF,
    JSON,
    profile="ocr",
    engine=ROWS,
    options=combine("PdfToJsonOptions", Content, Recognised, TablesOnly, Pages, Locked),
)
def pdf_to_json(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the tables in a PDF to JSON, with their pages, or extract its metadata and fonts."""
    if options.content == "tables":
        from engine.families.pdf.recognised import read
        from engine.families.pdf.writers import rows

        rows.to_json(read.with_text(source, options, warn), target, options, warn)
    else:
        from engine.families.pdf.tasks import extract

        extract.describe(source, target, options)


@converter(
    PDF,
    (ODT, RTF, EPUB),
    profile="office",
    engine=FLOWING,
    options=combine("PdfToBook", Recognised, BookParts, Pages, Locked),
)
def pdf_to_document(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert a PDF to {output}, with headings, paragraphs, lists, tables, pictures and links."""
    from engine.families.pdf.recognised import read
    from engine.families.pdf.writers import flowing

    flowing.to_document(read.with_text(source, options, warn), target, options, warn)
