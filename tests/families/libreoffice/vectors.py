"""Vectors of the office suite: presentations and workbooks as PDF."""

from __future__ import annotations

import io
from collections.abc import Callable

import pypdf

from engine.families.registry import CONVERTERS
from tests.converters.vector import SAMPLES, Vector, fail, refuse, take
from tests.families.data.files import with_macros
from tests.families.documents.files import docx
from tests.families.libreoffice import files


def pages(data: bytes) -> list[str]:
    """The text of each page, every run of white space one space."""
    return [" ".join(page.extract_text().split()) for page in pypdf.PdfReader(io.BytesIO(data)).pages]


def says(*texts: tuple[str, ...], never: tuple[str, ...] = ()) -> Callable[[bytes], None]:
    """The PDF has as many pages as `texts`, each with its words."""

    def check(data: bytes) -> None:
        found = pages(data)
        assert len(found) == len(texts), found
        for page, words in zip(found, texts, strict=True):
            assert [each for each in words if each not in page] == [], page
        assert [each for each in never if any(each in page for page in found)] == []
        assert pypdf.PdfReader(io.BytesIO(data)).metadata.creation_date is None

    return check


def _slides(data: bytes) -> None:
    says(("Quarterly report", "• Sales grew in Zürich", "東京", "1,200 units"), ("Second slide",))(data)
    first = pypdf.PdfReader(io.BytesIO(data)).pages[0]
    assert len(first.images) == 1
    assert first.mediabox.width > first.mediabox.height


def _on_wide_paper(data: bytes) -> None:
    says(("Month 1", "Month 30", "1160", "東京"), ("Audited in Zürich",))(data)
    box = pypdf.PdfReader(io.BytesIO(data)).pages[0].mediabox
    assert (round(float(box.width)), round(float(box.height))) == (1191, 842)  # A3, lying


def _cut_up(data: bytes) -> None:
    found = pages(data)
    assert len(found) > 3
    assert ["Month 30" in page for page in found].count(True) == 1
    assert "Month 30" not in found[0]


_AWKWARD = frozenset({"COMMENTS_DROPPED", "FONT_SUBSTITUTED", "SHEET_SKIPPED", "VALUE_CONVERTED"})
_ACTIVE = frozenset({"SCRIPT_REMOVED", "REMOTE_RESOURCE_BLOCKED", "SHEET_SKIPPED"})

_VECTORS = (
    Vector("pptx-to-pdf", "two slides", "ordinary", files.pptx, check=_slides),
    Vector(
        "pptx-to-pdf", "the second slide", "ordinary", files.pptx, {"pages": "2"}, says(("Second slide: thank you",))
    ),
    take(
        "pptx-to-pdf",
        "what a page can't show",
        files.pptx_awkward,
        says(("Contract",), never=("Internal only", "1/2/2003")),
        "CONTENT_DROPPED",
        "FONT_SUBSTITUTED",
        "REMOTE_RESOURCE_BLOCKED",
        "SCRIPT_REMOVED",
        "VALUE_CONVERTED",
    ),
    Vector(
        "pptx-to-pdf",
        "hidden slides too",
        "awkward",
        files.pptx_awkward,
        {"hiddenSlides": True},
        check=says(("Contract",), ("Internal only",)),
        warnings=frozenset({"CONTENT_DROPPED"}),
        more_warnings=True,
    ),
    fail("pptx-to-pdf", "a Word document", docx),
    fail("pptx-to-pdf", "cut off", lambda: files.pptx()[:-300]),
    refuse("pptx-to-pdf", "no such page", files.pptx, pages="2-3"),
    Vector("xlsx-to-pdf", "a wide table as it stands", "ordinary", files.xlsx, check=_cut_up),
    Vector(
        "xlsx-to-pdf",
        "a wide table on one page's width",
        "ordinary",
        files.xlsx,
        {"fit": "width", "orientation": "landscape", "pageSize": "A3"},
        _on_wide_paper,
    ),
    Vector(
        "xlsx-to-pdf",
        "one sheet",
        "ordinary",
        files.xlsx,
        {"sheet": "Notes"},
        says(("Audited in Zürich",)),
        frozenset({"SHEET_SKIPPED"}),
    ),
    take(
        "xlsx-to-pdf",
        "what a page can't show",
        files.xlsx_awkward,
        says(("Contract 1000", "421", "2000"), never=("Not to be seen", "Please check")),
        *_AWKWARD,
    ),
    take(
        "xlsx-to-pdf",
        "the hidden sheet by name",
        files.xlsx_awkward,
        says(("Not to be seen",), never=("Contract",)),
        *_AWKWARD,
        sheet="Inner figures",
    ),
    fail("xlsx-to-pdf", "a presentation", files.pptx),
    refuse("xlsx-to-pdf", "no such sheet", files.xlsx, sheet="Costs"),
    Vector("xlsm-to-pdf", "a wide table", "ordinary", files.xlsx, check=_cut_up),
    take(
        "xlsm-to-pdf",
        "macros, and what a page can't show",
        lambda: with_macros(files.xlsx_awkward()),
        says(("Contract 1000", "421", "2000"), never=("Not to be seen", "Please check")),
        "SCRIPT_REMOVED",
        *_AWKWARD,
    ),
    fail("xlsm-to-pdf", "a presentation", files.pptx),
    Vector(
        "xls-to-pdf",
        "members",
        "ordinary",
        lambda: (SAMPLES / "members.xls").read_bytes(),
        check=says(("Ada Lovelace", "Jürgen Müller", "山田 太郎", "-1200.75")),
    ),
    take(
        "xls-to-pdf",
        "several sheets",
        lambda: (SAMPLES / "awkward.xls").read_bytes(),
        says(("12345678901", "007", "=1+1", "<b>&amp;</b>"), ("x",), ("y",)),
    ),
    fail("xls-to-pdf", "cut off", lambda: (SAMPLES / "members.xls").read_bytes()[:700]),
    Vector(
        "ods-to-pdf",
        "two sheets",
        "ordinary",
        files.ods,
        check=says(("Region", "Zürich", "東京", "1,200"), ("Audited in Zürich",)),
    ),
    take(
        "ods-to-pdf",
        "a macro, a link and a hidden sheet",
        files.ods_awkward,
        says(("Contract 1000",), ("Rates of last week",), never=("The macro ran", "Not to be seen")),
        *_ACTIVE,
    ),
    fail("ods-to-pdf", "protected by a password", files.ods_protected),
)

VECTORS: tuple[Vector, ...] = tuple(
    each for each in _VECTORS if each.slug not in CONVERTERS or CONVERTERS[each.slug].profile == "libreoffice"
)
"""Those of slugs that nothing else draws."""
OTHERS = tuple(each for each in _VECTORS if each not in VECTORS)
