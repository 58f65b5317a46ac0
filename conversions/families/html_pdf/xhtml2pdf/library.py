"""The layout engine as the rest of the family sees it: its library is patched, and then loaded, by the first page."""

from __future__ import annotations

from collections.abc import Sequence
from xml.dom.minidom import Document

from conversions.families.html_pdf.options import PageOptions
from conversions.families.html_pdf.xhtml2pdf import log, patches
from conversions.toolkit.warnings import Warn


def load() -> None:
    """Load and patch the library; raises LibraryChanged where it is not the one that is patched."""
    patches.apply()


def lay_out(document: Document, styles: Sequence[str], options: PageOptions, warn: Warn, *, title: str | None) -> bytes:
    """The PDF of a parsed and cleaned page with its style sheets.

    Raises Unreadable for markup that can't be laid out, InvalidOption for margins that leave no room, and what `load`
    raises.
    """
    load()
    # What it imports of the library must be patched by then.
    from conversions.families.html_pdf.xhtml2pdf import layout

    with log.collected(warn):
        return layout.lay_out(document, styles, options, warn, title=title)
