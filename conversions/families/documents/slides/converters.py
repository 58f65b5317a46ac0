"""Presentations as texts, and as pages where LibreOffice does not draw them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.documents.options import (
    Contents,
    HtmlOptions,
    LineWidth,
    Pictures,
    ShortLines,
    TitleOptions,
)
from conversions.families.documents.slides.options import SlidesOptions
from conversions.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from conversions.families.libreoffice.options import PresentationOptions
from conversions.toolkit.declaring import Engine, converter
from conversions.toolkit.formats import DOCX, FORMATS, HTML, MARKDOWN, PDF, PPTX, TXT, Format
from conversions.toolkit.options import combine
from conversions.toolkit.warnings import Warn

_OUTLINE = "conversions.families.documents.slides.outline"
_PANDOC = Engine(
    "pypandoc-binary",
    ("lxml", "cmarkgfm", "nh3", "conversions.families.documents.exchange", _OUTLINE),
    lazy=("pypandoc",),
    programs=("pypandoc/files/pandoc",),
    further=("lxml",),
)


@converter(
    PPTX,
    HTML,
    profile="office",
    engine=Engine("lxml", ("lxml", _OUTLINE)),
    options=combine("PptxToHtml", SlidesOptions, HtmlOptions),
)
def pptx_to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert a presentation to a web page: its titles, lists, tables, pictures and notes, slide by slide."""
    from conversions.families.documents import html_document
    from conversions.families.documents.slides import outline

    made = outline.read(source, warn, hidden=options.hidden_slides, notes=options.speaker_notes)
    html_document.write(
        made, target, title=options.title, language=options.language, standalone=options.standalone, style=options.style
    )


def _to_text(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert a presentation to {output}: its titles, lists, tables, pictures and notes, slide by slide."""
    from conversions.families.documents import exchange
    from conversions.families.documents.slides import outline

    made = outline.read(source, warn, hidden=options.hidden_slides, notes=options.speaker_notes)
    page = target.with_name("slides.html")
    page.write_text(made.body, "utf-8")
    return exchange.convert(page, target, HTML, FORMATS[target.suffix[1:]], exchange.Settings.of(options), warn)


_WRITING: dict[Format, tuple[type, ...]] = {
    MARKDOWN: (TitleOptions, LineWidth, Pictures),
    TXT: (TitleOptions, ShortLines),
    DOCX: (Contents, TitleOptions),
}
for _target, _groups in _WRITING.items():
    converter(
        PPTX,
        _target,
        profile="office",
        engine=_PANDOC,
        options=combine(f"PptxTo{_target.id.title()}", SlidesOptions, *_groups),
    )(_to_text)

if HTML_PDF is PLUTOPRINT:

    @converter(
        PPTX,
        PDF,
        profile="office",
        engine=Engine(
            PLUTOPRINT.distribution,
            ("lxml", "conversions.families.documents.slides.pages", *PLUTOPRINT.modules),
            further=("lxml",),
        ),
        options=PresentationOptions,
        alternative="slides",
    )
    def pptx_to_pdf(source: Path, target: Path, options: PresentationOptions, warn: Warn) -> None:
        """Draw a presentation as PDF, a page for each slide."""
        from conversions.families.documents.slides import pages

        pages.to_pdf(source, target, options, warn)
