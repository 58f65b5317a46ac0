"""Convert documents to presentations, with a slide for each heading and more where content needs them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.families.documents.options import EncodingOptions, MarkdownOptions, TitleOptions, TrackedChanges
from engine.families.documents.presenting.options import PresentingOptions
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import DOCX, HTML, MARKDOWN, PDF, PPTX, REVEALJS
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

_OWN = (
    "lxml",
    "PIL",
    "reportlab",
    "nh3",
    "engine.families.documents.presenting.document",
    "engine.families.documents.presenting.reveal",
)
_MARKED = Engine("cmarkgfm", (*_OWN, "cmarkgfm", "engine.families.documents.commonmark"), further=("lxml",))
_WEB = Engine("lxml", (*_OWN, "engine.families.documents.safe_html"))
_WORD = Engine(
    "pypandoc-binary",
    (*_OWN, "cmarkgfm", "engine.families.documents.exchange"),
    lazy=("pypandoc", "metafile_render"),
    programs=("pypandoc/files/pandoc",),
    further=("lxml",),
)


def _write(page: Any, target: Path, options: Any, warn: Warn) -> None:
    from engine.families.documents.presenting import document, reveal
    from engine.families.html_pdf import formulas

    if target.suffix[1:] == PPTX.id:
        page = replace(page, body=formulas.drawn(page.body, boxes=False))
    write = document.write if target.suffix[1:] == PPTX.id else reveal.write
    write(
        page,
        target,
        warn,
        level=options.slide_level,
        ratio=options.aspect_ratio,
        title=options.title,
        language=options.language,
    )


@converter(
    MARKDOWN,
    (PPTX, REVEALJS),
    profile="office",
    engine=_MARKED,
    options=combine("MarkdownToSlides", MarkdownOptions, PresentingOptions, TitleOptions),
)
def markdown_to_pptx(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert Markdown to {output}, with titles, lists, tables, code, pictures and speaker notes."""
    from engine.families.documents import commonmark
    from engine.families.documents.presenting.document import with_notes

    _write(commonmark.read(source, options, warn, prepare=with_notes), target, options, warn)


@converter(
    HTML,
    (PPTX, REVEALJS),
    profile="office",
    engine=_WEB,
    options=combine("HtmlToSlides", EncodingOptions, PresentingOptions, TitleOptions),
)
def html_to_pptx(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert a web page to {output}, with titles, lists, tables, code, pictures and speaker notes."""
    from engine.families.documents import plain_text, safe_html
    from engine.families.documents.html_document import HtmlDocument
    from engine.toolkit import encodings

    data = source.read_bytes()
    text = plain_text.decode(data, warn, encoding=options.encoding, declared=encodings.declared_in_html(data))
    made = HtmlDocument(safe_html.clean(text, warn), language=safe_html.language(text))
    if made.heading is None:
        made = HtmlDocument(made.body, title=safe_html.title(text), language=made.language)
    _write(made, target, options, warn)


@converter(
    DOCX,
    (PPTX, REVEALJS),
    profile="office",
    engine=_WORD,
    options=combine("DocxToSlides", TrackedChanges, PresentingOptions, TitleOptions),
)
def docx_to_pptx(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert a Word document to {output}, with titles, lists, tables, pictures and footnotes."""
    from engine.families.documents import exchange

    made = exchange.to_document(source, target, DOCX, PDF, exchange.Settings(track_changes=options.track_changes), warn)
    _write(made, target, options, warn)
