"""Vectors of notebooks, outlines and markup: from each to documents, and from documents to what is written of it."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Literal
from xml.etree import ElementTree

from conversions.families.registry import CONVERTERS
from tests.converters.cases import document_texts as texts
from tests.converters.cases import documents
from tests.converters.cases import marked_files as files
from tests.converters.cases.document_texts import Seen
from tests.converters.vector import Vector

_FAMILY = "conversions.families.documents.markup.converters"
_READ = (
    *("ipynb", "latex", "org", "asciidoc", "typst", "docbook", "mediawiki", "jira", "textile", "man", "fb2", "opml"),
)

ORDINARY: dict[str, Callable[[], bytes]] = documents.ORDINARY | {
    "ipynb": files.ipynb,
    "latex": files.LATEX.encode,
    "org": files.ORG.encode,
    "asciidoc": files.ASCIIDOC.encode,
    "typst": files.TYPST.encode,
    "docbook": files.DOCBOOK.encode,
    "mediawiki": files.MEDIAWIKI.encode,
    "jira": files.JIRA.encode,
    "textile": files.TEXTILE.encode,
    "man": files.MAN.encode,
    "fb2": files.FB2.encode,
    "opml": files.OPML.encode,
}
AWKWARD: dict[str, Callable[[], bytes]] = documents.AWKWARD | {
    "ipynb": files.ipynb_awkward,
    "latex": files.LATEX_AWKWARD.encode,
    "org": files.ORG_AWKWARD.encode,
    "asciidoc": files.ASCIIDOC_AWKWARD.encode,
    "typst": files.TYPST_AWKWARD.encode,
    "docbook": files.DOCBOOK_AWKWARD.encode,
    "mediawiki": files.MEDIAWIKI_AWKWARD.encode,
    "jira": files.JIRA_AWKWARD.encode,
    "textile": files.TEXTILE_AWKWARD.encode,
    "man": files.MAN_AWKWARD.encode,
    "fb2": lambda: files.FB2_AWKWARD,
    "opml": files.OPML_AWKWARD.encode,
}
FAILING: dict[str, Callable[[], bytes]] = documents.FAILING | {
    "ipynb": lambda: b'{\n "cells": [],\n "nbformat": 4,,\n}',
    "latex": lambda: b"\\begin{document}\n\\def\\a{\\a}\\a\n\\end{document}\n",
    "org": lambda: b"* One\n\n" + b"[[" * 500,
    "asciidoc": lambda: b"= One\n\n" + b"xref:a[" * 500,
    "typst": lambda: b"= One\n\n#let x = (\n",
    "docbook": lambda: b"<article>\n<para>One</article>",
    "mediawiki": lambda: b"== One ==\n\n" + b"{{a|" * 500,
    "jira": lambda: b"h1. One\n\n" + b"{color:red}a " * 50,
    "textile": lambda: b"h1. One\n\n" + b"[a " * 500,
    "man": lambda: b".TH A 1\n" + b".RS\n" * 100,
    "fb2": lambda: b"<html><body>One</body></html>",
    "opml": lambda: b'<opml version="2.0"><head/></opml>',
}
FAILING_LINE = documents.FAILING_LINE | {
    "ipynb": 3,
    "org": 3,
    "asciidoc": 3,
    "mediawiki": 3,
    "jira": 3,
    "textile": 3,
    "man": 62,
    "docbook": 2,
    "fb2": 1,
    "opml": 1,
}

_WARNED: dict[str, set[str]] = {
    "ipynb": {"SCRIPT_REMOVED", "CONTENT_DROPPED"},
    "latex": {"CONTENT_DROPPED", "VALUE_CONVERTED", "REMOTE_RESOURCE_BLOCKED"},
    "org": {"SCRIPT_REMOVED", "REMOTE_RESOURCE_BLOCKED"},
    "asciidoc": {"SCRIPT_REMOVED", "REMOTE_RESOURCE_BLOCKED"},
    "typst": {"REMOTE_RESOURCE_BLOCKED"},
    "docbook": {"REMOTE_RESOURCE_BLOCKED"},
    "mediawiki": {"CONTENT_DROPPED"},
    "jira": set(),
    "textile": {"SCRIPT_REMOVED"},
    "man": {"CONTENT_DROPPED", "REMOTE_RESOURCE_BLOCKED"},
    "opml": {"METADATA_DROPPED", "SCRIPT_REMOVED"},
    "fb2": set(),
}


def _json(data: bytes) -> Seen:
    """A notebook, by its cells."""
    made = json.loads(data)
    assert made["nbformat"] == 4
    assert made["metadata"]["kernelspec"]["name"] == "python3"
    assert all(each["id"] for each in made["cells"])
    return Seen(
        "\n".join("".join(each["source"]) for each in made["cells"]),
        sum(len(each.get("attachments", {})) for each in made["cells"]),
    )


def _tree(data: bytes) -> Seen:
    root = ElementTree.fromstring(data)
    found = [each for element in root.iter() for each in (element.text, element.tail, *element.attrib.values()) if each]
    return Seen(" ".join(" ".join(found).split()), len(root.findall(".//{*}binary")))


def _text(data: bytes) -> Seen:
    return Seen(re.sub(r"[ \n]+", " ", data.decode()), 0)


def _with_pictures(data: bytes) -> Seen:
    """A ZIP of a text and of the pictures that it names, with the folder or attached to the page."""
    with zipfile.ZipFile(BytesIO(data)) as file:
        first, *pictures = file.namelist()
        text = file.read(first)
        for name in pictures:
            assert name.removeprefix("pictures/").encode() in text
            assert file.read(name).startswith(b"\x89PNG")
        seen = _tree(text) if first.endswith("dbk") else _text(text)
        return Seen(seen.text, len(pictures))


_READERS: dict[str, Callable[[bytes], Seen]] = texts.READERS | {
    **dict.fromkeys(("latex", "org", "asciidoc", "typst", "mediawiki", "jira"), _text),
    **dict.fromkeys(("docbook", "fb2", "opml"), _tree),
    "ipynb": _json,
}
_PICTURED = {"html", "markdown", "rst", "docx", "odt", "epub", "ipynb", "fb2"}
"""Inputs whose report has a picture inside."""
_FORMULAS = {"ipynb", "latex", "typst"}
_LINEAR = {"txt", "jira", "fb2", "rst"}
"""Outputs in which a formula that is no row of letters stays TeX, which is said."""
_PACKED = {"markdown", "rst", "latex", "org", "asciidoc", "typst", "docbook", "mediawiki", "jira"}


def _zipped(source: str, target: str) -> bool:
    return source in _PICTURED and target in _PACKED


@cache
def _check(source: str, target: str, kind: Literal["ordinary", "awkward"]) -> Callable[[bytes], None]:
    zipped = kind == "ordinary" and _zipped(source, target)
    read = _with_pictures if zipped else _READERS[target]

    def ordinary(data: bytes) -> None:
        seen = read(data)
        text = seen.text.replace("{,}", ",")
        for each in ["Sales", "1,200"] if target == "pdf" else ["Sales", "Zürich", "東京", "1,200"]:
            assert each in text, each
        if source in _READ and target != "pdf":
            assert "Audited figures" in text
        if target in ("html", "pdf", "docx", "odt", "epub", "fb2", "ipynb") or zipped:
            assert seen.pictures == (source in _PICTURED)
        elif target == "opml":
            assert seen.pictures == 0

    def awkward(data: bytes) -> None:
        seen = read(data)
        assert "contract" in seen.text.lower()
        assert "1000" in seen.text
        assert target == "pdf" or "😀" in seen.text
        assert source in ("jira", "textile") or "alert(" not in seen.text  # where it is text, and nothing else

    return ordinary if kind == "ordinary" else awkward


def _vectors(source: str, target: str) -> tuple[Vector, ...]:
    slug = f"{source}-to-{target}"
    return (
        Vector(
            slug,
            "a report",
            "ordinary",
            ORDINARY[source],
            check=_check(source, target, "ordinary"),
            more_warnings=target == "pdf"
            or source not in _READ
            or (target == "txt" and source in _PICTURED)
            or (target in _LINEAR and source in _FORMULAS),
            output="zip" if _zipped(source, target) else None,
        ),
        Vector(
            slug,
            "an awkward contract",
            "awkward",
            AWKWARD[source],
            check=_check(source, target, "awkward"),
            warnings=frozenset(_WARNED.get(source, set())),
            more_warnings=True,
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


VECTORS: tuple[Vector, ...] = tuple(
    vector
    for each in CONVERTERS.values()
    if each.declared_in == _FAMILY
    for vector in _vectors(each.input.id, each.output.id)
)

_CITING = rb"""\documentclass{article}
\begin{filecontents*}{own.bib}
@book{ada, author={Lovelace, Ada}, title={Notes}, year={1843}}
\end{filecontents*}
\begin{document}
As in \cite{ada}.
\bibliography{own}
\end{document}
"""


def _has_references(data: bytes) -> None:
    assert data.decode() == "As in \\[1\\].\n\n# References\n\n\\[1\\] A. Lovelace, *Notes*. 1843.\n"


VECTORS += (
    Vector("latex-to-markdown", "a bibliography inside", "awkward", lambda: _CITING, {"citationStyle": "ieee"},
           check=_has_references),
)  # fmt: skip
VECTORS += (
    Vector("markdown-to-latex", "numbered headings", "awkward", lambda: b"# One\n", {"numberSections": True},
           check=lambda data: _numbers(data)),
)  # fmt: skip


def _numbers(data: bytes) -> None:
    assert b"\\setcounter{secnumdepth}{5}" in data
