"""The paper: its size, its margins, and the texts printed in them on every page."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER
from xhtml2pdf.xhtml2pdf_reportlab import PmlFrame, PmlPageTemplate

from conversions.families.html_pdf.options import PageOptions
from conversions.families.html_pdf.paper import (
    DEFAULT_MARGIN,
    LARGEST,
    LEAST_TEXT,
    NAMED,
    PT,
    Margins,
    margins,
    paper,
)
from conversions.families.html_pdf.xhtml2pdf.context import Context
from conversions.toolkit.failures import InvalidOption
from conversions.toolkit.warnings import Warn

EDGE, GAP = 6 * PT["mm"], 3 * PT["mm"]  # between paper and printed text, between that and the content
FURNITURE_SIZE = 9.0


class Furniture:
    """The header and the footer: laid out when the number of pages is known, and placed on each page as it is drawn."""

    def __init__(self, context: Context, options: PageOptions, title: str) -> None:
        self._context = context
        self._texts = (options.header_text or "", options.footer_text or "")
        self._fixed = {"title": title, "date": datetime.now(UTC).date().isoformat()}
        self._places: list[tuple[float, float, float]] = []

    def __bool__(self) -> bool:
        return any(text.strip() for text in self._texts)

    def room(self, page: Margins, width: float, canvas: Any = None) -> Margins:
        """`page` with a top and a bottom wide enough for the texts."""
        top, bottom = (
            EDGE + self._height(text, width - page.left - page.right) + GAP if text.strip() else 0.0
            for text in self._texts
        )
        return replace(page, top=max(page.top, top), bottom=max(page.bottom, bottom))

    def place(self, canvas: Any, template: PmlPageTemplate) -> None:
        """Refer to the texts of the page that `canvas` is on."""
        frame = template.frames[0]
        self._places.append((frame._x1, frame._width, template.pagesize[1]))
        canvas.doForm(f"furniture-{len(self._places)}")

    def draw(self, canvas: Any) -> None:
        """Draw the texts of all pages that were placed."""
        pages = len(self._places)
        for page, (left, width, height) in enumerate(self._places, 1):
            canvas.beginForm(f"furniture-{page}", 0, 0, left + width, height)
            for at_top, text in zip((True, False), self._texts, strict=True):
                if text.strip():
                    block = self._block(text, page=page, pages=pages)
                    _, tall = block.wrapOn(canvas, width, height)
                    block.drawOn(canvas, left, height - EDGE - tall if at_top else EDGE)
            canvas.endForm()
        self._places.clear()

    def _height(self, text: str, width: float) -> float:
        return float(self._block(text, page=8888, pages=8888).wrap(max(width, LEAST_TEXT), LARGEST)[1])

    def _block(self, text: str, *, page: int, pages: int) -> Any:
        values = {"page": str(page), "pages": str(pages), **self._fixed}
        filled = re.sub(r"\{(page|pages|title|date)\}", lambda match: values[match[1]], text)
        return self._context.text_block(filled, size=FURNITURE_SIZE, color=HexColor("#444444"), alignment=TA_CENTER)


def arrange(context: Context, options: PageOptions, furniture: Furniture) -> list[PmlPageTemplate]:
    """The page templates, the first one to begin with: the document's own, changed where an option says so.

    Raises InvalidOption where the margins leave no room for text.
    """
    declared = context.templateList
    body = declared.pop("body", None)
    if body is None:
        body = PmlPageTemplate(id="body", pagesize=context.pageSize)
        body.frames = [_frame(context.pageSize, Margins(*[DEFAULT_MARGIN] * 4))]
    wanted = paper(options.page_size) if options.page_size else None
    edges = margins(options.margin) if options.margin else None
    found = [body, *declared.values()]
    for template in found:
        _fit(template, wanted, options.orientation, edges, furniture, context.report)
        if context.pageCanvasBackground is not None:
            template.canvasBackground = context.pageCanvasBackground
    return found


def _fit(
    template: PmlPageTemplate,
    wanted: tuple[float, float] | None,
    orientation: str,
    edges: Margins | None,
    furniture: Furniture,
    warn: Warn,
) -> None:
    was = template.pagesize
    size = wanted or (min(was[0], LARGEST), min(was[1], LARGEST))
    if orientation != "auto":
        size = (max(size), min(size)) if orientation == "landscape" else (min(size), max(size))
    template.pagesize = size
    if len(template.frames) == 1:
        frame = template.frames[0]
        page = edges or Margins(
            top=was[1] - frame._y1 - frame._height,
            right=was[0] - frame._x1 - frame._width,
            bottom=frame._y1,
            left=frame._x1,
        )
        if not (edges or wanted) and not _has_room(size, page):
            warn("CSS_UNSUPPORTED", "@page leaves no room for text; its margins were ignored.")
            size, page = NAMED["a4"] if min(size) < 5 * LEAST_TEXT else size, Margins(*[DEFAULT_MARGIN] * 4)
            template.pagesize = size
        page = furniture.room(page, size[0]) if furniture else page
        if not _has_room(size, page):
            raise InvalidOption(
                "margin" if edges or not wanted else "pageSize",
                "The margins leave no room for text: make the margins smaller or the page larger.",
            )
        template.frames = [_frame(size, page, like=frame)]
    elif size != was:
        for frame in (*template.frames, *template.pisaStaticList):
            _scale(frame, size[0] / was[0], size[1] / was[1])


def _has_room(size: tuple[float, float], page: Margins) -> bool:
    return size[0] - page.left - page.right >= LEAST_TEXT and size[1] - page.top - page.bottom >= LEAST_TEXT


def _frame(size: tuple[float, float], page: Margins, like: PmlFrame | None = None) -> PmlFrame:
    width, height = size[0] - page.left - page.right, size[1] - page.top - page.bottom
    return PmlFrame(
        page.left,
        page.bottom,
        width,
        height,
        id=like.id if like else "body",
        leftPadding=like._leftPadding if like else 0,
        rightPadding=like._rightPadding if like else 0,
        topPadding=like._topPadding if like else 0,
        bottomPadding=like._bottomPadding if like else 0,
        showBoundary=like.showBoundary if like else 0,
    )


def _scale(frame: PmlFrame, across: float, along: float) -> None:
    frame._x1, frame._width = frame._x1 * across, frame._width * across
    frame._y1, frame._height = frame._y1 * along, frame._height * along
    frame._geom()
    frame._reset()
