"""Vectors of presentations as texts, and their pages as this service draws them itself."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from io import BytesIO

import pypdf

from engine.families.registry import CONVERTERS
from tests.converters.engines import OWN
from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import SAMPLES, Vector, fail, refuse, take
from tests.families.documents import seen as texts
from tests.families.documents.files import docx
from tests.families.documents.old_office.vectors import shows
from tests.families.libreoffice import files


def _says(
    target: str, *words: str, never: tuple[str, ...] = (), pictures: int = 0, zipped: bool = False
) -> Callable[[bytes], None]:
    read = texts.packed if zipped else texts.SEEN[target]

    def check(data: bytes) -> None:
        seen = read(data)
        assert [each for each in words if each not in seen.text] == []
        assert [each for each in never if each in seen.text] == []
        assert seen.pictures == (pictures if target != "txt" else 0)

    return check


_WORDS = ("Quarterly report", "Sales grew in Zürich", "東京", "Second slide: thank you")


def ppt() -> bytes:
    """Two slides with bullets and a picture, saved as PowerPoint 97."""
    return gzip.decompress((SAMPLES / "slides.ppt.gz").read_bytes())


def ppt_awkward() -> bytes:
    """A slide in a font that nobody has, and a hidden one."""
    return gzip.decompress((SAMPLES / "hidden.ppt.gz").read_bytes())


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
    ),
    "ppt": (
        ordinary("two slides", ppt),
        awkward("a hidden slide", ppt_awkward, "CONTENT_DROPPED"),
        broken("cut off", lambda: ppt()[:5_000]),
    ),
    "odp": (
        ordinary("two slides", files.odp),
        awkward("a link and a hidden slide", files.odp_awkward, "CONTENT_DROPPED", "REMOTE_RESOURCE_BLOCKED"),
        broken("a workbook", files.ods),
    ),
}
_PICTURES = {"pptx": 1, "ppt": 1, "odp": 0}


def _writer(target: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        if given.kind == "awkward":
            return Wanted(_says(target, "Contract", never=("Internal only",)))
        pictures = _PICTURES[source]
        zipped = target == "markdown" and pictures > 0
        # The square of the OpenDocument file is a drawn shape.
        codes = frozenset({"CONTENT_DROPPED"} if target == "txt" or source == "odp" else ())
        words = (*_WORDS, "1,200 units") if pictures else _WORDS
        check = _says(target, *words, pictures=pictures, zipped=zipped)
        return Wanted(check, codes, output="zip" if zipped else None)

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


OTHERS = (
    Vector(
        "ppt-to-pdf", "two slides", "ordinary", ppt,
        check=shows(("Quarterly report", "東京", "1,200 units"), ("Second slide",)),
    ),
    take(
        "ppt-to-pdf", "a hidden slide", ppt_awkward, shows(("Contract",), never=("Internal only",)), "CONTENT_DROPPED",
        "FONT_SUBSTITUTED",
    ),
    fail("ppt-to-pdf", "cut off", lambda: ppt()[:5_000]),
    Vector(
        "odp-to-pdf", "two slides", "ordinary", files.odp, check=shows(("Quarterly report", "東京"), ("Second slide",))
    ),
    take(
        "odp-to-pdf", "a link and a hidden slide", files.odp_awkward,
        shows(("Contract 1000",), never=("Internal only",)), "CONTENT_DROPPED", "REMOTE_RESOURCE_BLOCKED",
    ),
    fail("odp-to-pdf", "a workbook", files.ods),
)  # fmt: skip
"""Presentations of other formats, drawn without LibreOffice."""

VECTORS: tuple[Vector, ...] = (
    *pairs("documents.slides", READERS, {id: _writer(id) for id in ("html", "markdown", "txt", "docx")}),
    *(each for each in (*_PDF, *OTHERS) if OWN.get(each.slug) == CONVERTERS.get(each.slug, "")),
)
"""All of them, but for pages where something else draws slides."""
