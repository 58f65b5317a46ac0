"""Vectors of documents as presentations, read as XML: which slides there are, and what stands on each."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from html.parser import HTMLParser
from io import BytesIO
from xml.etree import ElementTree

from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import Check
from tests.families.documents import files
from tests.families.libreoffice import files as office_files

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"


@dataclass(frozen=True)
class Slide:
    """One slide: its title, all its paragraphs but that, cells of tables too, and what hangs on it."""

    title: str
    lines: tuple[str, ...]
    tables: int
    pictures: int
    notes: str
    low: int
    """Where the lowest shape ends, in English metric units."""


def slides(data: bytes) -> list[Slide]:
    """The slides of a presentation in the order that it gives; every part of it is well-formed and named once."""
    with zipfile.ZipFile(BytesIO(data)) as file:
        names = file.namelist()
        assert len(names) == len(set(names))
        parts = {name: ElementTree.fromstring(file.read(name)) for name in names if name.endswith((".xml", ".rels"))}
    types = parts["[Content_Types].xml"]
    told = {each.get("PartName", "")[1:] for each in types if each.tag.endswith("Override")}
    assert told <= set(names)
    for name, root in parts.items():
        if name.endswith(".rels"):
            folder = name.partition("_rels/")[0]
            for each in root:
                if each.get("TargetMode") != "External":
                    target = re.sub(r"[^/]+/\.\./", "", folder + each.get("Target", ""))
                    assert target in names, (name, target)
    order = {each.get("Id"): each.get("Target") for each in parts["ppt/_rels/presentation.xml.rels"]}
    listed = parts["ppt/presentation.xml"].iterfind(f"{_P}sldIdLst/{_P}sldId")
    found = [f"ppt/{order[next(value for key, value in each.items() if '}' in key)]}" for each in listed]
    return [_slide(parts[name], parts.get(name.replace("slides/slide", "notesSlides/notesSlide"))) for name in found]


def _texts(root: ElementTree.Element) -> tuple[str, ...]:
    return tuple("".join(each.text or "" for each in line.iter(f"{_A}t")) for line in root.iter(f"{_A}p"))


def _slide(root: ElementTree.Element, notes: ElementTree.Element | None) -> Slide:
    lines: list[str] = []
    title, low = "", 0
    for shape in [*root.iter(f"{_P}sp"), *root.iter(f"{_P}graphicFrame"), *root.iter(f"{_P}pic")]:
        place = shape.find(f".//{_P}ph")
        kind = "" if place is None else place.get("type", "")
        if kind in ("title", "ctrTitle"):
            title = " ".join(_texts(shape))
        elif kind != "sldNum":
            lines += _texts(shape)
            ends = [
                int(each.find(f"{_A}off").get("y")) + int(each.find(f"{_A}ext").get("cy"))  # type: ignore[union-attr,arg-type]
                for each in [*shape.iter(f"{_A}xfrm"), *shape.iter(f"{_P}xfrm")]
            ]
            low = max(low, *ends, 0)
    return Slide(
        title,
        tuple(lines),
        len(list(root.iter(f"{_A}tbl"))),
        len(list(root.iter(f"{_P}pic"))),
        "" if notes is None else " ".join(_texts(notes)),
        low,
    )


def _are(*expected: tuple[str, tuple[str, ...]], pictures: int = 0, tables: int = 0) -> Check:
    """The slides have these titles, and on each stand at least these lines."""

    def check(data: bytes) -> None:
        found = slides(data)
        assert [each.title for each in found] == [title for title, _ in expected]
        for each, (_, lines) in zip(found, expected, strict=True):
            assert [line for line in lines if line not in each.lines] == [], each.lines
            assert each.low <= 540 * 12_700
        assert (sum(each.pictures for each in found), sum(each.tables for each in found)) == (pictures, tables)

    return check


class _Sections(HTMLParser):
    """The slides of a page of reveal.js: how deep each begins, and its text; nothing that is in it is far away."""

    def __init__(self) -> None:
        super().__init__()
        self.slides: list[tuple[int, str]] = []
        self.depth = 0
        self.notes: list[str] = []
        self._aside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "section":
            self.depth += 1
            self.slides.append((self.depth, ""))
        self._aside |= tag == "aside"
        if tag in ("img", "script", "link", "iframe", "source"):
            address = dict(attrs).get("src") or dict(attrs).get("href") or "data:"
            assert address.startswith("data:"), address

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "section"
        self._aside &= tag != "aside"

    def handle_data(self, data: str) -> None:
        if self._aside:
            self.notes.append(data.strip())
        elif self.depth:
            level, text = self.slides[-1]
            self.slides[-1] = (level, f"{text} {' '.join(data.split())}".strip())


def revealed(data: bytes) -> _Sections:
    """A page of reveal.js, read."""
    found = _Sections()
    found.feed(data.decode())
    found.slides = [(level, text) for level, text in found.slides if text]
    return found


def _reveals(*beginnings: str, has: tuple[str, ...] = ()) -> Check:
    """The slides begin with these words, and these stand somewhere."""

    def check(data: bytes) -> None:
        texts = [text for _, text in revealed(data).slides]
        assert len(texts) == len(beginnings), texts
        assert all(text.startswith(each) for text, each in zip(texts, beginnings, strict=True)), texts
        assert [each for each in has if each not in " ".join(texts)] == []
        assert b"Reveal.initialize(" in data
        assert b"default-src 'none'" in data

    return check


_ROWS = ("Region", "Units", "North", "1,200", "South", "950")

READERS: Readers = {
    "markdown": (
        ordinary("a report", files.MARKDOWN.encode),
        awkward("active content", files.MARKDOWN_AWKWARD.encode, "CONTENT_DROPPED", "SCRIPT_REMOVED"),
        broken("a picture", files.png),
    ),
    "html": (
        ordinary("a page", files.HTML.encode),
        awkward(
            "active content",
            files.HTML_AWKWARD.encode,
            "CONTENT_DROPPED",
            "CSS_UNSUPPORTED",
            "REMOTE_RESOURCE_BLOCKED",
            "SCRIPT_REMOVED",
        ),
        broken("nested too deep", b"<p>x</p>" + b"<div>" * 300),
    ),
    "docx": (
        ordinary("a report", files.docx),
        awkward("under review", files.docx_reviewed, "COMMENTS_DROPPED", "CONTENT_DROPPED", "VALUE_CONVERTED"),
        broken("a presentation", office_files.pptx),
    ),
}

_CHECKS: dict[tuple[str, str], tuple[Check, Check]] = {
    ("markdown", "pptx"): (
        _are(
            ("Quarterly report", ("Ann",)),
            ("Sales", ("Sales grew in Zürich and 東京1. See Regions.", "Regions", *_ROWS, "☑ done", "☐ to do")),
            ("", ("Audited figures",)),
            pictures=1,
            tables=1,
        ),
        _are(("Contract 😀", ("Text in a box", "<script>code</script>"))),
    ),
    ("html", "pptx"): (
        _are(("Sales", ("Sales grew in Zürich and 東京.", *_ROWS, "one", "two")), pictures=1, tables=1),
        _are(("Contract 😀", ("The price is 1000 euros. Run", "A far picture Send"))),
    ),
    ("docx", "pptx"): (
        _are(
            ("Quarterly report", ()),
            ("Sales", ("Sales grew in Zürich and 東京1.", *_ROWS)),
            ("", ("Audited figures",)),
            pictures=1,
            tables=1,
        ),
        _are(("Contract 😀", ("The price is 1000 euros.", "Text in a box"))),
    ),
    ("markdown", "revealjs"): (
        _reveals("Quarterly report", "Sales", "Audited figures", has=("Zürich and 東京", *_ROWS, "done")),
        _reveals("Contract 😀", has=("Text in a box", "<script>code</script>")),
    ),
    ("html", "revealjs"): (
        _reveals("Sales", has=("Zürich and 東京", *_ROWS, "one", "two")),
        _reveals("Contract 😀", has=("euros", "A far picture")),
    ),
    ("docx", "revealjs"): (
        _reveals("Quarterly report", "Sales", "Audited figures", has=("Zürich and 東京", *_ROWS)),
        _reveals("Contract 😀", has=("1000", "Text in a box")),
    ),
}
"""What has to come of the ordinary and of the awkward file."""


def _writer(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        check, odd = _CHECKS[source, output]
        if given.kind == "ordinary":
            return Wanted(check, more_warnings=source == "docx")
        return Wanted(odd, more_warnings=(source, output) != ("docx", "pptx"))

    return wanted


VECTORS = pairs("documents.presenting", READERS, {id: _writer(id) for id in ("pptx", "revealjs")})
