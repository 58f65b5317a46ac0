"""Convert office files with LibreOffice, if it is installed."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from engine.families.documents.options import (
    Contents,
    TitleOptions,
    TrackedChanges,
)
from engine.families.documents.slides.options import PresentationOptions
from engine.families.images.options import Pages, PngCoding
from engine.families.libreoffice.options import (
    DocumentOptions,
    SheetOptions,
    TextOptions,
    program,
    readable,
    title,
)
from engine.families.pdf.options import Drawn
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.failures import InvalidOption
from engine.toolkit.formats import (
    DOC,
    DOCX,
    HTML,
    ODG,
    ODP,
    ODS,
    ODT,
    PAGES,
    PDF,
    PNG,
    PPT,
    PPTX,
    RTF,
    SVG,
    XLS,
    XLSM,
    XLSX,
    Format,
)
from engine.toolkit.options import NoOptions, combine
from engine.toolkit.warnings import Warn

_MODULES = ("pikepdf", "PIL", "engine.families.libreoffice.drawing")


_SAVING = "engine.families.libreoffice.saving"
_WRITER, _IMPRESS = "libswlo.so", "libsdlo.so"


def _engine(library: str, *modules: str) -> Engine:
    return Engine(title(), modules=(*_MODULES, *modules), file=program(library), folders=readable())


@converter(
    (PPTX, PPT, ODP),
    PDF,
    profile="libreoffice",
    engine=_engine(_IMPRESS),
    options=PresentationOptions,
    alternative="libreoffice",
)
def pptx_to_pdf(source: Path, target: Path, options: PresentationOptions, warn: Warn) -> None:
    """Convert a presentation to PDF, with one page per slide."""
    from engine.families.libreoffice import drawing

    drawing.to_pdf(source, target, options, warn)


def _draw_sheets(source: Path, target: Path, options: SheetOptions, warn: Warn) -> None:
    """Convert the sheets of {input} to PDF, as printed."""
    from engine.families.libreoffice import drawing

    drawing.to_pdf(source, target, options, warn)


for _sheets, _alternative in (((XLSX, XLSM, ODS), "libreoffice"), (XLS, None)):
    converter(
        _sheets,
        PDF,
        profile="libreoffice",
        engine=_engine("libsclo.so"),
        options=SheetOptions,
        restated=frozenset({"values", "formatting", "rules"}),
        alternative=_alternative,
    )(_draw_sheets)


def _draw(source: Path, target: Path, options: DocumentOptions, warn: Warn) -> None:
    """Convert {input} to PDF, as printed."""
    from engine.families.libreoffice import drawing

    drawing.to_pdf(source, target, options, warn)


for _input, _library in ((PAGES, _WRITER), (ODG, _IMPRESS)):
    converter(_input, PDF, profile="libreoffice", engine=_engine(_library), options=DocumentOptions)(_draw)


def _save(source: Path, target: Path, options: NoOptions, warn: Warn) -> None:
    """Convert {input} to {output} with its text, tables, pictures and formatting."""
    from engine.families.libreoffice import saving

    saving.to_office(source, target, warn)


for _inputs, _outputs, _library in (((DOC, PAGES), (DOCX, ODT), _WRITER), ((PPT, ODP), (PPTX,), _IMPRESS)):
    converter(
        _inputs,
        _outputs,
        profile="libreoffice",
        engine=_engine(_library, _SAVING),
    )(_save)


@converter(
    DOC,
    HTML,
    profile="libreoffice",
    engine=_engine(_WRITER, "lxml", "reportlab", _SAVING),
    options=combine("DocToHtml", TrackedChanges, Contents, TitleOptions),
)
def doc_to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert an old Word document to a web page with the same look and embedded pictures."""
    from engine.families.documents import html_document, opening
    from engine.families.documents.word import pages
    from engine.families.libreoffice import saving

    between = target.with_name("between.docx")
    saving.to_office(source, between, warn)
    made, style = pages.to_document(
        opening.opened(between, warn), warn, changes=options.track_changes, contents=options.table_of_contents
    )
    html_document.write_styled(made, style, target, title=options.title, language=options.language, standalone=True)


@converter(ODG, SVG, profile="libreoffice", engine=_engine(_IMPRESS, _SAVING))
def odg_to_svg(source: Path, target: Path, options: NoOptions, warn: Warn) -> None:
    """Convert the first page of a drawing to SVG."""
    from engine.families.libreoffice import saving

    saving.to_svg(source, target, warn)


@converter(
    ODG,
    PNG,
    profile="libreoffice",
    engine=_engine(_IMPRESS, "engine.families.pdf.pictures"),
    options=combine("OdgToPng", Drawn, PngCoding, Pages),
    packs=True,
)
def odg_to_png(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert a drawing to PNG. Several pages become a ZIP of pictures or one long picture."""
    from engine.families.libreoffice import drawing
    from engine.families.pdf import pictures

    drawn = target.with_name("pages.pdf")
    drawing.to_pdf(source, drawn, DocumentOptions(), warn)
    given = SimpleNamespace(**dataclasses.asdict(options), password=None)
    return pictures.to_pictures(drawn, target, given, warn)


@converter(
    (DOCX, ODT, RTF, DOC),
    PDF,
    profile="libreoffice",
    engine=_engine(_WRITER),
    options=TextOptions,
    alternative="libreoffice",
)
def text_to_pdf(source: Path, target: Path, options: TextOptions, warn: Warn) -> None:
    """Convert {input} to PDF, as printed."""
    try:
        _draw(source, target, DocumentOptions(pages=options.page_ranges), warn)
    except InvalidOption as error:
        raise InvalidOption("pageRanges", error.message) from error
