"""Vectors of Word documents of 97 to 2003 as this service reads them itself."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pypdf

from engine.families.registry import CONVERTERS
from tests.converters.engines import OWN
from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import SAMPLES, Vector, fail
from tests.families.documents import seen as texts
from tests.families.documents.files import docx
from tests.families.libreoffice import files

_WORDS = ("Quarterly report", "Sales grew in Zürich and 東京", "North", "1,200", "Audited figures")
_REVIEWED = ("Contract 😀", "1000", "Text in a box")
_LEFT_OUT = frozenset({"COMMENTS_DROPPED", "CONTENT_DROPPED"})


def report() -> bytes:
    """A report with a title, a heading, a picture, a table and a footnote, saved as Word 97."""
    return (SAMPLES / "report.doc").read_bytes()


def reviewed() -> bytes:
    """A contract under review: an insertion, a deletion, a comment and a text box."""
    return (SAMPLES / "review.doc").read_bytes()


def _says(target: str, *words: str, pictures: int, zipped: bool = False) -> Callable[[bytes], None]:
    read = texts.packed if zipped else texts.SEEN[target]

    def check(data: bytes) -> None:
        seen = read(data)
        assert [each for each in words if each not in seen.text] == []
        assert seen.pictures == pictures

    return check


def shows(*pages: tuple[str, ...], never: tuple[str, ...] = ()) -> Callable[[bytes], None]:
    """A PDF of as many pages, each with its words."""

    def check(data: bytes) -> None:
        found = [" ".join(each.extract_text().split()) for each in pypdf.PdfReader(BytesIO(data)).pages]
        assert len(found) == len(pages)
        for page, words in zip(found, pages, strict=True):
            assert [each for each in words if each not in page] == [], page
        assert [each for each in never if any(each in page for page in found)] == []

    return check


READERS: Readers = {
    "doc": (
        ordinary("a report", report),
        awkward("under review", reviewed, "COMMENTS_DROPPED", "CONTENT_DROPPED", "VALUE_CONVERTED"),
        broken("a newer document", docx),
        broken("a workbook", lambda: (SAMPLES / "members.xls").read_bytes()),
    )
}


def _writer(target: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        if given.kind == "awkward":
            return Wanted(_says(target, *_REVIEWED, pictures=0))
        zipped = target == "markdown"
        codes = frozenset({"CONTENT_DROPPED"} if target == "txt" else ())
        check = _says(target, *_WORDS, pictures=0 if target == "txt" else 1, zipped=zipped)
        return Wanted(check, codes, output="zip" if zipped else None)

    return wanted


def _taken(target: str, codes: frozenset[str]) -> tuple[Vector, ...]:
    slug = f"doc-to-{target}"
    return (
        Vector(slug, "a report", "ordinary", report, check=_says(target, *_WORDS, pictures=1)),
        Vector(slug, "under review", "awkward", reviewed, check=_says(target, *_REVIEWED, pictures=0), warnings=codes),
        fail(slug, "a presentation", files.odp),
    )


ALTERNATIVE_VECTORS = (
    *_taken("html", _LEFT_OUT),
    *_taken("docx", frozenset({"COMMENTS_DROPPED"})),
    *_taken("odt", _LEFT_OUT | {"VALUE_CONVERTED"}),
    Vector(
        "doc-to-pdf", "a report", "ordinary", report, check=shows(_WORDS), warnings=frozenset({"FONT_SUBSTITUTED"}),
        more_warnings=True,
    ),
    Vector(
        "doc-to-pdf", "under review", "awkward", reviewed, check=shows(("Contract", "1000"), never=("Please check",)),
        warnings=_LEFT_OUT, more_warnings=True,
    ),
    fail("doc-to-pdf", "a workbook", lambda: (SAMPLES / "members.xls").read_bytes()),
)  # fmt: skip
"""Those of conversions that LibreOffice does where it is installed."""

VECTORS: tuple[Vector, ...] = (
    *pairs("documents.old_office", READERS, {id: _writer(id) for id in ("markdown", "txt")}),
    *(each for each in ALTERNATIVE_VECTORS if OWN.get(each.slug) == CONVERTERS.get(each.slug, "")),
)
