"""Vectors of what only the office suite reads: Word and PowerPoint of 97 to 2003, OpenDocument slides and drawings."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Callable
from io import BytesIO
from xml.etree import ElementTree

from PIL import Image

from engine.families.registry import CONVERTERS
from tests.converters.vector import SAMPLES, Vector, fail, refuse, take
from tests.families.documents import seen as texts
from tests.families.documents.presenting.vectors import slides
from tests.families.libreoffice import files
from tests.families.libreoffice.vectors import says


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
        seen = texts.SEEN[target](data)
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
        fail(slug, "a presentation", ppt),
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
    fail("doc-to-pdf", "a workbook", lambda: (SAMPLES / "members.xls").read_bytes()),
    refuse("doc-to-pdf", "no such page", doc, pageRanges="7"),
    Vector(
        "ppt-to-pdf",
        "two slides",
        "ordinary",
        ppt,
        check=says(("Quarterly report", "東京", "1,200 units"), ("Second slide",)),
        more_warnings=True,
    ),
    take(
        "ppt-to-pdf",
        "a hidden slide",
        ppt_awkward,
        says(("Contract",), never=("Internal only",)),
        "CONTENT_DROPPED",
        "FONT_SUBSTITUTED",
    ),
    fail("ppt-to-pdf", "a text", doc),
    Vector("ppt-to-pptx", "two slides", "ordinary", ppt, check=_slides("Quarterly report", "Second slide")),
    take("ppt-to-pptx", "a hidden slide", ppt_awkward, _slides("Contract", "Internal only")),
    fail("ppt-to-pptx", "cut off", lambda: ppt()[:5_000]),
    Vector(
        "odp-to-pdf", "two slides", "ordinary", files.odp, check=says(("Quarterly report", "東京"), ("Second slide",))
    ),
    take(
        "odp-to-pdf",
        "a link and a hidden slide",
        files.odp_awkward,
        says(("Contract 1000",), never=("Internal only",)),
        *(_ACTIVE | {"CONTENT_DROPPED"}),
    ),
    fail("odp-to-pdf", "a workbook", files.ods),
    Vector("odp-to-pptx", "two slides", "ordinary", files.odp, check=_slides("Quarterly report", "Second slide")),
    take(
        "odp-to-pptx",
        "a link and a hidden slide",
        files.odp_awkward,
        _slides("Contract 1000", "Internal only"),
        *_ACTIVE,
    ),
    fail("odp-to-pptx", "a drawing", files.odg),
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
            take(f"pages-to-{target}", "packed with nothing", pages_empty, _holds_or_says(target)),
            fail(f"pages-to-{target}", "a text", files.odp),
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
    take("odg-to-svg", "a picture from elsewhere", files.odg_awkward, _svg("Floor plan"), *_ACTIVE),
    fail("odg-to-svg", "a workbook", files.ods),
    Vector("odg-to-pdf", "two pages", "ordinary", files.odg, check=says(("Floor plan",), ("Second floor",))),
    take("odg-to-pdf", "a picture from elsewhere", files.odg_awkward, says(("Floor plan",)), "REMOTE_RESOURCE_BLOCKED"),
    fail("odg-to-pdf", "a presentation", files.odp),
    Vector("odg-to-png", "two pages", "ordinary", files.odg, {"dpi": 72}, _pictures, output="zip"),
    take("odg-to-png", "a picture from elsewhere", files.odg_awkward, _square, "REMOTE_RESOURCE_BLOCKED", dpi=72),
    fail("odg-to-png", "a workbook", files.ods),
)

VECTORS: tuple[Vector, ...] = tuple(
    each for each in _VECTORS if each.slug in CONVERTERS and CONVERTERS[each.slug].profile == "libreoffice"
)
"""Those of slugs that nothing else draws or, where the suite is missing, reads."""
OTHERS = tuple(each for each in _VECTORS if each not in VECTORS)
