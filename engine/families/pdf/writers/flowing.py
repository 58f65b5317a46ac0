"""Convert PDF to other document formats by way of HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from engine.families.documents import exchange
from engine.families.pdf.page.blocks import joined_pages
from engine.families.pdf.page.continued import joined_tables
from engine.families.pdf.page.document import ReadOptions, document_of
from engine.families.pdf.writers import web
from engine.families.pdf.writers.texts import report_running_lines
from engine.toolkit.formats import FORMATS, HTML
from engine.toolkit.warnings import Warn


class BookOptions(ReadOptions, Protocol):
    """The options needed for writing a flowing document."""

    @property
    def images(self) -> str: ...


def to_document(source: Path, target: Path, options: BookOptions, warn: Warn) -> None:
    """Write the chosen pages in the format named by the extension of `target`."""
    folder = target.with_name("page-pictures") if options.images == "embed" else None
    document = document_of(source, options, warn, folder=folder)
    report_running_lines(document, warn)
    blocks = joined_tables(joined_pages(document.blocks), document.sizes)
    page = target.with_name("page.html")
    with page.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(web.written(document, blocks, pictures=options.images, marks=False))
    exchange.convert(page, target, HTML, FORMATS[target.suffix[1:]], exchange.Settings(pictures="embed"), warn)
