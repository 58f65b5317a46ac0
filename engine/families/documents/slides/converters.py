"""Convert presentations to texts, and to pages where LibreOffice is not used."""

from __future__ import annotations

from dataclasses import replace
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
from engine.toolkit.formats import DOCX, FORMATS, HTML, MARKDOWN, ODP, PDF, PPT, PPTX, TXT, Format
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

_OUTLINE = "engine.families.documents.slides.outline"
_MARKDOWN = "engine.families.documents.slides.markdown"
_OPENING = "engine.families.documents.slides.opening"
_PANDOC = Engine(
    "pypandoc-binary",
    ("lxml", "cmarkgfm", "nh3", "engine.families.documents.exchange", _OUTLINE, _MARKDOWN, _OPENING),
    lazy=("pypandoc", "pyvips", "metafile_render"),
    programs=("pypandoc/files/pandoc",),
    further=("lxml",),
)
_READ: dict[Format, tuple[str, ...]] = {PPTX: (), PPT: ("olefile",), ODP: ()}
"""The formats of presentations, and the further libraries that read them."""


def _reading(engine: Engine, source: Format) -> Engine:
    libraries = _READ[source]
    return replace(engine, modules=(*engine.modules, *libraries), further=(*engine.further, *libraries))


def pptx_to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert a presentation to a web page, slide by slide, with titles, lists, tables, pictures and notes."""
    from engine.families.documents import html_document
    from engine.families.documents.slides import opening, outline

    given = opening.as_pptx(source, target.parent, warn)
    chosen = {"hidden": options.hidden_slides, "notes": options.speaker_notes}
    made = outline.read(given, warn, charts="svg", **chosen)
    html_document.write(made, target, options)


def _to_text(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert a presentation to {output}, slide by slide, with titles, lists, tables, pictures and notes."""
    from engine.families.documents import exchange
    from engine.families.documents.slides import opening, outline

    form: outline.ChartForm = "png" if target.suffix == ".docx" else "table"
    given = opening.as_pptx(source, target.parent, warn)
    made = outline.read(given, warn, hidden=options.hidden_slides, notes=options.speaker_notes, charts=form)
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
    from engine.families.documents.slides import markdown, opening

    given = opening.as_pptx(source, target.parent, warn)
    pictures = markdown.Pictures(options.pictures, target.with_name("pictures"))
    chosen = {"hidden": options.hidden_slides, "notes": options.speaker_notes, "title": options.title}
    markdown.write(given, target, warn, pictures=pictures, **chosen)
    return exchange.pack(target, "document.md", pictures.folder) if pictures.names else None


_WRITING: dict[Format, tuple[type, ...]] = {
    MARKDOWN: (TitleOptions, LineWidth, Pictures),
    TXT: (TitleOptions, ShortLines),
    DOCX: (Contents, TitleOptions),
}
for _source in _READ:
    converter(
        _source,
        HTML,
        profile="office",
        engine=_reading(Engine("lxml", ("lxml", _OUTLINE, _OPENING), lazy=("metafile_render",)), _source),
        options=combine(f"{_source.id.title()}ToHtml", SlidesOptions, HtmlOptions),
    )(pptx_to_html)
    for _target, _groups in _WRITING.items():
        converter(
            _source,
            _target,
            profile="office",
            engine=_reading(_PANDOC, _source),
            options=combine(f"{_source.id.title()}To{_target.id.title()}", SlidesOptions, *_groups),
            packs=Pictures in _groups,
        )(_to_markdown if _target is MARKDOWN else _to_text)

DRAWN = Engine(
    PLUTOPRINT.distribution,
    ("lxml", "engine.families.documents.slides.pages", _OPENING, *PLUTOPRINT.modules),
    lazy=(*PLUTOPRINT.lazy, "metafile_render"),
    further=("lxml",),
)
if HTML_PDF is PLUTOPRINT:

    def pptx_to_pdf(source: Path, target: Path, options: PresentationOptions, warn: Warn) -> None:
        """Convert a presentation to PDF, with one page per slide."""
        from engine.families.documents.slides import opening, pages

        pages.to_pdf(opening.as_pptx(source, target.parent, warn), target, options, warn)

    for _source in _READ:
        converter(
            _source,
            PDF,
            profile="office",
            engine=_reading(DRAWN, _source),
            options=PresentationOptions,
        )(pptx_to_pdf)
