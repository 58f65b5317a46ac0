"""Count the contents of PDFs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import PDF
from engine.toolkit.word_search import DIVISION

_DIVIDED = re.compile(
    "(?<=\\w)[-\u00ad\u2010](?:\r?\n)+(?=\\w)|[\ufffe\x02]|(?<=f[il]) (?=[a-z])|(?<=[a-z]) (?=f[il] [a-z])"
)
"""A hyphenated line end inside a word, for whose hyphen PDFium returns U+0002 or U+FFFE; and a blank beside “fi” or
“fl”, which a page may draw as one letter with a gap around it."""


_SLIDES = frozenset({"slides"})
"""Each page is a slide where the other file is a presentation."""
_MOST_NAMED = 500
"""Attachments whose names are read; PDFium searches all of them for each."""


def count(path: Path, password: str | None = None) -> Census:
    """Return the census of a document: its pages with their text as PDFium extracts it, its attachments
    and form fields.

    Raises OverLimit for a page whose text takes too long to extract.
    """
    from engine.families.pdf.page.overprints import once_drawn
    from engine.families.pdf.page.text_pages import text_page_of

    census = Census()
    with _opened(path, password) as document:
        for number in range(total := document.count_attachments()):
            if number == _MOST_NAMED:
                census.add("attachments", total - number)
                break
            census.add("attachments", label=document.get_attachment(number).get_name())
        census.add("pages", len(document))
        census.add("slides", len(document))
        for page in document:
            _count_attached(page, census)
            with text_page_of(page) as text:
                census.texts.append(_DIVIDED.sub(DIVISION, once_drawn(page, text) or text.get_text_bounded()))
            page.close()
    return census


@contextmanager
def _opened(path: Path, password: str | None) -> Iterator[Any]:
    """Open the document; one that PDFium can't read is repaired, as the converters do, which takes more libraries."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path, password)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD:
            raise
        from engine.families.pdf.pdfium import document_of

        with document_of(path, password, last=0) as mended:
            yield mended
    else:
        with document:
            yield document


def _count_attached(page: Any, census: Census) -> None:
    """Count the file attachment annotations of a page, and its form fields by the places where they are drawn."""
    import pypdfium2.raw as raw

    for number in range(raw.FPDFPage_GetAnnotCount(page)):
        note = raw.FPDFPage_GetAnnot(page, number)
        if note:
            match raw.FPDFAnnot_GetSubtype(note):
                case raw.FPDF_ANNOT_FILEATTACHMENT:
                    census.add("attachments")
                case raw.FPDF_ANNOT_WIDGET:
                    census.add("fields")
            raw.FPDFPage_CloseAnnot(note)


COUNTINGS = {
    PDF: Counting(
        count,
        frozenset({"words", "attachments", "pages", "fields"}),
        source_only=_SLIDES,
        result_only=_SLIDES,
        modules=("pypdfium2",),
        count_locked=count,
    )
}
