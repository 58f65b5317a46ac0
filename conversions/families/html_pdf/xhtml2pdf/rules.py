"""Horizontal rules: as wide as their place, which they do not widen."""

from __future__ import annotations

from typing import Any

from reportlab.lib.colors import black
from reportlab.platypus.flowables import HRFlowable
from xhtml2pdf.builders.flex import LARGE


class Rule(HRFlowable):  # type: ignore[misc]
    """An `<hr>`; the library's own has no least width, and fails in cells and items, and for a colour it can't read."""

    def __init__(self, *, width: str, color: Any, **settings: Any) -> None:
        super().__init__(width=width.strip().removesuffix("px"), color=black if color is None else color, **settings)

    def minWidth(self) -> float:
        return 0.0 if self.width.endswith("%") else float(self.width)

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        measured = availWidth >= LARGE and self.width.endswith("%")
        size: tuple[float, float] = super().wrap(0.0 if measured else availWidth, availHeight)
        return size
