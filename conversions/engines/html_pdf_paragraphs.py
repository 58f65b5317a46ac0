"""Lines of text: how they sit in their line height, and where scripts without spaces may be broken."""

from __future__ import annotations

from typing import Any

import xhtml2pdf.reportlab_paragraph
from xhtml2pdf.xhtml2pdf_reportlab import PmlParagraph


class BrokenParagraph(PmlParagraph):  # type: ignore[misc]
    """A paragraph of one document."""

    def drawPara(self, debug: int = 0) -> None:
        lines = self.blPara.lines
        if lines and self.blPara.kind == 1:
            # The engine puts the first line's letters at the very top, and what the line has to spare beneath.
            above, _ = extent(lines[0], self.style.leading)
            self.canv.translate(0, lines[0].ascent - above)
        super().drawPara(debug)


def extent(line: Any, leading: float) -> tuple[float, float]:
    """How far a line reaches above and below its baseline: half of what it has to spare on each side (CSS 2.1, 10.8.1)."""
    spare = max(leading - (line.ascent - line.descent), 0.0)
    return line.ascent + spare / 2, -line.descent + spare / 2


def install() -> None:
    """Make the layout engine space lines our way."""
    xhtml2pdf.reportlab_paragraph._maxLeadingExtent = extent


install()
