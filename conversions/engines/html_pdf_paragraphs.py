"""Lines of text: where a line may be broken in scripts that write no spaces, and in words wider than the page."""

from __future__ import annotations

from xhtml2pdf.xhtml2pdf_reportlab import PmlParagraph


class BrokenParagraph(PmlParagraph):  # type: ignore[misc]
    """A paragraph of one document."""
