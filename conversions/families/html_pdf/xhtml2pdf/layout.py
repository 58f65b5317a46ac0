"""From a page in the engine's words to a PDF: the story built, the pages drawn, and what fits on none."""

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

from conversions.families.html_pdf.report import report
from conversions.families.html_pdf.xhtml2pdf.context import Context
from conversions.families.html_pdf.xhtml2pdf.furniture import Furniture
from conversions.families.html_pdf.xhtml2pdf.refusals import is_refusal
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

POLICY = ResourceAccessPolicy.server(None, allow_remote=False, max_render_seconds=None)


class PagedDocument(PmlBaseDoc):  # type: ignore[misc]
    """A document that prints furniture on its pages, and shrinks what none of them has room for."""

    furniture: Furniture
    warn: Warn | None = None

    def afterPage(self) -> None:
        super().afterPage()
        self.furniture.place(self.canv)

    def handle_flowable(self, flowables: list[Any]) -> None:
        """Draw what comes next; what no page has room for is shrunk to one, where the layout library gives up."""
        first = flowables[0]
        try:
            super().handle_flowable(flowables)
        except LayoutError:
            if isinstance(first, PmlKeepInFrame):
                raise
            frame = self.frame
            together = first._content if isinstance(first, KeepTogether) else [first]
            content = [each for each in together if not isinstance(each, ActionFlowable)]
            report(self.canv, "CONTENT_CLIPPED", "Content taller than a page can't be cut; it was shrunk to fit.")
            shrunk = PmlKeepInFrame(maxWidth=frame._aW, maxHeight=frame._aH, mode="shrink", content=content)
            flowables[0:0] = [shrunk] if frame._atTop else [FrameBreak(), shrunk]

    def _endBuild(self) -> None:
        # The last page ends here, and only then the number of pages is known: the file is saved after that.
        save, self._doSave = getattr(self, "_doSave", 1), 0
        super()._endBuild()
        self._doSave = save
        self.furniture.draw(self.canv)
        self.canv.save()


def lay_out(
    document: Document, drawings: list[Any], fonts: Iterable[str], furniture: Furniture, warn: Warn, **described: Any
) -> tuple[bytes, frozenset[str]]:
    """The PDF of a page that is in the engine's words, and the characters that no font has.

    `described` is what the document is called.

    Raises Unreadable for what the libraries can't lay out, and InvalidOption for margins that leave no room.
    """
    context = Context(warn, drawings)
    context.resource_policy = POLICY
    collecting = gc.isenabled()
    gc.disable()  # a document is one large graph that lives to the end: looking for garbage in it costs a third
    try:
        with use_policy(POLICY), render_budget(POLICY):
            context.addCSS("x{color:#000}")  # without any rule the engine asks for no style at all
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
        raise Unreadable("The page can't be laid out: simplify its tables and style sheets, and try again.") from error
    finally:
        cleanFiles()
        reset_caches()
        if collecting:
            gc.enable()
