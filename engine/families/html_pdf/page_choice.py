"""Select the pages to keep of a rendered document."""

from __future__ import annotations

from pathlib import Path

import pikepdf

from engine.toolkit.failures import InvalidOption
from engine.toolkit.page_ranges import chosen


def keep(target: Path, ranges: str) -> None:
    """Delete all pages of the PDF in `target` except those in `ranges`. Raises InvalidOption, for the option pages."""
    with pikepdf.open(target, allow_overwriting_input=True) as pdf:
        try:
            kept(pdf, ranges)
        except InvalidOption as error:
            raise InvalidOption("pages", error.message) from error
        pdf.save(target, deterministic_id=True)


def kept(pdf: pikepdf.Pdf, ranges: str) -> None:
    """Delete all pages from `pdf` except those in `ranges`. Raises InvalidOption for pages that do not exist."""
    try:
        pages = set(chosen(ranges, len(pdf.pages)))
    except InvalidOption as error:
        raise InvalidOption("pageRanges", error.message) from error
    for at in reversed(range(len(pdf.pages))):
        if at not in pages:
            del pdf.pages[at]
