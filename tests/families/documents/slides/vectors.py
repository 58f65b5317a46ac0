"""Vectors of presentations as texts, and their pages as this service draws them itself."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pypdf

from engine.families.registry import ALTERNATIVES, CONVERTERS
from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import Vector, fail, refuse, take
from tests.families.documents import seen as texts
from tests.families.documents.files import docx
from tests.families.libreoffice import files


def _says(target: str, *words: str, never: tuple[str, ...] = (), zipped: bool = False) -> Callable[[bytes], None]:
    read = texts.packed if zipped else texts.SEEN[target]

    def check(data: bytes) -> None:
        seen = read(data)
        assert [each for each in words if each not in seen.text] == []
        assert [each for each in never if each in seen.text] == []
        assert seen.pictures == (0 if target == "txt" or never else 1)

    return check


_WORDS = ("Quarterly report", "Sales grew in Zürich", "東京", "1,200 units", "Second slide: thank you")
READERS: Readers = {
    "pptx": (
        ordinary("two slides", files.pptx),
        awkward(
            "what is hidden, outside and active",
            files.pptx_awkward,
            "CONTENT_DROPPED",
            "REMOTE_RESOURCE_BLOCKED",
            "SCRIPT_REMOVED",
        ),
        broken("a Word document", docx),
    )
}


def _writer(target: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        if given.kind == "awkward":
            return Wanted(_says(target, "Contract", never=("Internal only",)))
        zipped = target == "markdown"
        codes = frozenset({"CONTENT_DROPPED"} if target == "txt" else ())
        return Wanted(_says(target, *_WORDS, zipped=zipped), codes, output="zip" if zipped else None)

    return wanted


def _pages(*texts: tuple[str, ...]) -> Callable[[bytes], None]:
    """The PDF has as many pages as `texts`, each as large as a slide and with its words."""

    def check(data: bytes) -> None:
        pdf = pypdf.PdfReader(BytesIO(data))
        assert [(round(each.mediabox.width), round(each.mediabox.height)) for each in pdf.pages] == [(720, 405)] * len(
            texts
        )
        for page, words in zip(pdf.pages, texts, strict=True):
            seen = " ".join(page.extract_text().split())
            assert [each for each in words if each not in seen] == [], seen

    return check


_LOST = frozenset({"CONTENT_DROPPED", "FONT_SUBSTITUTED", "REMOTE_RESOURCE_BLOCKED", "SCRIPT_REMOVED"})
_PDF = (
    Vector(
        "pptx-to-pdf",
        "two slides",
        "ordinary",
        files.pptx,
        check=_pages(("Quarterly report", "• Sales grew in Zürich", "東京", "1,200 units"), ("Second slide",)),
    ),
    Vector("pptx-to-pdf", "the second slide", "ordinary", files.pptx, {"pages": "2"}, _pages(("Second slide",))),
    take("pptx-to-pdf", "what a page can't show", files.pptx_awkward, _pages(("Contract",)), *_LOST),
    take(
        "pptx-to-pdf",
        "hidden slides too",
        files.pptx_awkward,
        _pages(("Contract",), ("Internal only",)),
        *_LOST,
        hiddenSlides=True,
    ),
    fail("pptx-to-pdf", "a Word document", docx),
    fail("pptx-to-pdf", "cut off", lambda: files.pptx()[:-300]),
    refuse("pptx-to-pdf", "no such slide", files.pptx, pages="2-3"),
)
"""For where LibreOffice, whose own vectors are in `libreoffice`, does not draw them."""


VECTORS: tuple[Vector, ...] = (
    *pairs("documents.slides", READERS, {id: _writer(id) for id in ("html", "markdown", "txt", "docx")}),
    *(_PDF if any(each is CONVERTERS["pptx-to-pdf"] for each in ALTERNATIVES if each.alternative == "slides") else ()),
)
"""All of them, but for pages where something else draws slides."""
