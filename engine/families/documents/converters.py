"""Convert Markdown, plain text, word processor files and books to each other, to web pages and to PDF."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from engine.families.documents.options import (
    Contents,
    EncodingOptions,
    HtmlOptions,
    LineWidth,
    MarkdownOptions,
    MarkdownToHtml,
    Pictures,
    PlainTextOptions,
    ShortLines,
    StyledHtml,
    TextToHtml,
    TextToPdf,
    TitleOptions,
    TrackedChanges,
)
from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT, PRINTED, SEEN, PageOptions, Standard
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.failures import InvalidOption
from engine.toolkit.formats import DOCX, EPUB, FORMATS, HTML, MARKDOWN, ODT, PDF, RST, RTF, TXT, Format
from engine.toolkit.options import OptionGroups, combine
from engine.toolkit.warnings import Warn

_SAFE = ("cmarkgfm", "nh3", "engine.families.documents.commonmark")
_CMARK = Engine("cmarkgfm", _SAFE)
_CMARK_PDF = Engine("cmarkgfm", (*_SAFE, *HTML_PDF.modules), further=(HTML_PDF.distribution,))
_CMARK_SEEN = dataclasses.replace(_CMARK, modules=(*_SAFE, *PLUTOPRINT.modules), further=(PLUTOPRINT.distribution,))
_TEXT = Engine("fileconv", ("engine.families.documents.plain_text", "engine.families.documents.html_document"))
_TEXT_PDF = Engine(HTML_PDF.distribution, (*_TEXT.modules, *HTML_PDF.modules))
_TEXT_SEEN = Engine(PLUTOPRINT.distribution, (*_TEXT.modules, *PLUTOPRINT.modules))


@converter(MARKDOWN, HTML, profile="text", engine=_CMARK, options=MarkdownToHtml)
def markdown_to_html(source: Path, target: Path, options: MarkdownToHtml, warn: Warn) -> None:
    """Convert Markdown with tables, task lists and footnotes to a safe HTML page."""
    from engine.families.documents import commonmark, html_document

    made = commonmark.read(source, options, warn)
    html_document.write(made, target, options)


@converter(MARKDOWN, PDF, profile="pdf", engine=_CMARK_PDF, options=combine("MarkdownToPdf", PRINTED, MarkdownOptions))
def markdown_to_pdf(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert Markdown with tables, task lists and footnotes to PDF."""
    from engine.families.documents import commonmark, html_document
    from engine.families.html_pdf.render import render

    made = commonmark.read(source, options, warn)
    render(html_document.for_paper(made), target, options, warn, title=made.title or made.heading)


@converter(TXT, HTML, profile="text", engine=_TEXT, options=TextToHtml)
def txt_to_html(source: Path, target: Path, options: TextToHtml, warn: Warn) -> None:
    """Convert plain text to an HTML page."""
    from engine.families.documents import html_document, plain_text

    made = plain_text.to_document(source.read_bytes(), warn, encoding=options.encoding, layout=options.layout)
    html_document.write(made, target, options)


@converter(TXT, PDF, profile="pdf", engine=_TEXT_PDF, options=TextToPdf)
def txt_to_pdf(source: Path, target: Path, options: TextToPdf, warn: Warn) -> None:
    """Convert plain text to PDF."""
    from engine.families.documents import html_document, plain_text
    from engine.families.html_pdf.render import render

    made = plain_text.to_document(source.read_bytes(), warn, encoding=options.encoding, layout=options.layout)
    render(html_document.for_paper(made), target, options, warn, title=made.title)


def _markdown_to_picture(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert Markdown with tables, task lists and footnotes to {output}, as seen on a screen."""
    from engine.families.documents import commonmark, html_document
    from engine.families.html_pdf.render import picture

    made = commonmark.read(source, options, warn)
    picture(html_document.for_screen(made), target, options, warn)


def _txt_to_picture(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert plain text to {output}, as seen on a screen."""
    from engine.families.documents import html_document, plain_text
    from engine.families.html_pdf.render import picture

    made = plain_text.to_document(source.read_bytes(), warn, encoding=options.encoding, layout=options.layout)
    picture(html_document.for_screen(made), target, options, warn)


_PANDOC = Engine(
    "pypandoc-binary",
    ("cmarkgfm", "nh3", "engine.families.documents.exchange"),
    lazy=("pypandoc", "pyvips", "metafile_render"),
    programs=("pypandoc/files/pandoc",),
)
_PANDOC_PDF = dataclasses.replace(
    _PANDOC, modules=(*_PANDOC.modules, *HTML_PDF.modules), further=(HTML_PDF.distribution,)
)
_PANDOC_SEEN = dataclasses.replace(
    _PANDOC, modules=(*_PANDOC.modules, *PLUTOPRINT.modules), further=(PLUTOPRINT.distribution,)
)

_FORMATS = (HTML, MARKDOWN, TXT, RST, DOCX, ODT, RTF, EPUB)
_ELSEWHERE = {(MARKDOWN, HTML), (MARKDOWN, PDF), (TXT, HTML), (TXT, PDF), (HTML, PDF)}


_LOOKED_AT = (DOCX, ODT, RTF)
"""Input formats whose styles are kept if the output supports them."""
_READING: dict[Format, tuple[type, ...]] = {
    HTML: (EncodingOptions,),
    MARKDOWN: (EncodingOptions,),
    RST: (EncodingOptions,),
    TXT: (PlainTextOptions,),
    DOCX: (TrackedChanges,),
}
_WRITING: dict[Format, tuple[type, ...]] = {
    HTML: (Contents, HtmlOptions),
    MARKDOWN: (TitleOptions, LineWidth, Pictures),
    RST: (TitleOptions, LineWidth, Pictures),
    TXT: (TitleOptions, ShortLines),
    DOCX: (Contents, TitleOptions),
    ODT: (Contents, TitleOptions),
    RTF: (Contents, TitleOptions),
    EPUB: (TitleOptions,),
    PDF: (PageOptions,),
}


def _options(source: Format, target: Format) -> type | OptionGroups:
    return combine(f"{source.id}_to_{target.id}".title(), *_READING.get(source, ()), *_WRITING[target])


def _formats(source: Path, target: Path) -> tuple[Format, Format]:
    return FORMATS[source.suffix[1:]], FORMATS[target.suffix[1:]]


def _to_document(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert {input} to {output} with headings, lists, tables, footnotes and pictures."""
    from engine.families.documents import exchange

    return exchange.convert(source, target, *_formats(source, target), exchange.Settings.from_options(options), warn)


def _to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to a web page with embedded pictures."""
    from engine.families.documents import exchange, html_document

    made = exchange.to_document(
        source, target, *_formats(source, target), exchange.Settings.from_options(options), warn
    )
    html_document.write(made, target, options)


def _to_pdf(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to PDF with its text, tables, footnotes and pictures in a plain layout."""
    from engine.families.documents import exchange, html_document
    from engine.families.html_pdf.render import render

    made = exchange.to_document(
        source, target, *_formats(source, target), exchange.Settings.from_options(options), warn
    )
    render(html_document.for_paper(made), target, options, warn, title=made.title or made.heading)


def _word_to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to a web page with the same look and embedded pictures."""
    if options.style != "document":
        if options.track_changes != "accept" and source.suffix[1:] != DOCX.id:
            raise InvalidOption("trackChanges", "For this format, only style=document can show tracked changes.")
        _to_html(source, target, options, warn)
        return
    from engine.families.documents import html_document, opening
    from engine.families.documents.word import pages

    made, style = pages.to_document(
        opening.opened(source, warn), warn, changes=options.track_changes, contents=options.table_of_contents
    )
    html_document.write_styled(
        made, style, target, title=options.title, language=options.language, standalone=options.standalone
    )


def _word_to_pdf(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to PDF page by page, with styles, tables, pictures, headers and footers."""
    from engine.families.documents import opening
    from engine.families.documents.word import pages

    pages.to_pdf(opening.opened(source, warn), target, options, warn, changes=options.track_changes)


_WORD = (
    "lxml",
    "reportlab",
    "engine.families.documents.opening",
    "engine.families.documents.word.pages",
)
_DRAWN_WORD = Engine(
    PLUTOPRINT.distribution,
    (*_WORD, *PLUTOPRINT.modules, "engine.families.html_pdf.plutoprint.binding"),
    lazy=(*PLUTOPRINT.lazy, "metafile_render"),
    further=("lxml",),
)
_SHOWN_WORD = dataclasses.replace(_PANDOC, modules=(*_PANDOC.modules, *_WORD), further=("lxml",))
for _source in _LOOKED_AT:
    if HTML_PDF is PLUTOPRINT:
        _pdf = combine(f"{_source.id}_to_pdf".title(), TrackedChanges, PageOptions, Standard)
        converter(_source, PDF, profile="office", engine=_DRAWN_WORD, options=_pdf)(_word_to_pdf)
        _ELSEWHERE.add((_source, PDF))
    _html = combine(f"{_source.id}_to_html".title(), TrackedChanges, Contents, StyledHtml)
    converter(_source, HTML, profile="office", engine=_SHOWN_WORD, options=_html)(_word_to_html)
    _ELSEWHERE.add((_source, HTML))

for _source in _FORMATS:
    for _target in (*_FORMATS, PDF):
        if _source is not _target and (_source, _target) not in _ELSEWHERE:
            converter(
                _source,
                _target,
                profile="office",
                engine=_PANDOC_PDF if _target is PDF else _PANDOC,
                options=_options(_source, _target),
                packs=Pictures in _WRITING[_target],
            )({HTML: _to_html, PDF: _to_pdf}.get(_target, _to_document))


def _to_picture(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output} with text, tables, footnotes and pictures, as seen on a screen."""
    from engine.families.documents import exchange, html_document
    from engine.families.html_pdf.render import picture

    read = FORMATS[source.suffix[1:]]
    made = exchange.to_document(
        source, target, read, PDF, exchange.Settings.from_options(options), warn
    )  # laid out like a PDF page
    picture(html_document.for_screen(made), target, options, warn)


for _output, _groups in SEEN.items():
    converter(
        MARKDOWN,
        _output,
        profile="pdf",
        engine=_CMARK_SEEN,
        options=combine(f"MarkdownTo{_output.id.title()}Options", MarkdownOptions, *_groups),
    )(_markdown_to_picture)
    converter(
        TXT,
        _output,
        profile="pdf",
        engine=_TEXT_SEEN,
        options=combine(f"TxtTo{_output.id.title()}Options", PlainTextOptions, *_groups),
    )(_txt_to_picture)
    for _source in (RST, EPUB):
        converter(
            _source,
            _output,
            profile="office",
            engine=_PANDOC_SEEN,
            options=combine(f"{_source.id.title()}To{_output.id.title()}Options", *_READING.get(_source, ()), *_groups),
        )(_to_picture)
