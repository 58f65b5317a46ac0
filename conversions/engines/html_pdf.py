"""HTML to PDF: one document laid out as pages, with nothing fetched and nothing lost in silence."""

from __future__ import annotations

from pathlib import Path

import html5lib

from conversions.converters.markup import PageOptions
from conversions.engines.html_pdf_layout import lay_out
from conversions.warnings import Warn


def render(html: str | bytes, target: Path, options: PageOptions, warn: Warn, *, title: str | None = None) -> None:
    """Write `html` as a PDF to `target`.

    `title` is the document's title where neither the options nor the document has one.
    Raises Unreadable for bytes that are no HTML and for markup that can't be laid out.
    """
    document = html5lib.parse(html, treebuilder="dom")
    styles = []
    for each in document.getElementsByTagName("style"):
        styles.append("".join(c.data for c in each.childNodes))
        each.parentNode.removeChild(each)
    target.write_bytes(lay_out(document, styles, options, warn, title=title))


def warm() -> None:
    """Load what the first document would otherwise wait for."""
