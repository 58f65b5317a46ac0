"""From a parsed page to a PDF: styles collected, the story built, the pages drawn."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from io import BytesIO
from typing import Any
from xml.dom.minidom import Document

from reportlab.platypus.flowables import Spacer
from xhtml2pdf.builders.position import PositionAnchor
from xhtml2pdf.config.resources import ResourceAccessPolicy, render_budget, use_policy
from xhtml2pdf.files import cleanFiles
from xhtml2pdf.parser import pisaLoop, pisaPreLoop
from xhtml2pdf.util import reset_caches

from conversions.families.html_pdf.css.base_styles import BASE_STYLES
from conversions.families.html_pdf.options import PageOptions
from conversions.families.html_pdf.xhtml2pdf.context import Context
from conversions.families.html_pdf.xhtml2pdf.document import PagedDocument
from conversions.families.html_pdf.xhtml2pdf.pages import Furniture, arrange
from conversions.families.html_pdf.xhtml2pdf.refusals import is_refusal
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

POLICY = ResourceAccessPolicy.server(None, allow_remote=False, max_render_seconds=None)


def lay_out(document: Document, styles: Sequence[str], options: PageOptions, warn: Warn, *, title: str | None) -> bytes:
    """The PDF of a parsed and cleaned page with its style sheets.

    Raises Unreadable for markup that the libraries can't lay out, and InvalidOption for margins that leave no room.
    """
    context = Context(warn)
    context.resource_policy = POLICY
    collecting = gc.isenabled()
    gc.disable()  # a document is one large graph that lives to the end: looking for garbage in it costs a third
    try:
        with use_policy(POLICY), render_budget(POLICY):
            _tell(document, styles, context)
            context.meta["title"] = options.title or context.meta["title"].strip() or title or ""
            return _draw(context, options)
    except Exception as error:
        if not is_refusal(error):
            raise
        raise Unreadable(
            "The page can't be laid out: simplify its tables, positioned boxes and style sheets, and try again."
        ) from error
    finally:
        cleanFiles()
        reset_caches()
        if collecting:
            gc.enable()


def _tell(document: Document, styles: Sequence[str], context: Context) -> None:
    """Fill the context's story with the page's content."""
    context.addDefaultCSS(BASE_STYLES)
    for text in styles:
        context.addCSS(text, "<style>")
    pisaPreLoop(document, context)
    context.parseCSS()
    pisaLoop(document, context)
    context.node = None
    context.cssAttrCache.clear()
    context.cssPseudoCache.clear()
    for frag, anchor in context.anchorFrag:
        if anchor not in context.anchorName:
            frag.link = None
    story = context.story
    if not story:
        story.append(Spacer(1, 1))
    _keep_first_margin(story, context.pageSize[1] / 2)
    if context.indexing_story:
        story.append(context.indexing_story)


def _keep_first_margin(story: list[Any], most: float) -> None:
    """Turn the space before the first block into a block: a frame drops it at its top."""
    at = next((at for at, each in enumerate(story) if not isinstance(each, PositionAnchor)), 0)
    style: Any = getattr(story[at], "style", None)
    space = getattr(style, "spaceBefore", 0)
    if space:
        style.spaceBefore = 0
        story.insert(at, Spacer(1, min(space, most)))


def _draw(context: Context, options: PageOptions) -> bytes:
    story = context.story
    furniture = Furniture(context, options, context.meta["title"])
    declared = "body" in context.templateList
    templates = arrange(context, options, furniture)
    out = BytesIO()
    document = PagedDocument(
        out,
        pagesize=templates[0].pagesize,
        title=context.meta["title"],
        author=context.meta["author"].strip(),
        subject=context.meta["subject"].strip(),
        keywords=[word.strip() for word in context.meta["keywords"].split(",") if word.strip()],
        lang=context.lang_tag or None,
        allowSplitting=1,
        invariant=1,
    )
    document.warn = context.report
    document.furniture = furniture if furniture else None
    document.addPageTemplates(templates)
    document.pisaPositioned = context.positioned
    if not declared and {"body_left", "body_right"} <= {template.id for template in templates}:
        document._firstPageTemplateIndex = ["body_left", "body_right"]
    if context.multiBuild:
        document.multiBuild(story)
    else:
        document.build(story)
    return out.getvalue()
