"""Markup: notebooks, outlines, and the languages that texts are written in, made ready for pandoc, and written."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from conversions.families.documents import citations, exchange, plain_text
from conversions.families.documents.exchange import Prepared, Settings
from conversions.families.documents.html_document import HtmlDocument
from conversions.families.documents.markup import (
    bounds,
    covers,
    drawn_formulas,
    includes,
    notebook,
    outline,
    references,
    trees,
)
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.formats import (
    ASCIIDOC,
    DOCBOOK,
    FB2,
    IPYNB,
    JIRA,
    LATEX,
    MAN,
    MEDIAWIKI,
    OPML,
    ORG,
    PDF,
    TEXTILE,
    TYPST,
    Format,
)
from conversions.toolkit.warnings import Warn

_TEXTS = {
    LATEX: "latex",
    ORG: "org",
    ASCIIDOC: "asciidoc",
    TYPST: "typst",
    MEDIAWIKI: "mediawiki",
    JIRA: "jira",
    TEXTILE: "textile",
    MAN: "man",
}
_TREES = {DOCBOOK: "docbook", FB2: "fb2"}
_ROOTS = {FB2: {"FictionBook"}}
_TITLE = 300
_MDOC = re.compile(r"^\.Dd(?: |$)", re.MULTILINE)
"""The other macros that manuals are written in, those of BSD."""


def convert(source: Path, target: Path, input: Format, output: Format, settings: Settings, warn: Warn) -> Format | None:
    """Write `source` as `target`, whose folder takes scratch files too; ZIP where pictures are files beside a text."""
    prepared = _prepare(source, target.parent, input, settings, warn)
    made = exchange.write(prepared, target, output, settings, warn)
    if output is IPYNB:
        _identify(target)
    return made


def to_document(
    source: Path, target: Path, input: Format, output: Format, settings: Settings, warn: Warn
) -> HtmlDocument:
    """`source` as a page of HTML with its pictures inside, for an output that is HTML or PDF."""
    prepared = _prepare(source, target.parent, input, settings, warn)
    return exchange.page(prepared, target, output, settings, warn)


def for_paper(
    source: Path, target: Path, input: Format, settings: Settings, warn: Warn, *, boxes: bool
) -> HtmlDocument:
    """`source` as a page that is to be laid out on paper, with its formulas drawn in `boxes`, or on a line."""
    prepared = _prepare(source, target.parent, input, settings, warn)
    made = exchange.page(prepared, target, PDF, settings, warn, mathml=True)
    return replace(made, body=drawn_formulas.drawn(made.body, boxes=boxes))


def _prepare(source: Path, folder: Path, input: Format, settings: Settings, warn: Warn) -> Prepared:
    path = folder / "prepared.txt"
    arguments = [f"--metadata=lang={settings.language}"] if settings.language else []
    if input is IPYNB:
        read = notebook.read(source.read_bytes(), warn, outputs=settings.cell_outputs == "keep")
        path.write_text(read.body, "utf-8")
        arguments += _described(read.title, read.authors)
        return Prepared(path, "html", input, tuple(arguments))
    if input is OPML:
        body, title = outline.read(source.read_bytes(), warn)
        path.write_text(body, "utf-8")
        return Prepared(path, "html", input, (*arguments, *_described(title)))
    if input in _TREES:
        root = trees.parse(source.read_bytes(), warn)
        name = root.tag.rpartition("}")[2]
        if name not in _ROOTS.get(input, {name}) or name == "html":
            raise Unreadable(f"The file is XML, but not {input.name}.", line=root.sourceline)
        if input is FB2:
            covers.to_front(root)
        path.write_bytes(trees.serialized(root))
        return Prepared(path, _TREES[input], input, tuple(arguments))
    if input in _TEXTS:
        text = plain_text.decode(source.read_bytes(), warn, encoding=settings.encoding)
        if input is LATEX:
            text, inside = references.taken_out(text)
            if inside:
                (folder / "inside.bib").write_text(inside, "utf-8")
                arguments += [*citations.arguments(settings.citation_style), "--bibliography=inside.bib"]
                arguments.append("--metadata=reference-section-title=References")
        text = includes.taken_out(text, input, warn)
        given, text = text, bounds.settled(text, input)
        path.write_text(text, "utf-8")
        reader = "mdoc" if input is MAN and _MDOC.search(text) else _TEXTS[input]
        return Prepared(path, reader, input, tuple(arguments), bounds.seconds(text), text != given)
    return exchange.prepare(source, folder, input, settings, warn)


def _described(title: str | None, authors: tuple[str, ...] = ()) -> list[str]:
    named = [f"--metadata=title={title[:_TITLE]}"] if title else []
    return named + [f"--metadata=author={each}" for each in authors]


def _identify(path: Path) -> None:
    """Number the cells of a notebook, which pandoc gives names by chance."""
    made = json.loads(path.read_bytes())
    for number, cell in enumerate(made["cells"], start=1):
        cell["id"] = f"cell-{number}"
    path.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")
