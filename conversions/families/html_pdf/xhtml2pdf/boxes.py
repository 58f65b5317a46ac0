"""Boxes around blocks: what a page has no room for goes on on the next one, where the layout engine would shrink it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xhtml2pdf.xhtml2pdf_reportlab import PmlKeepInFrame

from conversions.families.html_pdf.report import report

_Split = Callable[[Any, float, float], list[Any]]


def later(split: _Split) -> _Split:
    """A split that shrinks a box that can't be cut only where it has the page to itself."""

    def split_box(self: Any, availWidth: float, availHeight: float) -> list[Any]:
        parts = list(split(self, availWidth, availHeight))
        if len(parts) == 1 and isinstance(parts[0], PmlKeepInFrame):
            canvas = getattr(self, "canv", None)
            frame = getattr(getattr(canvas, "_doctemplate", None), "frame", None)
            if frame is not None and not (frame._atTop and availHeight > frame._aH / 2):
                return []
            report(canvas, "CONTENT_CLIPPED", "Content taller than a page can't be cut; it was shrunk to fit.")
        return parts

    return split_box
