"""Lay out a translated page: build the story, draw pages, and handle what fits on none."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from io import BytesIO
from typing import Any
from xml.dom.minidom import Document

from reportlab.platypus.doctemplate import ActionFlowable, FrameBreak, LayoutError
from reportlab.platypus.flowables import KeepTogether, Spacer
from xhtml2pdf.config.resources import ResourceAccessPolicy, render_budget, use_policy
from xhtml2pdf.files import cleanFiles
from xhtml2pdf.parser import pisaLoop, pisaPreLoop
from xhtml2pdf.util import reset_caches
from xhtml2pdf.xhtml2pdf_reportlab import PmlBaseDoc, PmlKeepInFrame

from engine.families.html_pdf.report import report
from engine.families.html_pdf.xhtml2pdf.context import Context
from engine.families.html_pdf.xhtml2pdf.furniture import Furniture
from engine.families.html_pdf.xhtml2pdf.refusals import is_refusal
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

POLICY = ResourceAccessPolicy.server(None, allow_remote=False, max_render_seconds=None)


class PagedDocument(PmlBaseDoc):  # type: ignore[misc]
    """A document with headers and footers, which shrinks content that fits on no page."""

    furniture: Furniture
    warn: Warn | None = None

    def afterPage(self) -> None:
        super().afterPage()
        self.furniture.place(self.canv)

    def handle_flowable(self, flowables: list[Any]) -> None:
        """Draw the next content; shrink it to a page if it fits on none, where the library would give up."""
        first = flowables[0]
        try:
            super().handle_flowable(flowables)
        except LayoutError:
            if isinstance(first, PmlKeepInFrame):
                raise
            frame = self.frame
            together = first._content if isinstance(first, KeepTogether) else [first]
            content = [each for each in together if not isinstance(each, ActionFlowable)]
            report(
                self.canv, "CONTENT_CLIPPED", say("Content taller than a page can't be split and was shrunk to fit.")
            )
            shrunk = PmlKeepInFrame(maxWidth=frame._aW, maxHeight=frame._aH, mode="shrink", content=content)
            flowables[0:0] = [shrunk] if frame._atTop else [FrameBreak(), shrunk]

    def _endBuild(self) -> None:
        # Only at the end of the last page the number of pages is known: the file is saved after that.
        save, self._doSave = getattr(self, "_doSave", 1), 0
        super()._endBuild()
        self._doSave = save
        self.furniture.draw(self.canv)
        self.canv.save()


def lay_out(
    document: Document, drawings: list[Any], fonts: Iterable[str], furniture: Furniture, warn: Warn, **described: Any
) -> tuple[bytes, frozenset[str]]:
    """The PDF of a translated page, and the characters that no font has.

    `described` is the document's title. Raises Unreadable for content the libraries can't lay out, and InvalidOption
    for margins that leave no room.
    """
    context = Context(warn, drawings)
    context.resource_policy = POLICY
    collecting = gc.isenabled()
    # a document is one large graph that lives to the end: garbage collection would take a third of the time
    gc.disable()
    try:
        with use_policy(POLICY), render_budget(POLICY):
            context.addCSS("x{color:#000}")  # without any rule the engine would skip all styles
            for text in fonts:
                context.addCSS(text, "<style>")
            pisaPreLoop(document, context)
            context.parseCSS()
            pisaLoop(document, context)
            for frag, anchor in context.anchorFrag:
                if anchor not in context.anchorName:
                    frag.link = None
            out = BytesIO()
            template = furniture.template(context)
            if context.pageCanvasBackground is not None:
                template.canvasBackground = context.pageCanvasBackground
            made = PagedDocument(out, pagesize=template.pagesize, allowSplitting=1, invariant=1, **described)
            made.warn, made.furniture = warn, furniture
            made.addPageTemplates([template])
            made.build(context.story or [Spacer(1, 1)])
            return out.getvalue(), frozenset(context._glyph_warned)
    except Exception as error:
        if not is_refusal(error):
            raise
        raise Unreadable(
            "The page can't be laid out. Simplify its tables and style sheets, and try again.", reason="limit"
        ) from error
    finally:
        cleanFiles()
        reset_caches()
        if collecting:
            gc.enable()
