"""Split PDFs into a ZIP, and merge a ZIP of PDFs."""

from __future__ import annotations

from pathlib import Path

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


@converter(ZIP, PDF, profile="pdf", engine=PIKEPDF, options=MergeOptions, packs=True)
def zip_to_pdf(source: Path, target: Path, options: MergeOptions, warn: Warn) -> Format | None:
    """Merge the PDFs and pictures in a ZIP into one PDF, ordered by name."""
    from engine.families.pdf.tasks import merge

    return merge.merge(source, target, options, warn)
