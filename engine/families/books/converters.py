"""Convert comics to archives, books and PDF, and Mobipocket and Kindle books."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.families.books.options import BookTitle, Comic, PagePictures
from engine.families.documents.options import HtmlOptions, ShortLines
from engine.families.html_pdf.options import HTML_PDF, PageOptions
from engine.families.images.options import Background, Pages, PdfPage
from engine.families.pdf.options import Locked
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import AZW3, CBZ, EPUB, FORMATS, HTML, MOBI, PDF, TXT, ZIP
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

_COMICS = "engine.families.books.comics"
_PICTURES = Engine("Pillow", lazy=("PIL", "pikepdf", "img2pdf", "defusedxml", _COMICS))
_PAGES = Engine("pypdfium2", lazy=("pypdfium2", "PIL", "pikepdf", "img2pdf", "defusedxml", _COMICS))


def _pictures(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the pictures in {input} to {output}, one per page, ordered by name."""
    from engine.families.books import comics

    comics.convert(source, target, FORMATS[target.suffix[1:]], options, warn)


for _source, _target in ((CBZ, PDF), (CBZ, EPUB), (ZIP, CBZ), (ZIP, EPUB)):
    converter(
        _source,
        _target,
        profile="pdf",
        engine=_PICTURES,
        options=combine(f"{_source.id}_to_{_target.id}".title(), Comic, *((PdfPage, Background) * (_target is PDF))),
    )(_pictures)


@converter(
    PDF, CBZ, profile="pdf", engine=_PAGES, options=combine("PdfToCbzOptions", Comic, PagePictures, Pages, Locked)
)
def pdf_to_cbz(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the pages of a PDF to a comic book. Pages that are a single JPEG keep it unchanged."""
    from engine.families.books import comics

    comics.from_pdf(source, target, options, warn)


_BOOKS = "engine.families.books.exchange"
_PANDOC = Engine("pypandoc-binary", ("nh3",), lazy=("pypandoc", _BOOKS), programs=("pypandoc/files/pandoc",))


def _book(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output} with its text, links and pictures. Books with copy protection (DRM) can't be
    converted."""
    from engine.families.books import exchange

    exchange.convert(source, target, FORMATS[target.suffix[1:]], options, warn)


for _source in (MOBI, AZW3):
    for _target, _engine, _group in (
        (EPUB, _PANDOC, BookTitle),
        (TXT, _PANDOC, ShortLines),
        (HTML, Engine("nh3", ("nh3",), lazy=(_BOOKS,)), HtmlOptions),
        (PDF, Engine(HTML_PDF.distribution, (*HTML_PDF.modules, "nh3"), lazy=(_BOOKS,)), PageOptions),
    ):
        converter(_source, _target, profile="pdf" if _target is PDF else "office", engine=_engine, options=_group)(
            _book
        )
