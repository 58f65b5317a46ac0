"""All that is replaced in the libraries under the layout: one table, applied once, before the first page."""

from __future__ import annotations

import functools

from conversions.families.html_pdf.xhtml2pdf.patching import Patch, apply_all

XHTML2PDF = "xhtml2pdf 0.2.28"
REPORTLAB = "reportlab 5.1.0"
_OURS = "conversions.families.html_pdf."

PATCHES = (
    Patch(
        "reportlab.pdfbase.ttfonts", "makeToUnicodeCMap",
        "reportlab.pdfbase.ttfonts.makeToUnicodeCMap 71783731cbe4",
        _OURS + "fonts.shaping:to_unicode_cmap",
        "a drawn character may stand for several written ones: without it no text in a script whose letters join or"
        " stack can be searched for or copied", REPORTLAB,
    ),
    Patch(
        "xhtml2pdf.context", "shape_frag_text", "xhtml2pdf.util.shape_frag_text 804381976177",
        _OURS + "xhtml2pdf.context:shape_nothing",
        "text is shaped run by run: the library's way reads each font's file with another library, and joins letters a"
        " second time", XHTML2PDF,
    ),
    Patch(
        "xhtml2pdf.builders.flex", "_paragraph_widths",
        "xhtml2pdf.builders.flex._paragraph_widths 20954b795115",
        _OURS + "xhtml2pdf.paragraphs:paragraph_widths",
        "a column is measured by the breaks that its lines have: Chinese, Japanese and Thai, which have no spaces,"
        " would make any table too wide for its page", XHTML2PDF,
    ),
)  # fmt: skip


@functools.cache
def apply() -> None:
    """Replace in the layout library what the table says.

    Raises LibraryChanged, and replaces nothing, where something is not what the table expects.
    """
    apply_all(PATCHES)
