"""The document that a page's content flows into: where its pages end, and what becomes of what fits on none."""

from __future__ import annotations

from typing import Any

from reportlab.lib.colors import black
from reportlab.platypus.doctemplate import ActionFlowable, FrameBreak, LayoutError, PageBreak
from reportlab.platypus.flowables import KeepTogether
from xhtml2pdf.xhtml2pdf_reportlab import PmlBaseDoc, PmlKeepInFrame

from conversions.families.html_pdf.report import report
from conversions.families.html_pdf.xhtml2pdf.ledger import Ledger, Remainder
from conversions.families.html_pdf.xhtml2pdf.pages import Furniture
from conversions.toolkit.warnings import Warn


class PagedDocument(PmlBaseDoc):  # type: ignore[misc]
    """A document that prints furniture on its pages, and at its end what of its texts was not drawn."""

    furniture: Furniture | None = None
    warn: Warn | None = None
    ledger: Ledger | None = None

    def afterPage(self) -> None:
        super().afterPage()
        if self.furniture:
            self.furniture.place(self.canv, self.pageTemplate)

    def handle_flowable(self, flowables: list[Any]) -> None:
        """Draw what comes next; what no page has room for is shrunk to one, where the layout library gives up."""
        first = flowables[0]
        if isinstance(first, Remainder):
            rest = first.paragraphs(black)
            flowables[0:1] = [PageBreak(), *rest] if rest else []
            return
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

    def handle_keepWithNext(self, flowables: list[Any]) -> None:
        """Start a new page before a heading that would stand alone at the foot of this one.

        The layout library moves a heading with the whole of what follows it, a table of many pages included.
        """
        count = next((at for at, each in enumerate(flowables) if not each.getKeepWithNext()), len(flowables))
        for each in flowables[:count]:
            each.__dict__["keepWithNext"] = 0
        if count and not self.frame._atTop and not self._fits(flowables[: count + 1]):
            flowables.insert(0, FrameBreak())

    def _fits(self, flowables: list[Any]) -> bool:
        """Whether all but the last of `flowables` fit into what is left of the page, and at least a part of that."""
        frame = self.frame
        room = frame._y - frame._y1p
        for each in flowables:
            _, height = each.wrapOn(self.canv, frame._aW, max(room, 0))
            if height > room:
                return each is flowables[-1] and room > 0 and bool(each.splitOn(self.canv, frame._aW, room))
            room -= height + each.getSpaceAfter()
        return True

    def _endBuild(self) -> None:
        # The last page ends here, and only then the number of pages is known: the file is saved after that.
        save, self._doSave = getattr(self, "_doSave", 1), 0
        super()._endBuild()
        self._doSave = save
        if self.furniture:
            self.furniture.draw(self.canv)
        self.canv.save()
