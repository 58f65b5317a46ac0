"""The writing direction of any element: the layout engine reads `dir` of paragraphs and a few others only."""

from __future__ import annotations

from typing import Any

from xhtml2pdf.tags import pisaTag


def directed(base: Any) -> Any:
    """The tag of a block, `base` or, where the layout engine has none of its own, a plain one, with its direction."""

    class Directed(base or pisaTag):  # type: ignore[misc]
        def start(self, c: Any) -> None:
            direction = self.node.getAttribute("dir").lower()
            if direction in ("ltr", "rtl"):
                c.setDir(direction)
            super().start(c)
            if self.node.tagName == "table" and c.is_rtl and not self.node.hasAttribute("align"):
                c.tableData.align = c.tableData.align if c.tableData.auto_margins else "RIGHT"

    return Directed
