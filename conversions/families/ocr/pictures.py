"""Pictures to the text in them."""

from __future__ import annotations

from pathlib import Path

from conversions.families.images import raster
from conversions.families.ocr import texts
from conversions.families.ocr.options import Reading
from conversions.families.ocr.page import Page
from conversions.families.ocr.reader import Reader
from conversions.toolkit.warnings import Warn


def to_txt(source: Path, target: Path, options: Reading, warn: Warn) -> None:
    """Write the lines of the picture, or of the pages of a TIFF, one page after the other."""
    target.write_text(texts.plain(_pages(source, options, warn)), encoding="utf-8", newline="\n")


def to_markdown(source: Path, target: Path, options: Reading, warn: Warn) -> None:
    """Write headings, paragraphs and lists, as the sizes and places of the letters suggest them."""
    target.write_text(texts.markdown(_pages(source, options, warn)), encoding="utf-8", newline="\n")


def _pages(source: Path, options: Reading, warn: Warn) -> list[Page]:
    reader = Reader(language=options.language, deskew=options.deskew, rotate=options.rotate_pages, warn=warn)
    pages, blank = [], []
    for number, image, dpi in raster.pictures(source, getattr(options, "pages", None), warn):
        page = reader.read(image, f"page {number + 1}", dpi)
        pages.append(page)
        warn.progress(len(pages), None, "pages")
        if not page.paragraphs:
            blank.append(str(number + 1))
    reader.close()
    if blank:
        where = "the picture" if len(pages) == 1 else f"page {', '.join(blank[:20])}{', ...' * (len(blank) > 20)}"
        warn("NO_TEXT", f"No text was found on {where}.")
    return pages
