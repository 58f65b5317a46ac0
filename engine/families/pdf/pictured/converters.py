"""Put pictures on PDF pages, and draw slides as pictures."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from engine.families.documents.slides.converters import DRAWN
from engine.families.documents.slides.options import HiddenSlides, PresentationOptions
from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from engine.families.images import options as groups
from engine.families.images.converters import EXTRAS
from engine.families.ocr.options import Searchable
from engine.families.pdf.options import READER, Drawn
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
    PCX,
    PDF,
    PNG,
    PPM,
    PPTX,
    PSD,
    QOI,
    SGI,
    TGA,
    TIFF,
    WEBP,
    Format,
)
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

IMG2PDF = Engine(
    "img2pdf",
    modules=("img2pdf", "engine.families.images.heif", "engine.families.images.pdf", *READER.modules),
    folders=READER.folders,
)


def _to_pdf(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to a PDF page, without loss unless it is lossy itself."""
    from engine.families.images import pdf
    from engine.families.pdf.recognised import read

    pdf.convert(source, target, options, warn)
    # The chosen frames are now the only pages.
    searchable = read.searchable(target, dataclasses.replace(read.Recognition.from_options(options), pages=None), warn)
    if searchable != target:
        searchable.replace(target)


for _inputs, _groups, _summary in (
    (JPG, (), "Convert {input} to a PDF page, unchanged."),
    ((WEBP, AVIF, HEIC), (groups.Quality, groups.Background), None),
    ((PNG, GIF, BMP, ICO, PSD, JP2, TGA, QOI, PCX, DDS, ICNS, PPM, SGI), (groups.Background,), None),
    (TIFF, (groups.Pages, groups.Background), "Convert each page of {input} to a PDF page."),
):
    converter(
        _inputs,
        PDF,
        profile="ocr",
        engine=IMG2PDF,
        options=combine("PictureToPdfOptions", groups.PdfPage, *_groups, Searchable),
        summary=_summary,
    )(_to_pdf)


for _input, _engine in EXTRAS.items():
    converter(
        _input,
        PDF,
        profile="ocr",
        engine=dataclasses.replace(IMG2PDF, lazy=_engine.lazy),
        options=combine("PictureToPdfOptions", groups.PdfPage, groups.Quality, groups.Background, Searchable),
    )(_to_pdf)


if HTML_PDF is PLUTOPRINT:

    def _to_pictures(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
        """Convert the slides of a presentation to {output}. Several slides become a ZIP of pictures or one long
        picture."""
        from engine.families.documents.slides import pages
        from engine.families.pdf import pictures

        drawn = target.with_name("drawn.pdf")
        pages.to_pdf(source, drawn, PresentationOptions(hidden_slides=options.hidden_slides), warn)
        given = SimpleNamespace(**dataclasses.asdict(options), password=None)
        return pictures.to_pictures(drawn, target, given, warn)

    for _picture, _coding in ((PNG, groups.PngCoding), (JPG, groups.JpgCoding)):
        converter(
            PPTX,
            _picture,
            profile="office",
            engine=dataclasses.replace(
                DRAWN,
                modules=(*DRAWN.modules, "engine.families.pdf.pictures"),
                further=("lxml", "pypdfium2"),
            ),
            options=combine(f"PptxTo{_picture.id.title()}", Drawn, _coding, groups.Pages, HiddenSlides),
            packs=True,
        )(_to_pictures)
