"""Headers and footers, laid out once the page count is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from reportlab.lib.colors import HexColor
from xhtml2pdf.xhtml2pdf_reportlab import PmlFrame, PmlPageTemplate

from engine.families.html_pdf.css.margin_boxes import LITERAL, Boxes
from engine.families.html_pdf.css.pages import EDGE, GAP, Paper
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.paper import LARGEST, LEAST_TEXT
from engine.toolkit.failures import InvalidOption

SIZE = 9.0
_COLOR = HexColor("#444444")
_ALIGNED = {"left": 0, "center": 1, "right": 2}


class Furniture:
    """The texts from the options and the page's margin boxes, for the first page and the others."""

    def __init__(self, paper: Paper, options: PageOptions, title: str, own: tuple[Boxes, Boxes]) -> None:
        self._paper, self._own = paper, own
        self._fixed = {"title": title, "date": datetime.now(UTC).date().isoformat()}
        texts = {"top": options.header_text, "bottom": options.footer_text}
        self._texts = {side: text for side, text in texts.items() if text and text.strip()}
        self._pages = 0
        self._context: Any = None

    def template(self, context: Any) -> PmlPageTemplate:
        """The page template, with top and bottom margins for the texts. Raises InvalidOption if these don't fit."""
        self._context = context
        paper = self._paper
        for side, text in self._texts.items():
            least = EDGE + self._block(text, 8888, 8888).wrap(max(paper.room[0], LEAST_TEXT), LARGEST)[1] + GAP
            paper = replace(paper, margins=replace(paper.margins, **{side: max(getattr(paper.margins, side), least)}))
        if min(paper.room) < LEAST_TEXT:
            raise InvalidOption("margin", "The header and footer leave no room for text. Make them shorter.")
        template = PmlPageTemplate(id="body", pagesize=(paper.width, paper.height))
        frame = PmlFrame(
            paper.margins.left, paper.margins.bottom, *paper.room, id="body",
            leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0,
        )  # fmt: skip
        template.frames = [frame]
        return template

    def __bool__(self) -> bool:
        return bool(self._texts) or any(map(any, (each.values() for each in self._own)))

    def place(self, canvas: Any) -> None:
        """Reference the texts of the page that `canvas` is on."""
        self._pages += 1
        if self:
            canvas.doForm(f"furniture-{self._pages}")

    def draw(self, canvas: Any) -> None:
        """Draw the texts of all placed pages."""
        paper, sides = self._paper, self._paper.margins
        for page in range(1, self._pages + 1 if self else 1):
            canvas.beginForm(f"furniture-{page}", 0, 0, paper.width, paper.height)
            for side, text, alignment in self._of(page):
                block = self._block(text, page, self._pages, alignment)
                _, tall = block.wrapOn(canvas, paper.room[0], paper.height)
                from_edge = EDGE if side in self._texts else max((getattr(sides, side) - tall) / 2, 2.0)
                block.drawOn(canvas, sides.left, paper.height - from_edge - tall if side == "top" else from_edge)
            canvas.endForm()

    def _of(self, page: int) -> Iterator[tuple[str, str, int]]:
        """The texts of a page with their side and alignment; options take precedence over the page's own."""
        yield from ((side, text, 1) for side, text in self._texts.items())
        for (side, place), text in self._own[page > 1].items():
            if text and side not in self._texts:
                yield side, text, _ALIGNED[place]

    def _block(self, text: str, page: int, pages: int, alignment: int = 1) -> Any:
        values = {"page": str(page), "pages": str(pages), **self._fixed}
        filled = re.sub(r"\{(page|pages|title|date)\}", lambda match: values[match[1]], text).replace(LITERAL, "{")
        return self._context.text_block(filled, size=SIZE, color=_COLOR, alignment=alignment)
