"""Vectors of notebooks, outlines and markup: from each to documents, and from documents to what is written of it."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from functools import cache
from io import BytesIO
from xml.etree import ElementTree

from tests.converters.pairs import Given, Readers, Wanted, Writer, pairs
from tests.converters.vector import Check, Kind, take
from tests.families.documents import seen as texts
from tests.families.documents import vectors as documents
from tests.families.documents.markup import files
from tests.families.documents.seen import Seen
from tests.families.documents.vectors import three

OWN: Readers = {
    "ipynb": three(
        files.ipynb,
        files.ipynb_awkward,
        b'{\n "cells": [],\n "nbformat": 4,,\n}',
        3,
        lost="SCRIPT_REMOVED CONTENT_DROPPED",
    ),
    "latex": three(
        files.LATEX.encode,
        files.LATEX_AWKWARD.encode,
        b"\\begin{document}\n\\def\\a{\\a}\\a\n\\end{document}\n",
        lost="CONTENT_DROPPED VALUE_CONVERTED REMOTE_RESOURCE_BLOCKED",
    ),
    "org": three(
        files.ORG.encode,
        files.ORG_AWKWARD.encode,
        b"* One\n\n" + b"[[" * 500,
        3,
        lost="SCRIPT_REMOVED REMOTE_RESOURCE_BLOCKED",
    ),
    "asciidoc": three(
        files.ASCIIDOC.encode,
        files.ASCIIDOC_AWKWARD.encode,
        b"= One\n\n" + b"xref:a[" * 500,
        3,
        lost="SCRIPT_REMOVED REMOTE_RESOURCE_BLOCKED",
    ),
    "typst": three(
        files.TYPST.encode, files.TYPST_AWKWARD.encode, b"= One\n\n#let x = (\n", lost="REMOTE_RESOURCE_BLOCKED"
    ),
    "docbook": three(
        files.DOCBOOK.encode,
        files.DOCBOOK_AWKWARD.encode,
        b"<article>\n<para>One</article>",
        2,
        lost="REMOTE_RESOURCE_BLOCKED",
    ),
    "mediawiki": three(
        files.MEDIAWIKI.encode,
        files.MEDIAWIKI_AWKWARD.encode,
        b"== One ==\n\n" + b"{{a|" * 500,
        3,
        lost="CONTENT_DROPPED",
    ),
    "jira": three(files.JIRA.encode, files.JIRA_AWKWARD.encode, b"h1. One\n\n" + b"{color:red}a " * 50, 3),
    "textile": three(
        files.TEXTILE.encode, files.TEXTILE_AWKWARD.encode, b"h1. One\n\n" + b"[a " * 500, 3, lost="SCRIPT_REMOVED"
    ),
    "man": three(
        files.MAN.encode,
        files.MAN_AWKWARD.encode,
        b".TH A 1\n" + b".RS\n" * 100,
        62,
        lost="CONTENT_DROPPED REMOTE_RESOURCE_BLOCKED",
    ),
    "fb2": three(files.FB2.encode, files.FB2_AWKWARD, b"<html><body>One</body></html>", 1),
    "opml": three(
        files.OPML.encode,
        files.OPML_AWKWARD.encode,
        b'<opml version="2.0"><head/></opml>',
        1,
        lost="METADATA_DROPPED SCRIPT_REMOVED",
    ),
}
READERS: Readers = {**documents.READERS, **OWN}


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


_SEEN: dict[str, Callable[[bytes], Seen]] = texts.SEEN | {
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
def _check(source: str, target: str, kind: Kind) -> Check:
    zipped = kind == "ordinary" and _zipped(source, target)
    read = _with_pictures if zipped else _SEEN[target]

    def ordinary(data: bytes) -> None:
        seen = read(data)
        text = seen.text.replace("{,}", ",")
        for each in ["Sales", "1,200"] if target == "pdf" else ["Sales", "Zürich", "東京", "1,200"]:
            assert each in text, each
        if source in OWN and target != "pdf":
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


def _writer(target: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        check = _check(source, target, given.kind)
        if given.kind == "awkward":
            # What the readers of documents lose is told by their own family, format by format.
            return Wanted(check, without=frozenset() if source in OWN else given.codes, more_warnings=True)
        more = target == "pdf" or source not in OWN or (target == "txt" and source in _PICTURED)
        formulas = target in _LINEAR and source in _FORMULAS
        packed = "zip" if _zipped(source, target) else None
        return Wanted(check, output=packed, more_warnings=more or formulas)

    return wanted


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


def _numbers(data: bytes) -> None:
    assert b"\\setcounter{secnumdepth}{5}" in data


VECTORS = (
    *pairs("documents.markup", READERS, {id: _writer(id) for id in _SEEN}),
    take("latex-to-markdown", "a bibliography inside", _CITING, _has_references, citationStyle="ieee"),
    take("markdown-to-latex", "numbered headings", b"# One\n", _numbers, numberSections=True),
)
