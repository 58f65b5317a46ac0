"""Convert notebooks, outlines, LaTeX, Org, AsciiDoc, Typst, DocBook, FictionBook, wikis and manuals."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from engine.families.documents.markup.options import (
    Completeness,
    FormulasInHtml,
    NotebookOptions,
    NumberedSections,
    PictureFiles,
    TexSections,
)
from engine.families.documents.options import (
    CitationStyle,
    Contents,
    EncodingOptions,
    HtmlOptions,
    LineWidth,
    Pictures,
    ShortLines,
    TitleOptions,
    TrackedChanges,
)
from engine.families.html_pdf.options import HTML_PDF, PageOptions
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import (
    ASCIIDOC,
    DOCBOOK,
    DOCX,
    EPUB,
    FB2,
    FORMATS,
    HTML,
    IPYNB,
    JIRA,
    LATEX,
    MAN,
    MARKDOWN,
    MEDIAWIKI,
    ODT,
    OPML,
    ORG,
    PDF,
    RST,
    TEXTILE,
    TXT,
    TYPST,
    Format,
)
from engine.toolkit.options import OptionGroups, combine
from engine.toolkit.warnings import Warn

_PANDOC = Engine(
    "pypandoc-binary",
    ("cmarkgfm", "nh3", "lxml", "engine.families.documents.markup.exchange"),
    lazy=("pypandoc", "metafile_render"),
    programs=("pypandoc/files/pandoc",),
)
_PANDOC_PDF = dataclasses.replace(
    _PANDOC, modules=(*_PANDOC.modules, *HTML_PDF.modules), further=(HTML_PDF.distribution,)
)

_RICH = (IPYNB, LATEX, ORG, ASCIIDOC, TYPST, DOCBOOK, MEDIAWIKI, FB2)
_PLAIN = (JIRA, TEXTILE, MAN, OPML)
_DOCUMENTS = (HTML, MARKDOWN, PDF, DOCX, TXT, ODT, EPUB, RST)
_SHORT = (HTML, MARKDOWN, PDF, DOCX, TXT)
_AUTHORED = (MARKDOWN, HTML, DOCX, ODT, RST, EPUB, LATEX, ORG, IPYNB)
_WRITTEN: dict[Format, tuple[Format, ...]] = {
    LATEX: _AUTHORED,
    ORG: _AUTHORED,
    ASCIIDOC: _AUTHORED,
    TYPST: _AUTHORED,
    DOCBOOK: _AUTHORED,
    MEDIAWIKI: _AUTHORED,
    JIRA: _AUTHORED,
    FB2: (MARKDOWN, HTML, DOCX, ODT, RST, EPUB, LATEX, ORG),
    IPYNB: (MARKDOWN, RST, ORG),
    OPML: (MARKDOWN, HTML, DOCX, ODT, ORG),
}
"""The input that each output is written from: a notebook has code, an outline headings."""

_READING: dict[Format, tuple[type, ...]] = {
    **dict.fromkeys(
        (HTML, MARKDOWN, RST, LATEX, ORG, ASCIIDOC, TYPST, MEDIAWIKI, JIRA, TEXTILE, MAN), (EncodingOptions,)
    ),
    DOCX: (TrackedChanges,),
    IPYNB: (NotebookOptions,),
}
_WRITING: dict[Format, tuple[type, ...]] = {
    HTML: (Contents, NumberedSections, HtmlOptions),
    MARKDOWN: (TitleOptions, LineWidth, Pictures),
    RST: (TitleOptions, LineWidth, Pictures),
    TXT: (TitleOptions, ShortLines),
    DOCX: (Contents, NumberedSections, TitleOptions),
    ODT: (Contents, TitleOptions),
    EPUB: (NumberedSections, TitleOptions),
    PDF: (Contents, NumberedSections, PageOptions),
    LATEX: (Contents, NumberedSections, TitleOptions, Completeness, PictureFiles),
    TYPST: (Contents, NumberedSections, TitleOptions, Completeness, PictureFiles),
    DOCBOOK: (TitleOptions, Completeness, PictureFiles),
    **dict.fromkeys((ORG, ASCIIDOC, MEDIAWIKI), (Contents, TitleOptions, PictureFiles)),
    JIRA: (TitleOptions, PictureFiles),
    **dict.fromkeys((FB2, IPYNB, OPML), (TitleOptions,)),
}
_FORMULAS = (IPYNB, LATEX, ORG, ASCIIDOC, TYPST, DOCBOOK, MEDIAWIKI)


def _options(source: Format, target: Format) -> type | OptionGroups:
    writing = list(_WRITING[target])
    if source is LATEX:
        writing = [TexSections if each is NumberedSections else each for each in writing]
    if source in _FORMULAS and target is HTML:
        writing.append(FormulasInHtml)
    if source is LATEX:
        writing.append(CitationStyle)
    return combine(f"{source.id}_to_{target.id}".title(), *_READING.get(source, ()), *writing)


def _formats(source: Path, target: Path) -> tuple[Format, Format]:
    return FORMATS[source.suffix[1:]], FORMATS[target.suffix[1:]]


def _to_document(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert {input} to {output} with headings, lists, tables, formulas, code and pictures."""
    from engine.families.documents.exchange import Settings
    from engine.families.documents.markup import exchange

    return exchange.convert(source, target, *_formats(source, target), Settings.from_options(options), warn)


def _to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to a web page with embedded pictures."""
    from engine.families.documents import html_document
    from engine.families.documents.exchange import Settings
    from engine.families.documents.markup import exchange

    made = exchange.to_document(source, target, *_formats(source, target), Settings.from_options(options), warn)
    html_document.write(made, target, options)


def _to_pdf(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to PDF with its text, code, tables, formulas and pictures in a plain layout."""
    from engine.families.documents import html_document
    from engine.families.documents.exchange import Settings
    from engine.families.documents.markup import exchange
    from engine.families.html_pdf.render import render

    read, _ = _formats(source, target)
    made = exchange.for_paper(source, target, read, Settings.from_options(options), warn)
    render(html_document.for_paper(made), target, options, warn, title=made.title or made.heading)


_PAIRS = [
    *((source, target) for source in _RICH for target in _DOCUMENTS),
    *((source, target) for source in _PLAIN for target in _SHORT),
    *((source, target) for target, sources in _WRITTEN.items() for source in sources if source is not target),
]
for _source, _target in _PAIRS:
    converter(
        _source,
        _target,
        profile="office",
        engine=_PANDOC_PDF if _target is PDF else _PANDOC,
        options=_options(_source, _target),
        packs=bool({Pictures, PictureFiles} & {*_WRITING[_target]}),
    )({HTML: _to_html, PDF: _to_pdf}.get(_target, _to_document))
