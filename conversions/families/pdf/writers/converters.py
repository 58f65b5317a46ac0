"""PDF read page by page: as text with structure, as documents to edit, and its tables as rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.images.options import Pages
from conversions.families.ocr.options import READER, Recognised
from conversions.families.pdf.options import Locked
from conversions.families.pdf.writers.options import TextParts
from conversions.toolkit.declaring import Engine, converter
from conversions.toolkit.formats import HTML, MARKDOWN, PDF, Format
from conversions.toolkit.options import combine
from conversions.toolkit.warnings import Warn

_READ = ("pypdfium2", "pikepdf", "PIL", "conversions.families.pdf.page.document")
TEXTS = Engine(
    "pypdfium2",
    modules=(*_READ, "conversions.families.pdf.writers.texts", *READER.modules),
    folders=READER.folders,
)


@converter(
    PDF,
    MARKDOWN,
    profile="ocr",
    engine=TEXTS,
    options=combine("PdfToMarkdownOptions", Recognised, TextParts, Pages, Locked),
)
def pdf_to_markdown(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Read the text of a PDF in order, with its headings, paragraphs, lists, tables, links and form fields."""
    from conversions.families.ocr import read
    from conversions.families.pdf.writers import texts

    return texts.to_markdown(read.with_text(source, read.Wish.of(options), warn), target, options, warn)


@converter(
    PDF, HTML, profile="ocr", engine=TEXTS, options=combine("PdfToHtmlOptions", Recognised, TextParts, Pages, Locked)
)
def pdf_to_html(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Read the text of a PDF as simple HTML, with its headings, paragraphs, lists, tables, links and form fields."""
    from conversions.families.ocr import read
    from conversions.families.pdf.writers import texts

    return texts.to_html(read.with_text(source, read.Wish.of(options), warn), target, options, warn)
