"""Office files to PDF as LibreOffice lays them out, where it is installed: slides, sheets and, by setting, texts."""

from __future__ import annotations

from pathlib import Path

from conversions.families.libreoffice.options import (
    DocumentOptions,
    PresentationOptions,
    SheetOptions,
    program,
    readable,
    title,
)
from conversions.toolkit.declaring import Engine, converter
from conversions.toolkit.formats import DOCX, ODS, ODT, PDF, PPTX, RTF, XLS, XLSX
from conversions.toolkit.warnings import Warn

_MODULES = ("pikepdf", "PIL", "conversions.families.libreoffice.drawing")


def _engine(library: str) -> Engine:
    return Engine(title(), modules=_MODULES, file=program(library), folders=readable())


@converter(PPTX, PDF, profile="libreoffice", engine=_engine("libsdlo.so"), options=PresentationOptions)
def pptx_to_pdf(source: Path, target: Path, options: PresentationOptions, warn: Warn) -> None:
    """Draw a presentation as PDF, a page for each slide."""
    from conversions.families.libreoffice import drawing

    drawing.to_pdf(source, target, options, warn)


@converter((XLSX, XLS, ODS), PDF, profile="libreoffice", engine=_engine("libsclo.so"), options=SheetOptions)
def sheets_to_pdf(source: Path, target: Path, options: SheetOptions, warn: Warn) -> None:
    """Draw the sheets of {input} as PDF, as they would be printed."""
    from conversions.families.libreoffice import drawing

    drawing.to_pdf(source, target, options, warn)


@converter(
    (DOCX, ODT, RTF),
    PDF,
    profile="libreoffice",
    engine=_engine("libswlo.so"),
    options=DocumentOptions,
    alternative="libreoffice",
)
def text_to_pdf(source: Path, target: Path, options: DocumentOptions, warn: Warn) -> None:
    """Draw {input} as PDF page by page as it would be printed."""
    from conversions.families.libreoffice import drawing

    drawing.to_pdf(source, target, options, warn)
