"""Presentations as texts, and as pages where LibreOffice does not draw them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from conversions.families.documents.options import (
    Contents,
    HtmlOptions,
    LineWidth,
    Pictures,
    ShortLines,
    TitleOptions,
)
from conversions.families.documents.slides.options import HiddenSlides, SlidesOptions
from conversions.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from conversions.families.images.options import JpgCoding, Pages, PngCoding
from conversions.families.libreoffice.options import PresentationOptions
from conversions.families.pdf.options import Drawn
from conversions.toolkit.declaring import Engine, converter
from conversions.toolkit.formats import DOCX, FORMATS, HTML, JPG, MARKDOWN, PDF, PNG, PPTX, TXT, Format
from conversions.toolkit.options import combine
from conversions.toolkit.warnings import Warn

_OUTLINE = "conversions.families.documents.slides.outline"
_MARKDOWN = "conversions.families.documents.slides.markdown"
_PANDOC = Engine(
    "pypandoc-binary",
    ("lxml", "cmarkgfm", "nh3", "conversions.families.documents.exchange", _OUTLINE, _MARKDOWN),
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
    html_document.write(made, target, options)


def _to_text(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert a presentation to {output}: its titles, lists, tables, pictures and notes, slide by slide."""
    from conversions.families.documents import exchange
    from conversions.families.documents.slides import outline

    made = outline.read(source, warn, hidden=options.hidden_slides, notes=options.speaker_notes)
    page = target.with_name("slides.html")
    page.write_text(made.body, "utf-8")
    return exchange.convert(page, target, HTML, FORMATS[target.suffix[1:]], exchange.Settings.of(options), warn)


def _to_markdown(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert a presentation to Markdown: its titles, lists, tables, pictures and notes, slide by slide."""
    if options.line_width:
        return _to_text(source, target, options, warn)
    from conversions.families.documents import exchange
    from conversions.families.documents.slides import markdown

    pictures = markdown.Pictures(options.pictures, target.with_name("pictures"))
    chosen = {"hidden": options.hidden_slides, "notes": options.speaker_notes, "title": options.title}
    markdown.write(source, target, warn, pictures=pictures, **chosen)
    return exchange.pack(target, "document.md", pictures.folder) if pictures.names else None


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
        packs=Pictures in _groups,
    )(_to_markdown if _target is MARKDOWN else _to_text)

if HTML_PDF is PLUTOPRINT:
    _DRAWN = Engine(
        PLUTOPRINT.distribution,
        ("lxml", "conversions.families.documents.slides.pages", *PLUTOPRINT.modules),
        further=("lxml",),
    )

    @converter(
        PPTX,
        PDF,
        profile="office",
        engine=_DRAWN,
        options=PresentationOptions,
        alternative="slides",
    )
    def pptx_to_pdf(source: Path, target: Path, options: PresentationOptions, warn: Warn) -> None:
        """Draw a presentation as PDF, a page for each slide."""
        from conversions.families.documents.slides import pages

        pages.to_pdf(source, target, options, warn)

    def _to_pictures(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
        """Draw the slides of a presentation as {output}; several become a ZIP of pictures, or a long one."""
        from conversions.families.documents.slides import pages
        from conversions.families.pdf import pictures

        drawn = target.with_name("drawn.pdf")
        pages.to_pdf(source, drawn, PresentationOptions(hidden_slides=options.hidden_slides), warn)
        given = SimpleNamespace(**dataclasses.asdict(options), password=None)
        return pictures.to_pictures(drawn, target, given, warn)

    for _picture, _coding in ((PNG, PngCoding), (JPG, JpgCoding)):
        converter(
            PPTX,
            _picture,
            profile="office",
            engine=dataclasses.replace(
                _DRAWN,
                modules=(*_DRAWN.modules, "conversions.families.pdf.pictures"),
                further=("lxml", "pypdfium2"),
            ),
            options=combine(f"PptxTo{_picture.id.title()}", Drawn, _coding, Pages, HiddenSlides),
            packs=True,
        )(_to_pictures)
