"""Boxes around blocks: what a page has no room for goes on on the next one, where the layout engine would shrink it."""

from __future__ import annotations

from typing import Any

from xhtml2pdf.builders.block import BlockBox
from xhtml2pdf.xhtml2pdf_reportlab import PmlKeepInFrame

from conversions.engines.html_pdf_report import report

_split = BlockBox.split


def split_box(self: Any, availWidth: float, availHeight: float) -> list[Any]:
    """Cut a box at a page's end; one that can't be cut is shrunk only where it has the page to itself."""
    parts = list(_split(self, availWidth, availHeight))
    if len(parts) == 1 and isinstance(parts[0], PmlKeepInFrame):
        canvas = getattr(self, "canv", None)
        frame = getattr(getattr(canvas, "_doctemplate", None), "frame", None)
        if frame is not None and not (frame._atTop and availHeight > frame._aH / 2):
            return []
        report(canvas, "CONTENT_CLIPPED", "Content taller than a page can't be cut; it was shrunk to fit.")
    return parts


def install() -> None:
    """Make the layout engine cut its boxes our way."""
    BlockBox.split = split_box


install()
