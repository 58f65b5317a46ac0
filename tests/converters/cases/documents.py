"""Vectors of the documents: one report and one awkward file per input format, through every output format."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Literal

from tests.converters.cases import document_files as files
from tests.converters.cases import document_texts as texts
from tests.converters.vector import Vector

_OUTPUTS = ("html", "markdown", "txt", "rst", "docx", "odt", "rtf", "epub", "pdf")
_TEXTS = {"markdown", "rst", "txt"}
_NOTED = {"docx", "odt", "epub", "rtf", "rst", "markdown"}

ORDINARY: dict[str, Callable[[], bytes]] = {
    "html": files.HTML.encode,
    "markdown": files.MARKDOWN.encode,
    "txt": files.TXT.encode,
    "rst": files.RST.encode,
    "docx": files.docx,
    "odt": files.odt,
    "rtf": files.RTF.encode,
    "epub": files.epub,
}
AWKWARD: dict[str, Callable[[], bytes]] = {
    "html": files.HTML_AWKWARD.encode,
    "markdown": files.MARKDOWN_AWKWARD.encode,
    "txt": lambda: files.TXT_LATIN,
    "rst": files.RST_AWKWARD.encode,
    "docx": files.docx_reviewed,
    "odt": files.odt_reviewed,
    "rtf": files.RTF_REVIEWED.encode,
    "epub": files.epub_awkward,
}
FAILING: dict[str, Callable[[], bytes]] = {
    "html": lambda: b"<div>" * 1_000 + b"deep",
    "markdown": lambda: b"text\n\n" + b">" * 20_000 + b" deep",
    "txt": lambda: b"\n \n",
    "rst": lambda: "\n".join(" " * depth + "x\n" for depth in range(200)).encode(),
    "docx": lambda: files.archive({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"}),
    "odt": lambda: files.odt()[:-40],
    "rtf": lambda: b"rtf without its mark",
    "epub": files.epub_protected,
}
FAILING_LINE = {"markdown": 3, "rst": 121}

_SAFE = {"html": "SCRIPT_REMOVED", "markdown": "SCRIPT_REMOVED", "rst": "SCRIPT_REMOVED", "epub": "SCRIPT_REMOVED"}
_AWKWARD_WARNINGS: dict[str, set[str]] = {
    "html": {"SCRIPT_REMOVED", "CONTENT_DROPPED", "CSS_UNSUPPORTED"},
    "markdown": {"SCRIPT_REMOVED", "CONTENT_DROPPED"},
    "txt": {"ENCODING_GUESSED"},
    "rst": {"SCRIPT_REMOVED", "REMOTE_RESOURCE_BLOCKED"},
    "docx": {"CONTENT_DROPPED", "COMMENTS_DROPPED", "VALUE_CONVERTED"},
    "odt": {"CONTENT_DROPPED", "COMMENTS_DROPPED"},
    "rtf": {"CONTENT_DROPPED", "COMMENTS_DROPPED", "VALUE_CONVERTED"},
    "epub": {"SCRIPT_REMOVED", "CONTENT_DROPPED"},
}


def _ordinary_warnings(source: str, target: str) -> set[str]:
    found = set()
    if target == "txt" and source != "txt":
        found.add("CONTENT_DROPPED")  # its picture
    if source in ("html", "rtf") and target not in ("html", "epub", "pdf"):
        found.add("METADATA_DROPPED")  # its title
    return found


def _awkward_warnings(source: str, target: str) -> set[str]:
    found = set(_AWKWARD_WARNINGS[source])
    if (source, target) in (("docx", "html"), ("docx", "pdf")):
        found.discard("VALUE_CONVERTED")  # its text box is drawn where it is
    if (source, target) in (("rtf", "html"), ("rtf", "pdf")):
        found.discard("VALUE_CONVERTED")  # its deletions are left out
    if (source, target) == ("rtf", "odt"):
        found.discard("CONTENT_DROPPED")  # its head and foot are carried
    if (source, target) == ("html", "docx"):
        found.discard("CSS_UNSUPPORTED")  # its styles are kept
    if source == "html" and target not in ("html", "epub", "pdf"):
        found.add("METADATA_DROPPED")
    if source == "html" and target in ("docx", "odt", "rtf", "epub"):
        found.add("REMOTE_RESOURCE_BLOCKED")
    return found


@cache
def _check(source: str, target: str, kind: Literal["ordinary", "awkward"]) -> Callable[[bytes], None]:
    zipped = kind == "ordinary" and target in ("markdown", "rst") and source != "txt"
    read = texts.packed if zipped else texts.READERS[target]

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


def _vectors(source: str, target: str) -> tuple[Vector, ...]:
    slug = f"{source}-to-{target}"
    zipped = target in ("markdown", "rst") and source != "txt"
    return (
        Vector(
            slug,
            "a report",
            "ordinary",
            ORDINARY[source],
            check=_check(source, target, "ordinary"),
            warnings=frozenset(_ordinary_warnings(source, target)),
            more_warnings=target == "pdf",
            output="zip" if zipped else None,
        ),
        Vector(
            slug,
            "an awkward contract",
            "awkward",
            AWKWARD[source],
            check=_check(source, target, "awkward"),
            warnings=frozenset(_awkward_warnings(source, target)),
            more_warnings=target == "pdf",
        ),
        Vector(
            slug,
            "a file that can't be read",
            "failing",
            FAILING[source],
            error="UNSUPPORTED_FORMAT",
            line=FAILING_LINE.get(source),
        ),
    )


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
    Vector("markdown-to-pdf", "task lists", "awkward", lambda: _TASKS, check=_boxes_stand_for_bullets),
    Vector(
        "markdown-to-html",
        "task lists",
        "awkward",
        lambda: _TASKS,
        options={"standalone": False},
        check=_boxes_are_in_their_paragraphs,
    ),
)

VECTORS: tuple[Vector, ...] = (
    *(
        vector
        for source in ORDINARY
        for target in _OUTPUTS
        if source != target and (source, target) != ("html", "pdf")
        for vector in _vectors(source, target)
    ),
    *_TASK_LISTS,
)
