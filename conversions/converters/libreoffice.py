"""Office files to PDF as LibreOffice lays them out, where it is installed: slides, sheets and, by setting, texts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from conversions.converters import suite
from conversions.converters.base import Engine, converter
from conversions.converters.picture_options import Pages
from conversions.formats import DOCX, ODS, ODT, PDF, PPTX, RTF, XLS, XLSX
from conversions.options import option
from conversions.warnings import Warn

_MODULES = ("pikepdf", "PIL", "conversions.engines.libreoffice")


def _engine(library: str) -> Engine:
    return Engine(suite.title(), modules=_MODULES, file=suite.program(library))


@dataclass(frozen=True)
class DocumentOptions(Pages):
    """Which pages of a text."""


@dataclass(frozen=True)
class PresentationOptions(Pages):
    """Which slides, and what beside them."""

    hidden_slides: bool = option(False, "Hidden slides too.")
    notes: bool = option(False, "After the slides, a page for each one with its notes.")


@dataclass(frozen=True)
class SheetOptions(Pages):
    """Which sheet, and how sheets become pages."""

    sheet: str | None = option(
        None, "Name of the only sheet to draw; all that are not hidden if left out.", min_length=1, max_length=255
    )
    fit: Literal["document", "width", "page"] = option(
        "document", "Shrink: as the workbook says, so that all columns fit one page's width, or each sheet one page."
    )
    orientation: Literal["document", "portrait", "landscape"] = option(
        "document", "Paper upright or lying; left out, as the workbook says."
    )
    page_size: Literal["document", "A3", "A4", "A5", "Letter", "Legal"] = option(
        "document", "Size of the paper; left out, as the workbook says."
    )


@converter(PPTX, PDF, family="libreoffice", engine=_engine("libsdlo.so"), options=PresentationOptions)
def pptx_to_pdf(source: Path, target: Path, options: PresentationOptions, warn: Warn) -> None:
    """Draw a presentation as PDF, a page for each slide."""
    from conversions.engines import libreoffice

    libreoffice.to_pdf(source, target, options, warn)


@converter((XLSX, XLS, ODS), PDF, family="libreoffice", engine=_engine("libsclo.so"), options=SheetOptions)
def sheets_to_pdf(source: Path, target: Path, options: SheetOptions, warn: Warn) -> None:
    """Draw the sheets of {input} as PDF, as they would be printed."""
    from conversions.engines import libreoffice

    libreoffice.to_pdf(source, target, options, warn)


@converter(
    (DOCX, ODT, RTF),
    PDF,
    family="libreoffice",
    engine=_engine("libswlo.so"),
    options=DocumentOptions,
    alternative="libreoffice",
)
def text_to_pdf(source: Path, target: Path, options: DocumentOptions, warn: Warn) -> None:
    """Draw {input} as PDF page by page as it would be printed."""
    from conversions.engines import libreoffice

    libreoffice.to_pdf(source, target, options, warn)
