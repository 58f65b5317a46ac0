"""Vectors of documents: a report, an awkward contract and a file that can't be read of each format."""

from __future__ import annotations

import re
from functools import cache

from tests.converters.pairs import Given, Readers, Wanted, Writer, Writers, awkward, broken, ordinary, pairs
from tests.converters.vector import Check, Kind, Source, take
from tests.families.documents import files
from tests.families.documents import seen as texts

_NOTED = {"docx", "odt", "epub", "rtf", "rst", "markdown"}


def three(
    report: bytes | Source, contract: bytes | Source, damaged: bytes | Source, line: int | None = None, lost: str = ""
) -> tuple[Given, ...]:
    """The files of one format, and the codes that the awkward one is reported with."""
    return (
        ordinary("a report", report),
        awkward("an awkward contract", contract, *lost.split()),
        broken("a file that can't be read", damaged, line),
    )


READERS: Readers = {
    "html": three(
        files.HTML.encode,
        files.HTML_AWKWARD.encode,
        b"<div>" * 1_000 + b"deep",
        lost="SCRIPT_REMOVED CONTENT_DROPPED CSS_UNSUPPORTED",
    ),
    "markdown": three(
        files.MARKDOWN.encode,
        files.MARKDOWN_AWKWARD.encode,
        b"text\n\n" + b">" * 20_000 + b" deep",
        3,
        lost="SCRIPT_REMOVED CONTENT_DROPPED",
    ),
    "txt": three(files.TXT.encode, files.TXT_LATIN, b"\n \n", lost="ENCODING_GUESSED"),
    "rst": three(
        files.RST.encode,
        files.RST_AWKWARD.encode,
        "\n".join(" " * depth + "x\n" for depth in range(200)).encode(),
        121,
        lost="SCRIPT_REMOVED REMOTE_RESOURCE_BLOCKED",
    ),
    "docx": three(
        files.docx,
        files.docx_reviewed,
        lambda: files.archive({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"}),
        lost="CONTENT_DROPPED COMMENTS_DROPPED VALUE_CONVERTED",
    ),
    "odt": three(files.odt, files.odt_reviewed, lambda: files.odt()[:-40], lost="CONTENT_DROPPED COMMENTS_DROPPED"),
    "rtf": three(
        files.RTF.encode,
        files.RTF_REVIEWED.encode,
        b"rtf without its mark",
        lost="CONTENT_DROPPED COMMENTS_DROPPED VALUE_CONVERTED",
    ),
    "epub": three(files.epub, files.epub_awkward, files.epub_protected, lost="SCRIPT_REMOVED CONTENT_DROPPED"),
}


def _ordinary_warnings(source: str, target: str) -> set[str]:
    found = set()
    if target == "txt" and source != "txt":
        found.add("CONTENT_DROPPED")  # its picture
    if source == "html" and target not in ("html", "epub", "pdf"):
        found.add("METADATA_DROPPED")  # its title
    if source == "rtf" and target not in ("docx", "odt", "html", "epub", "pdf"):
        found.add("METADATA_DROPPED")
    return found


_KEPT = {
    ("docx", "html"): {"VALUE_CONVERTED"},  # its text box is drawn where it is
    ("docx", "pdf"): {"VALUE_CONVERTED"},
    ("rtf", "html"): {"VALUE_CONVERTED"},  # its deletions are left out
    ("rtf", "pdf"): {"VALUE_CONVERTED"},
    ("rtf", "odt"): {"CONTENT_DROPPED"},  # its head and foot are carried
    ("html", "docx"): {"CSS_UNSUPPORTED"},  # its styles are kept
}
"""What is not lost of an awkward contract in one format alone."""


def _awkward_warnings(source: str, target: str) -> set[str]:
    found = set()
    if source == "html" and target not in ("html", "epub", "pdf"):
        found.add("METADATA_DROPPED")
    if source == "html" and target in ("docx", "odt", "rtf", "epub"):
        found.add("REMOTE_RESOURCE_BLOCKED")
    return found


@cache
def _check(source: str, target: str, kind: Kind) -> Check:
    zipped = kind == "ordinary" and target in ("markdown", "rst") and source != "txt"
    read = texts.packed if zipped else texts.SEEN[target]

    def ordinary(data: bytes) -> None:
        seen = read(data)
        words = ["Sales", "1,200"] if target == "pdf" else ["Sales", "Zürich", "東京", "1,200"]
        for each in words + (["Audited figures"] if source in _NOTED else []):
            assert each in seen.text, each
        assert seen.pictures == (0 if source == "txt" or target == "txt" else 1)

    def awkward(data: bytes) -> None:
        seen = read(data)
        assert "Contract" in seen.text
        assert "1000" in seen.text
        assert target == "pdf" or source == "txt" or "😀" in seen.text
        assert "alert(" not in seen.text
        if source == "docx":
            assert "Text in a box" in seen.text

    return ordinary if kind == "ordinary" else awkward


def _writer(target: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        check, more = _check(source, target, given.kind), target == "pdf"
        if given.kind == "ordinary":
            packed = "zip" if target in ("markdown", "rst") and source != "txt" else None
            return Wanted(check, frozenset(_ordinary_warnings(source, target)), output=packed, more_warnings=more)
        kept = frozenset(_KEPT.get((source, target), ()))
        return Wanted(check, frozenset(_awkward_warnings(source, target)), without=kept, more_warnings=more)

    return wanted


WRITERS: Writers = {id: _writer(id) for id in texts.SEEN}


_TASKS = b"""\
- [x] bought
- [ ] paid
  - [x] asked
  - noted

---

- [ ] wide

  second paragraph
"""


def _boxes_stand_for_bullets(data: bytes) -> None:
    lines = texts.pdf(data).text.split("\n")
    assert [line.strip() for line in lines if line.strip()] == [
        "☑ bought", "☐ paid", "☑ asked", "◦ noted", "☐ wide", "second paragraph",
    ]  # fmt: skip


def _boxes_are_in_their_paragraphs(data: bytes) -> None:
    text = data.decode()
    assert text.count('type="checkbox"') == 4
    assert re.search(r"<li>\s*<p><input type=\"checkbox\" disabled=\"\" /> wide</p>", text)


_TASK_LISTS = (
    take("markdown-to-pdf", "task lists", lambda: _TASKS, _boxes_stand_for_bullets),
    take("markdown-to-html", "task lists", lambda: _TASKS, _boxes_are_in_their_paragraphs, standalone=False),
)

VECTORS = (*pairs("documents", READERS, WRITERS), *_TASK_LISTS)
