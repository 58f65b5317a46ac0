"""HTML to PDF: one document laid out as pages, with nothing fetched and nothing lost in silence."""

from __future__ import annotations

import gc
from pathlib import Path

from PIL import Image

import conversions.engines.html_pdf_unreached  # noqa: F401  # before whatever imports the layout engine

# isort: split
from conversions.converters.base import Unreadable
from conversions.converters.markup import PageOptions
from conversions.engines import html_pdf_dom, html_pdf_fonts, html_pdf_grids, html_pdf_log, html_pdf_source
from conversions.engines.html_pdf_layout import FAILURES, lay_out
from conversions.engines.html_pdf_styles import Names, StyleSheets
from conversions.warnings import Warn

_SCRIPTS = "Ünï Żółw Ελλάς Русь עברית العربية हिन्दी ไทย 東京 中文 한국 ☑ →"


def render(html: str | bytes, target: Path, options: PageOptions, warn: Warn, *, title: str | None = None) -> None:
    """Write `html` as a PDF to `target`.

    `title` is the document's title where neither the options nor the document has one. Raises Unreadable for bytes
    that are no HTML and for markup that can't be laid out, OverLimit for more than a page can hold, and InvalidOption
    for a paper size or a margin that leaves no room.
    """
    text = html if isinstance(html, str) else html_pdf_source.decode(html, warn)
    page = html_pdf_dom.clean(html_pdf_source.parse(text), warn)
    html_pdf_grids.check(page.tables)
    sheets = StyleSheets(Names(frozenset(page.tags), frozenset(page.classes), frozenset(page.ids)), warn)
    for sheet in page.sheets:
        sheets.add(sheet)
    for element in page.styled:
        element.setAttribute("style", sheets.inline(element.getAttribute("style")))
    sheets.check()
    with html_pdf_log.collected(warn):
        try:
            pdf = lay_out(page.document, sheets.pieces, options, warn, title=title)
        except FAILURES as error:
            raise Unreadable(
                "The page can't be laid out: simplify its tables, positioned boxes and style sheets, and try again."
            ) from error
    target.write_bytes(pdf)


def warm() -> None:
    """Load the fonts and fill the tables that the first document would otherwise wait for."""
    import conversions.engines.html_pdf_svg  # noqa: F401

    Image.preinit()
    warn = Warn()
    latin = "".join(f"<{tag}>Warm</{tag}>" for tag in ("b", "i", "pre", "h1"))
    page = html_pdf_dom.clean(html_pdf_source.parse(f"<p>{_SCRIPTS}<table><tr><td>{latin}</table><ul><li>1</ul>"), warn)
    with html_pdf_log.collected(warn):
        lay_out(page.document, ["p { color: #123456; margin: 1px }"], PageOptions(footer_text="{page}"), warn, title="")
    html_pdf_fonts.give_back()
    gc.collect()
