"""Convert presentations to texts, and to pages where LibreOffice is not used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.families.documents.options import (
    Contents,
    HtmlOptions,
    LineWidth,
    Pictures,
    ShortLines,
    TitleOptions,
)
from engine.families.documents.slides.options import PresentationOptions, SlidesOptions
from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import DOCX, FORMATS, HTML, MARKDOWN, PDF, PPTX, TXT, Format
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

_OUTLINE = "engine.families.documents.slides.outline"
_MARKDOWN = "engine.families.documents.slides.markdown"
_PANDOC = Engine(
    "pypandoc-binary",
    ("lxml", "cmarkgfm", "nh3", "engine.families.documents.exchange", _OUTLINE, _MARKDOWN),
    lazy=("pypandoc", "pyvips", "metafile_render"),
    programs=("pypandoc/files/pandoc",),
    further=("lxml",),
)


@converter(
    PPTX,
    HTML,
    profile="office",
    engine=Engine("lxml", ("lxml", _OUTLINE), lazy=("metafile_render",)),
    options=combine("PptxToHtml", SlidesOptions, HtmlOptions),
)
def pptx_to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert a presentation to a web page, slide by slide, with titles, lists, tables, pictures and notes."""
    from engine.families.documents import html_document
    from engine.families.documents.slides import outline

    chosen = {"hidden": options.hidden_slides, "notes": options.speaker_notes}
    made = outline.read(source, warn, charts="svg", **chosen)
    html_document.write(made, target, options)


def _to_text(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert a presentation to {output}, slide by slide, with titles, lists, tables, pictures and notes."""
    from engine.families.documents import exchange
    from engine.families.documents.slides import outline

    form: outline.ChartForm = "png" if target.suffix == ".docx" else "table"
    made = outline.read(source, warn, hidden=options.hidden_slides, notes=options.speaker_notes, charts=form)
    page = target.with_name("slides.html")
    page.write_text(made.body, "utf-8")
    return exchange.convert(
        page, target, HTML, FORMATS[target.suffix[1:]], exchange.Settings.from_options(options), warn
    )


def _to_markdown(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert a presentation to Markdown, slide by slide, with titles, lists, tables, pictures and notes."""
    if options.line_width:
        return _to_text(source, target, options, warn)
    from engine.families.documents import exchange
    from engine.families.documents.slides import markdown

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

DRAWN = Engine(
    PLUTOPRINT.distribution,
    ("lxml", "engine.families.documents.slides.pages", *PLUTOPRINT.modules),
    lazy=(*PLUTOPRINT.lazy, "metafile_render"),
    further=("lxml",),
)
if HTML_PDF is PLUTOPRINT:

    @converter(
        PPTX,
        PDF,
        profile="office",
        engine=DRAWN,
        options=PresentationOptions,
        alternative="slides",
    )
    def pptx_to_pdf(source: Path, target: Path, options: PresentationOptions, warn: Warn) -> None:
        """Convert a presentation to PDF, with one page per slide."""
        from engine.families.documents.slides import pages

        pages.to_pdf(source, target, options, warn)
