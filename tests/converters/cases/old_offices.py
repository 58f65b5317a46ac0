"""Vectors of what only the office suite reads: Word and PowerPoint of 97 to 2003, OpenDocument slides and drawings."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Callable
from io import BytesIO
from xml.etree import ElementTree

from PIL import Image

from conversions.families.registry import CONVERTERS
from tests.converters.cases import document_texts as texts
from tests.converters.cases import office_files as files
from tests.converters.cases.data_inputs import SAMPLES
from tests.converters.cases.offices import says
from tests.converters.cases.presenting import slides
from tests.converters.vector import Vector


def doc() -> bytes:
    """A report with a title, a heading, a picture, a table and a footnote, saved as Word 97."""
    return (SAMPLES / "report.doc").read_bytes()


def doc_reviewed() -> bytes:
    """A contract under review: an insertion, a deletion, a comment and a text box."""
    return (SAMPLES / "review.doc").read_bytes()


def ppt() -> bytes:
    """Two slides with bullets and a picture, saved as PowerPoint 97."""
    return gzip.decompress((SAMPLES / "slides.ppt.gz").read_bytes())


def ppt_awkward() -> bytes:
    """A slide in a font that nobody has, and a hidden one."""
    return gzip.decompress((SAMPLES / "hidden.ppt.gz").read_bytes())


def _holds(target: str, *words: str, pictures: int) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        seen = texts.READERS[target](data)
        assert [each for each in words if each not in seen.text] == []
        assert seen.pictures == pictures

    return check


def _slides(*titles: str) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        found = slides(data)
        assert len(found) == len(titles)
        for slide, words in zip(found, titles, strict=True):
            assert any(words in line for line in (slide.title, *slide.lines)), slide

    return check


def _square(data: bytes) -> None:
    """What is in the middle of the red square, 135 mm from the left and 95 from the top, at 72 pixels an inch."""
    with Image.open(BytesIO(data)) as picture:
        at = round(95 / 25.4 * 72) * picture.width + round(135 / 25.4 * 72)
        pixel = picture.convert("RGB").tobytes()[3 * at :][:3]
    assert (pixel[0] > 240, pixel[1] < 20, pixel[2] < 20) == (True, True, True)


def _pictures(data: bytes) -> None:
    with zipfile.ZipFile(BytesIO(data)) as file:
        assert len(file.namelist()) == 2
        _square(file.read(sorted(file.namelist())[0]))


_WORDS = ("Quarterly report", "Sales grew in Zürich and 東京", "North", "1,200", "Audited figures")
_ACTIVE = frozenset({"REMOTE_RESOURCE_BLOCKED"})


def _texts(target: str) -> tuple[Vector, ...]:
    slug = f"doc-to-{target}"
    drawn = frozenset({"COMMENTS_DROPPED", "CONTENT_DROPPED"}) if target == "html" else frozenset()
    return (
        Vector(slug, "a report", "ordinary", doc, check=_holds(target, *_WORDS, pictures=1)),
        Vector(
            slug,
            "under review",
            "awkward",
            doc_reviewed,
            check=_holds(target, "Contract 😀", "1000", "Text in a box", pictures=0),
            warnings=drawn,
            more_warnings=True,
        ),
        Vector(slug, "a presentation", "failing", ppt, error="UNSUPPORTED_FORMAT"),
    )


def _reads(*words: str) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        text = data.decode()
        assert [each for each in words if each not in text] == []

    return check


def _holds_or_says(target: str, *words: str) -> Callable[[bytes], None]:
    return says(words) if target == "pdf" else _holds(target, *words, pictures=0)


def _svg(*words: str) -> Callable[[bytes], None]:
    """A drawing with these words, in which nothing is active and nothing is far away."""

    def check(data: bytes) -> None:
        root = ElementTree.fromstring(data)
        text = " ".join("".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text"))
        assert [each for each in words if each not in text] == []
        for each in root.iter():
            assert not each.tag.endswith(("}script", "}foreignObject"))
            address = each.get("{http://www.w3.org/1999/xlink}href", "#")
            assert address.startswith(("#", "data:")), address

    return check


def _pages_file(*paragraphs: str) -> bytes:
    """A document as Pages '09 saves it, with the least that one has."""
    spaces = "http://developer.apple.com/namespaces/"
    inside = "".join(f"<sf:p>{each}<sf:br/></sf:p>" for each in paragraphs)
    text = (
        f'<?xml version="1.0"?><sl:document xmlns:sfa="{spaces}sfa" xmlns:sf="{spaces}sf" xmlns:sl="{spaces}sl" '
        f'sl:version="92008102400"><sf:text-storage sf:kind="body"><sf:text-body><sf:section><sf:layout>{inside}'
        "</sf:layout></sf:section></sf:text-body></sf:text-storage></sl:document>"
    )
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as parts:
        parts.writestr("index.xml", text)
    return file.getvalue()


def pages_report() -> bytes:
    return _pages_file("Quarterly report", "Sales grew in Zürich and 東京")


def pages_empty() -> bytes:
    return _pages_file("")


_VECTORS = (
    *(vector for target in ("docx", "odt", "html") for vector in _texts(target)),
    Vector("doc-to-pdf", "a report", "ordinary", doc, check=says(_WORDS), warnings=frozenset(), more_warnings=True),
    Vector(
        "doc-to-pdf",
        "under review",
        "awkward",
        doc_reviewed,
        check=says(("Contract", "1000"), never=("Please check",)),
        warnings=frozenset({"COMMENTS_DROPPED"}),
        more_warnings=True,
    ),
    Vector(
        "doc-to-pdf",
        "a workbook",
        "failing",
        lambda: (SAMPLES / "members.xls").read_bytes(),
        error="UNSUPPORTED_FORMAT",
    ),
    Vector("doc-to-pdf", "no such page", "failing", doc, {"pages": "7"}, error="VALIDATION_ERROR"),
    Vector(
        "ppt-to-pdf",
        "two slides",
        "ordinary",
        ppt,
        check=says(("Quarterly report", "東京", "1,200 units"), ("Second slide",)),
        more_warnings=True,
    ),
    Vector(
        "ppt-to-pdf",
        "a hidden slide",
        "awkward",
        ppt_awkward,
        check=says(("Contract",), never=("Internal only",)),
        warnings=frozenset({"CONTENT_DROPPED", "FONT_SUBSTITUTED"}),
    ),
    Vector("ppt-to-pdf", "a text", "failing", doc, error="UNSUPPORTED_FORMAT"),
    Vector("ppt-to-pptx", "two slides", "ordinary", ppt, check=_slides("Quarterly report", "Second slide")),
    Vector(
        "ppt-to-pptx",
        "a hidden slide",
        "awkward",
        ppt_awkward,
        check=_slides("Contract", "Internal only"),
    ),
    Vector("ppt-to-pptx", "cut off", "failing", lambda: ppt()[:5_000], error="UNSUPPORTED_FORMAT"),
    Vector(
        "odp-to-pdf",
        "two slides",
        "ordinary",
        files.odp,
        check=says(("Quarterly report", "東京"), ("Second slide",)),
    ),
    Vector(
        "odp-to-pdf",
        "a link and a hidden slide",
        "awkward",
        files.odp_awkward,
        check=says(("Contract 1000",), never=("Internal only",)),
        warnings=_ACTIVE | {"CONTENT_DROPPED"},
    ),
    Vector("odp-to-pdf", "a workbook", "failing", files.ods, error="UNSUPPORTED_FORMAT"),
    Vector("odp-to-pptx", "two slides", "ordinary", files.odp, check=_slides("Quarterly report", "Second slide")),
    Vector(
        "odp-to-pptx",
        "a link and a hidden slide",
        "awkward",
        files.odp_awkward,
        check=_slides("Contract 1000", "Internal only"),
        warnings=_ACTIVE,
    ),
    Vector("odp-to-pptx", "a drawing", "failing", files.odg, error="UNSUPPORTED_FORMAT"),
    *(
        vector
        for target in ("pdf", "docx", "odt")
        for vector in (
            Vector(
                f"pages-to-{target}",
                "two paragraphs",
                "ordinary",
                pages_report,
                check=_holds_or_says(target, "Quarterly report", "Sales grew in Zürich and 東京"),
            ),
            Vector(f"pages-to-{target}", "packed with nothing", "awkward", pages_empty, check=_holds_or_says(target)),
            Vector(f"pages-to-{target}", "a text", "failing", files.odp, error="UNSUPPORTED_FORMAT"),
        )
    ),
    Vector(
        "odg-to-svg",
        "two pages",
        "ordinary",
        files.odg,
        check=_svg("Floor plan"),
        warnings=frozenset({"CONTENT_DROPPED"}),
    ),
    Vector(
        "odg-to-svg",
        "a picture from elsewhere",
        "awkward",
        files.odg_awkward,
        check=_svg("Floor plan"),
        warnings=_ACTIVE,
    ),
    Vector("odg-to-svg", "a workbook", "failing", files.ods, error="UNSUPPORTED_FORMAT"),
    Vector("odg-to-pdf", "two pages", "ordinary", files.odg, check=says(("Floor plan",), ("Second floor",))),
    Vector(
        "odg-to-pdf",
        "a picture from elsewhere",
        "awkward",
        files.odg_awkward,
        check=says(("Floor plan",)),
        warnings=frozenset({"REMOTE_RESOURCE_BLOCKED"}),
    ),
    Vector("odg-to-pdf", "a presentation", "failing", files.odp, error="UNSUPPORTED_FORMAT"),
    Vector("odg-to-png", "two pages", "ordinary", files.odg, {"dpi": 72}, check=_pictures, output="zip"),
    Vector(
        "odg-to-png",
        "a picture from elsewhere",
        "awkward",
        files.odg_awkward,
        {"dpi": 72},
        check=_square,
        warnings=frozenset({"REMOTE_RESOURCE_BLOCKED"}),
    ),
    Vector("odg-to-png", "a workbook", "failing", files.ods, error="UNSUPPORTED_FORMAT"),
)

VECTORS: tuple[Vector, ...] = tuple(each for each in _VECTORS if each.slug in CONVERTERS)
"""All of them where the suite is installed; without it there are no such slugs."""
