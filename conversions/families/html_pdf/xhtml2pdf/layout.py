"""From a simplified page to a PDF: the story built, the pages drawn."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from io import BytesIO
from typing import Any
from xml.dom.minidom import Document

from reportlab.platypus.flowables import Spacer
from xhtml2pdf.config.resources import ResourceAccessPolicy, render_budget, use_policy
from xhtml2pdf.files import cleanFiles
from xhtml2pdf.parser import pisaLoop, pisaPreLoop
from xhtml2pdf.util import reset_caches

from conversions.families.html_pdf.options import PageOptions
from conversions.families.html_pdf.xhtml2pdf.context import Context
from conversions.families.html_pdf.xhtml2pdf.document import PagedDocument
from conversions.families.html_pdf.xhtml2pdf.ledger import Ledger, Remainder
from conversions.families.html_pdf.xhtml2pdf.pages import Furniture, Sheet
from conversions.families.html_pdf.xhtml2pdf.refusals import is_refusal
from conversions.families.html_pdf.xhtml2pdf.simplify import Simplified
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

POLICY = ResourceAccessPolicy.server(None, allow_remote=False, max_render_seconds=None)


def lay_out(
    document: Document,
    page: Simplified,
    fonts: Sequence[str],
    sheet: Sheet,
    options: PageOptions,
    warn: Warn,
    *,
    title: str | None,
) -> bytes:
    """The PDF of a simplified page.

    Raises Unreadable for markup that the libraries can't lay out, and InvalidOption for margins that leave no room.
    """
    context = Context(warn, page, Ledger())
    context.resource_policy = POLICY
    collecting = gc.isenabled()
    gc.disable()  # a document is one large graph that lives to the end: looking for garbage in it costs a third
    try:
        with use_policy(POLICY), render_budget(POLICY):
            for text in fonts:
                context.addCSS(text, "<style>")
            pisaPreLoop(document, context)
            context.parseCSS()
            pisaLoop(document, context)
            for frag, anchor in context.anchorFrag:
                if anchor not in context.anchorName:
                    frag.link = None
            context.meta["title"] = options.title or context.meta["title"].strip() or title or ""
            return _draw(context, sheet, options)
    except Exception as error:
        if not is_refusal(error):
            raise
        raise Unreadable("The page can't be laid out: simplify its tables and style sheets, and try again.") from error
    finally:
        cleanFiles()
        reset_caches()
        if collecting:
            gc.enable()


def _draw(context: Context, sheet: Sheet, options: PageOptions) -> bytes:
    story = context.story or [Spacer(1, 1)]
    style: Any = getattr(story[0], "style", None)
    if space := getattr(style, "spaceBefore", 0):
        # A frame drops the space before its first block.
        style.spaceBefore = 0
        story.insert(0, Spacer(1, min(space, sheet.size[1] / 2)))
    furniture = Furniture(context, sheet, options, context.meta["title"])
    template = furniture.template()
    if context.pageCanvasBackground is not None:
        template.canvasBackground = context.pageCanvasBackground
    out = BytesIO()
    document = PagedDocument(
        out,
        pagesize=template.pagesize,
        title=context.meta["title"],
        author=context.meta["author"].strip(),
        subject=context.meta["subject"].strip(),
        keywords=[word.strip() for word in context.meta["keywords"].split(",") if word.strip()],
        lang=context.lang_tag or None,
        allowSplitting=1,
        invariant=1,
    )
    document.warn, document.ledger = context.report, context.ledger
    document.furniture = furniture if furniture else None
    document.addPageTemplates([template])
    document.build([*story, Remainder(context)])
    return out.getvalue()
