"""Recognise text in pictures, as plain text and Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.families.ocr.options import FOLDERS, PagesReading, Reading, model_file
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import (
    AVIF,
    BMP,
    DDS,
    GIF,
    HEIC,
    ICNS,
    ICO,
    JP2,
    JPG,
    JXL,
    MARKDOWN,
    PCX,
    PNG,
    PPM,
    PSD,
    QOI,
    RAW,
    SGI,
    TGA,
    TIFF,
    TXT,
    WEBP,
)
from engine.toolkit.warnings import Warn

_MODULES = (
    "tesserocr",
    "PIL",
    "engine.families.images.heif",
    "engine.families.ocr.pictures",
    "engine.families.ocr.engine",
)


def _engine(*lazy: str) -> Engine:
    return Engine("tesserocr", modules=_MODULES, lazy=("pyvips", *lazy), file=model_file(), folders=FOLDERS)


TESSEROCR = _engine()
_EXTRAS = {JXL: "pylibjxl", RAW: "rawpy"}


def _to_txt(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Recognise the text in {input}."""
    from engine.families.ocr import pictures

    pictures.to_txt(source, target, options, warn)


def _to_markdown(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Recognise the text in {input}, with headings, paragraphs and lists."""
    from engine.families.ocr import pictures

    pictures.to_markdown(source, target, options, warn)


for _output, _run in ((TXT, _to_txt), (MARKDOWN, _to_markdown)):
    for _inputs, _options in (
        ((PNG, JPG, WEBP, AVIF, HEIC, GIF, BMP, ICO, PSD, JP2, TGA, QOI, PCX, DDS, ICNS, PPM, SGI), Reading),
        ((TIFF,), PagesReading),
    ):
        converter(_inputs, _output, profile="ocr", engine=TESSEROCR, options=_options)(_run)
    for _extra, _library in _EXTRAS.items():
        converter(_extra, _output, profile="ocr", engine=_engine(_library), options=Reading)(_run)
