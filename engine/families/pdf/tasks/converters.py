"""Split PDFs into a ZIP, and merge a ZIP of PDFs."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from engine.families.html_pdf.options import HTML_PDF
from engine.families.pdf.tasks.options import MergeOptions, SplitOptions
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import PDF, ZIP, Format
from engine.toolkit.warnings import Warn

PIKEPDF = Engine(
    "pikepdf",
    modules=(
        "pikepdf",
        "PIL",
        "engine.families.images.heif",
        "engine.families.pdf.tasks.arrange",
        "engine.families.pdf.tasks.extract",
        "engine.families.pdf.tasks.merge",
        "engine.families.pdf.tasks.split",
    ),
)


@converter(PDF, ZIP, profile="pdf", engine=PIKEPDF, options=SplitOptions)
def pdf_to_zip(source: Path, target: Path, options: SplitOptions, warn: Warn) -> None:
    """Split a PDF into several, or extract its pictures, attachments and metadata."""
    from engine.families.pdf import read
    from engine.families.pdf.tasks import extract, split

    with read.opened(source, options.password) as pdf:
        read.report_missing_contents(pdf, range(len(pdf.pages)), warn)
        if options.take == "parts":
            extract.extract(pdf, target, options.pages, warn)
        else:
            split.split(pdf, target, options, warn)


MERGING = dataclasses.replace(
    PIKEPDF,
    modules=(*PIKEPDF.modules, *HTML_PDF.modules, "engine.families.saved_pages.exchange"),
    further=(HTML_PDF.distribution,),
)


@converter(ZIP, PDF, profile="pdf", engine=MERGING, options=MergeOptions, packs=True)
def zip_to_pdf(source: Path, target: Path, options: MergeOptions, warn: Warn) -> Format | None:
    """Merge the PDFs and pictures in a ZIP into one PDF, ordered by name; a ZIP with an index.html becomes its page."""
    from engine.families.pdf.tasks import merge

    return merge.merge(source, target, options, warn)
