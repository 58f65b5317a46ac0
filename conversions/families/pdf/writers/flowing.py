"""Flowing documents: a PDF handed over as a page of HTML, and written from it by the family of documents."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from conversions.families.documents import exchange
from conversions.families.pdf.page.blocks import joined_pages
from conversions.families.pdf.page.continued import joined_tables
from conversions.families.pdf.page.document import ReadOptions, document_of
from conversions.families.pdf.writers import web
from conversions.families.pdf.writers.texts import tell_running
from conversions.toolkit.formats import FORMATS, HTML
from conversions.toolkit.warnings import Warn


class BookOptions(ReadOptions, Protocol):
    """What writing a flowing document needs of its options."""

    @property
    def images(self) -> str: ...


def to_document(source: Path, target: Path, options: BookOptions, warn: Warn) -> None:
    """Write the chosen pages in the format that the extension of `target` is the id of."""
    folder = target.with_name("page-pictures") if options.images == "embed" else None
    document = document_of(source, options, warn, folder=folder)
    tell_running(document, warn)
    blocks = joined_tables(joined_pages(document.blocks), document.sizes)
    page = target.with_name("page.html")
    with page.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(web.written(document, blocks, pictures=options.images, marks=False))
    exchange.convert(page, target, HTML, FORMATS[target.suffix[1:]], exchange.Settings(pictures="embed"), warn)
