"""Convert Word documents of 97 to 2003 to texts, and to pages and other documents where LibreOffice is not used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.families.documents.options import (
    Contents,
    LineWidth,
    Pictures,
    ShortLines,
    TitleOptions,
    TrackedChanges,
)
from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT, PageOptions, Standard
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import DOC, DOCX, FORMATS, HTML, MARKDOWN, ODT, PDF, TXT, Format
from engine.toolkit.options import NoOptions, combine
from engine.toolkit.warnings import Warn

_READER = ("olefile", "lxml", "engine.families.documents.old_office.word_document")
_PAGES = ("reportlab", "engine.families.documents.word.pages")
_OWN = Engine("olefile", _READER, further=("lxml",))
_PANDOC = Engine(
    "pypandoc-binary",
    (*_READER, "cmarkgfm", "nh3", "engine.families.documents.exchange"),
    lazy=("pypandoc",),
    programs=("pypandoc/files/pandoc",),
    further=("olefile", "lxml"),
)
_SHOWN = replace(_OWN, modules=(*_READER, *_PAGES))
_DRAWN = Engine(
    PLUTOPRINT.distribution,
    (*_READER, *_PAGES, *PLUTOPRINT.modules, "engine.families.html_pdf.plutoprint.binding"),
    further=("olefile", "lxml"),
)


def _read(source: Path, target: Path, warn: Warn) -> Path:
    from engine.families.documents.old_office import word_document

    made = target.with_name("between.docx")
    word_document.to_docx(source, made, warn)
    return made


def _to_text(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert {input} to {output} with headings, lists, tables, footnotes and pictures."""
    from engine.families.documents import exchange

    settings = exchange.Settings.from_options(options)
    return exchange.convert(_read(source, target, warn), target, DOCX, FORMATS[target.suffix[1:]], settings, warn)


for _target, _groups in ((MARKDOWN, (TitleOptions, LineWidth, Pictures)), (TXT, (TitleOptions, ShortLines))):
    converter(
        DOC,
        _target,
        profile="office",
        engine=_PANDOC,
        options=combine(f"DocTo{_target.id.title()}", TrackedChanges, *_groups),
        packs=_target is MARKDOWN,
    )(_to_text)


@converter(DOC, ODT, profile="office", engine=_PANDOC, options=NoOptions, alternative="word")
def doc_to_odt(source: Path, target: Path, options: NoOptions, warn: Warn) -> None:
    """Convert {input} to {output} with its text, tables, pictures and formatting."""
    _to_text(source, target, options, warn)


@converter(DOC, DOCX, profile="office", engine=_OWN, options=NoOptions, alternative="word")
def doc_to_docx(source: Path, target: Path, options: NoOptions, warn: Warn) -> None:
    """Convert {input} to {output} with its text, tables, pictures and formatting."""
    _read(source, target, warn).replace(target)


@converter(
    DOC,
    HTML,
    profile="office",
    engine=_SHOWN,
    options=combine("DocToHtml", TrackedChanges, Contents, TitleOptions),
    alternative="word",
)
def doc_to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert an old Word document to a web page with the same look and embedded pictures."""
    from engine.families.documents import html_document
    from engine.families.documents.ooxml.package import Package
    from engine.families.documents.word import pages

    made, style = pages.to_document(
        Package(_read(source, target, warn)), warn, changes=options.track_changes, contents=options.table_of_contents
    )
    html_document.write_styled(made, style, target, title=options.title, language=options.language, standalone=True)


if HTML_PDF is PLUTOPRINT:

    @converter(
        DOC,
        PDF,
        profile="office",
        engine=_DRAWN,
        options=combine("DocToPdf", TrackedChanges, PageOptions, Standard),
    )
    def doc_to_pdf(source: Path, target: Path, options: Any, warn: Warn) -> None:
        """Convert {input} to PDF page by page, with styles, tables, pictures, headers and footers."""
        from engine.families.documents.ooxml.package import Package
        from engine.families.documents.word import pages

        pages.to_pdf(Package(_read(source, target, warn)), target, options, warn, changes=options.track_changes)
