"""The borders of pages (ECMA-376, part 1, 17.6.10)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import properties
from engine.families.documents.word.names import W, pt
from engine.families.documents.word.sections import Paper
from engine.families.documents.word.theme import Theme

LINES = frozenset((
    "nil", "none", "single", "thick", "double", "dotted", "dashed", "dotDash", "dotDotDash", "triple", "wave",
    "doubleWave", "dashSmallGap", "dashDotStroked", "threeDEmboss", "threeDEngrave", "outset", "inset",
    *(f"{kind}{gap}Gap" for kind in ("thinThick", "thickThin", "thinThickThin")
      for gap in ("Small", "Medium", "Large")),
))  # fmt: skip
"""The kinds of borders that are lines; the others are pictures."""
STRAIGHT = LINES - {"wave", "doubleWave", "dashDotStroked"}
"""Those that are drawn as they are."""
_SIDES = ("top", "right", "bottom", "left")


@dataclass(frozen=True)
class PageBorders:
    """The markup of a page's borders, and the pages of its section that have them: all, the first, or the others."""

    markup: str
    pages: str

    def on(self, at: int) -> str:
        """The markup for the page with this index in its section."""
        shown = {"firstPage": at == 0, "notFirstPage": at > 0}.get(self.pages, True)
        return self.markup if shown else ""


def read(element: Element | None, paper: Paper, theme: Theme) -> PageBorders | None:
    """The borders of pages on a paper; None if there are none."""
    edges = {side: each for side, each in properties.borders(element, theme).items() if each[0] != "none"}
    if element is None or not edges:
        return None
    margins = {"top": paper.top, "right": paper.right, "bottom": paper.bottom, "left": paper.left}
    of_page = element.get(W + "offsetFrom") == "page"
    at = {side: edges.get(side, ("", 0.0))[1] for side in _SIDES}
    if not of_page:
        at = {side: max(margins[side] - space, 0.0) for side, space in at.items()}
    width, height = paper.width - at["left"] - at["right"], paper.height - at["top"] - at["bottom"]
    lines = "".join(f"border-{side}:{line};" for side, (line, _) in edges.items() if side in _SIDES)
    place = f"left:{pt(at['left'])};top:{pt(at['top'])};width:{pt(width)};height:{pt(height - 1)}"
    markup = f'<div style="position:absolute;box-sizing:border-box;{lines}{place}"></div>'
    return PageBorders(markup, element.get(W + "display") or "allPages")
