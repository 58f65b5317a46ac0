"""PDF to Word: the document read as blocks, and written as a flow of paragraphs or line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from conversions.families.pdf.page.document import Document, ReadOptions, document_of
from conversions.families.pdf.page.lines import Line
from conversions.families.pdf.writers.docx import exact, package
from conversions.families.pdf.writers.docx.body import Body
from conversions.families.pdf.writers.docx.letters import family, notes_xml
from conversions.families.pdf.writers.docx.package import HEAD, NAMESPACES, Relations
from conversions.families.pdf.writers.docx.sections import heads_and_feet, margins_of
from conversions.toolkit.warnings import Warn


class WordOptions(ReadOptions, Protocol):
    """What writing a Word document needs of its options."""

    @property
    def layout(self) -> str: ...
    @property
    def images(self) -> str: ...


def to_docx(source: Path, target: Path, options: WordOptions, warn: Warn) -> None:
    """Write the chosen pages as a Word document."""
    folder = target.with_name("pictures") if options.images == "embed" else None
    flows = options.layout == "flow"
    document = document_of(source, options, warn, folder=folder, drawn_letters=flows, drawn_fields=not flows)
    relations = Relations()
    font = _font(document)
    numbered: list[tuple[int, int]] = []
    parts: dict[str, str] = {}
    twofold = False
    if options.layout == "exact":
        pieces = exact.body_xml(document, relations, font=font)
    else:
        parts, ends, twofold, lost = heads_and_feet(document, relations)
        if lost:
            told = "Heads and feet that differ from those of most pages were left out"
            warn("CONTENT_DROPPED", f"{told}: {lost:,} lines.")
        if document.notes:
            notes = notes_xml(document.notes, size=document.body, font=font)
            parts["footnotes.xml"] = f"{HEAD}<w:footnotes {NAMESPACES}>{notes}</w:footnotes>"
            relations.id("footnotes", "footnotes.xml")
        body = Body(document, relations, font=font, margins=margins_of(document), ends=ends)
        numbered, pieces = body.numbered, body.xml()
    package.write(
        target,
        _whole(pieces),
        relations,
        numbered=numbered,
        parts=parts,
        pictures=document.pictures,
        title=document.title,
        font=font,
        size=document.body or 11,
        headings=_headings(document),
        twofold=twofold,
    )


def _whole(pieces: Iterator[str]) -> Iterator[str]:
    yield f"{HEAD}<w:document {NAMESPACES}><w:body>"
    yield from pieces
    yield "</w:body></w:document>"


def _headings(document: Document) -> dict[int, tuple[float, bool]]:
    """Size and boldness that most headings of each level have."""
    looks: dict[int, Counter[tuple[float, bool]]] = {}
    for block in document.blocks:
        if block.kind == "heading":
            looks.setdefault(block.level, Counter())[min(max(block.size, 4.0), 96.0), block.bold] += 1
    return {level: counts.most_common(1)[0][0] for level, counts in looks.items()}


def _font(document: Document) -> str:
    """The family that most letters have."""
    letters: Counter[str] = Counter()
    for page in document.pages:
        for column in page.columns:
            for line in column:
                if isinstance(line, Line):
                    for span in line.spans:
                        letters[span.style.font] += len(span.text)
    return family(letters.most_common(1)[0][0]) if letters else "Arial"
