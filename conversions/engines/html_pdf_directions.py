"""The writing direction of any element: the layout engine reads `dir` of paragraphs and a few others only."""

from __future__ import annotations

from typing import Any

import xhtml2pdf.parser
from xhtml2pdf.tags import pisaTag

_KNOWN = ("TD", "TH", "LI", "UL", "OL", "TABLE")
_NEW: tuple[str, ...] = (
    "ARTICLE",
    "ASIDE",
    "BLOCKQUOTE",
    "DD",
    "DL",
    "DT",
    "FIGCAPTION",
    "FIGURE",
    "FOOTER",
    "HEADER",
    "MAIN",
    "NAV",
)
_NEW += ("SECTION", "DETAILS", "SUMMARY", "ADDRESS", "CAPTION", "PRE")


def _directed(base: Any) -> Any:
    class Directed(base):  # type: ignore[misc]
        def start(self, c: Any) -> None:
            direction = self.node.getAttribute("dir").lower()
            if direction in ("ltr", "rtl"):
                c.setDir(direction)
            super().start(c)
            if self.node.tagName == "table" and c.is_rtl and not self.node.hasAttribute("align"):
                c.tableData.align = c.tableData.align if c.tableData.auto_margins else "RIGHT"

    return Directed


def install() -> None:
    """Make the layout engine read the direction of all blocks."""
    for name in (*_KNOWN, *_NEW):
        base = getattr(xhtml2pdf.parser, f"pisaTag{name}", pisaTag)
        setattr(xhtml2pdf.parser, f"pisaTag{name}", _directed(base))


install()
