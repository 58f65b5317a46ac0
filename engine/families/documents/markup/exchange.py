"""Prepare notebooks, outlines and markup languages for pandoc, and write them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from engine.families.documents import citations, exchange, lost_styles, plain_text
from engine.families.documents.exchange import Prepared, Settings
from engine.families.documents.html_document import HtmlDocument
from engine.families.documents.markup import bounds, covers, includes, notebook, outline, references, table_cells, trees
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import (
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
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

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
"""Macros of mdoc, BSD's alternative language for man pages."""


def convert(source: Path, target: Path, input: Format, output: Format, settings: Settings, warn: Warn) -> Format | None:
    """Write `source` as `target`, whose folder also takes scratch files; a ZIP if there are separate pictures."""
    prepared = _prepare(source, target.parent, input, output, settings, warn)
    made = exchange.write(prepared, target, output, settings, warn)
    lost_styles.report(prepared.path, input, output, warn, kept=False)
    if output is IPYNB:
        _identify(target)
    return made


def to_document(
    source: Path, target: Path, input: Format, output: Format, settings: Settings, warn: Warn
) -> HtmlDocument:
    """`source` as an HTML page with embedded pictures, for an output of HTML or PDF."""
    prepared = _prepare(source, target.parent, input, output, settings, warn)
    return exchange.page(prepared, target, output, settings, warn)


def for_paper(source: Path, target: Path, input: Format, settings: Settings, warn: Warn) -> HtmlDocument:
    """`source` as a page for paper, with formulas as MathML, which the layout draws."""
    prepared = _prepare(source, target.parent, input, PDF, settings, warn)
    return exchange.page(prepared, target, PDF, settings, warn, mathml=True)


def _prepare(source: Path, folder: Path, input: Format, output: Format, settings: Settings, warn: Warn) -> Prepared:
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
            raise Unreadable(
                say("The file is XML, but not {name}.", name=input.name), line=root.sourceline, reason="format"
            )
        bounds.check_references(root)
        if input is FB2:
            covers.to_front(root)
        path.write_bytes(trees.serialized(root))
        return Prepared(path, _TREES[input], input, tuple(arguments))
    if input in _TEXTS:
        text = plain_text.decode(source.read_bytes(), warn, encoding=settings.encoding)
        if input is LATEX:
            text, inside = references.split_bibliography(text)
            if inside:
                (folder / "inside.bib").write_text(inside, "utf-8")
                arguments += [*citations.arguments(settings.citation_style), "--bibliography=inside.bib"]
                arguments.append("--metadata=reference-section-title=References")
        text = includes.without_includes(text, input, warn)
        text = table_cells.filled(text) if input is ASCIIDOC else text
        given, text = text, bounds.bounded(text, input)
        path.write_text(text, "utf-8")
        reader = "mdoc" if input is MAN and _MDOC.search(text) else _TEXTS[input]
        return Prepared(path, reader, input, tuple(arguments), moved=text != given)
    return exchange.prepare(source, folder, input, settings, warn, output=output)


def _described(title: str | None, authors: tuple[str, ...] = ()) -> list[str]:
    named = [f"--metadata=title={title[:_TITLE]}"] if title else []
    return named + [f"--metadata=author={each}" for each in authors]


def _identify(path: Path) -> None:
    """Number the cells of a notebook, which pandoc would name at random."""
    made = json.loads(path.read_bytes())
    for number, cell in enumerate(made["cells"], start=1):
        cell["id"] = f"cell-{number}"
    path.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")
