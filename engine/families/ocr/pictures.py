"""Recognise the text of pictures."""

from __future__ import annotations

from pathlib import Path

from engine.families.images import raster
from engine.families.ocr import texts
from engine.families.ocr.options import Reading
from engine.families.ocr.page import Page
from engine.families.ocr.reader import Reader
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn


def to_txt(source: Path, target: Path, options: Reading, warn: Warn) -> None:
    """Write the text lines of the picture, or of the pages of a TIFF in order."""
    target.write_text(texts.plain(_pages(source, options, warn)), encoding="utf-8", newline="\n")


def to_markdown(source: Path, target: Path, options: Reading, warn: Warn) -> None:
    """Write headings, paragraphs and lists, as inferred from text sizes and positions."""
    target.write_text(texts.markdown(_pages(source, options, warn)), encoding="utf-8", newline="\n")


def _pages(source: Path, options: Reading, warn: Warn) -> list[Page]:
    reader = Reader(
        language=options.language, deskew=options.deskew, rotate=options.rotate_pages, warn=warn, tables=True
    )
    pages, blank = [], []
    for number, image, dpi in raster.pictures(source, getattr(options, "pages", None), warn):
        page = reader.read(image, say("page {number}", number=number + 1), dpi)
        pages.append(page)
        warn.progress(len(pages), None, "pages")
        if not page.paragraphs:
            blank.append(str(number + 1))
    reader.close()
    if blank:
        where = say("the picture") if len(pages) == 1 else f"page {', '.join(blank[:20])}{', ...' * (len(blank) > 20)}"
        warn("NO_TEXT", say("No text was found on {where}.", where=where))
    return pages
