"""The pages that are kept of a document that was laid out."""

from __future__ import annotations

import pikepdf

from conversions.toolkit.failures import InvalidOption
from conversions.toolkit.page_ranges import chosen


def kept(pdf: pikepdf.Pdf, ranges: str) -> None:
    """Delete from `pdf` all pages but those that `ranges` names. Raises InvalidOption for pages that there are not."""
    try:
        pages = set(chosen(ranges, len(pdf.pages)))
    except InvalidOption as error:
        raise InvalidOption("pageRanges", str(error)) from error
    for at in reversed(range(len(pdf.pages))):
        if at not in pages:
            del pdf.pages[at]
