"""The layout engine as the rest of the family sees it: its library is patched, and then loaded, by the first page."""

from __future__ import annotations

from xml.dom.minidom import Document

from conversions.families.html_pdf.css.styles import StyleSheets
from conversions.families.html_pdf.options import PageOptions
from conversions.families.html_pdf.xhtml2pdf import log, patches
from conversions.toolkit.warnings import Warn


def load() -> None:
    """Load and patch the library; raises LibraryChanged where it is not the one that is patched."""
    patches.apply()


def lay_out(document: Document, sheets: StyleSheets, options: PageOptions, warn: Warn, *, title: str | None) -> bytes:
    """The PDF of a parsed and cleaned page with its style sheets.

    Raises Unreadable for markup that can't be laid out, InvalidOption for margins that leave no room, and what `load`
    raises.
    """
    load()
    # What it imports of the library must be patched by then.
    from conversions.families.html_pdf.xhtml2pdf import layout, pages, simplify

    with log.collected(warn):
        sheet = pages.sheet(sheets.pages, options, warn)
        root = document.documentElement
        page = simplify.Simplifier(sheets.styles(root), warn, sheet.room).run(root)
        return layout.lay_out(document, page, sheets.fonts, sheet, options, warn, title=title)
