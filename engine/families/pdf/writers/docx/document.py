"""Convert PDF to Word, as flowing paragraphs or line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from engine.families.pdf.page.document import Document, ReadOptions, document_of
from engine.families.pdf.page.lines import Line
from engine.families.pdf.writers.docx import exact, package
from engine.families.pdf.writers.docx.body import Body
from engine.families.pdf.writers.docx.package import HEAD, NAMESPACES, Relations
from engine.families.pdf.writers.docx.runs import family, notes_xml
from engine.families.pdf.writers.docx.sections import heads_and_feet, margins_of, repeated
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn


class WordOptions(ReadOptions, Protocol):
    """The options needed for writing a Word document."""

    @property
    def layout(self) -> str: ...
    @property
    def images(self) -> str: ...


def to_docx(source: Path, target: Path, options: WordOptions, warn: Warn) -> None:
    """Write the chosen pages as a Word document."""
    folder = target.with_name("pictures") if options.images == "embed" else None
    flows = options.layout == "flow"
    document = document_of(
        source, options, warn, folder=folder, text_in_drawings=flows, drawn_fields=not flows, painted=not flows
    )
    warn.leave_out(each.marker for each in document.blocks if flows and each.marker)  # Word counts items itself
    relations = Relations()
    font = _font(document)
    numbered: list[tuple[int, int]] = []
    parts: dict[str, str] = {}
    twofold = False
    if options.layout == "exact":
        pieces = exact.body_xml(document, relations, font=font)
    else:
        parts, ends, twofold, lost = heads_and_feet(document, relations)
        warn.leave_out(repeated(document))
        if lost:
            message = say("Headers and footers that differ from most pages were left out")
            warn("CONTENT_DROPPED", say("{told}: {lost} lines.", told=message, lost=lost))
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
    """The most common size and weight of each heading level."""
    counts_by_level: dict[int, Counter[tuple[float, bool]]] = {}
    for block in document.blocks:
        if block.kind == "heading":
            counts_by_level.setdefault(block.level, Counter())[min(max(block.size, 4.0), 96.0), block.bold] += 1
    return {level: counts.most_common(1)[0][0] for level, counts in counts_by_level.items()}


def _font(document: Document) -> str:
    """The most common font family."""
    lengths: Counter[str] = Counter()
    for page in document.pages:
        for column in page.columns:
            for line in column:
                if isinstance(line, Line):
                    for span in line.spans:
                        lengths[span.style.font] += len(span.text)
    return family(lengths.most_common(1)[0][0]) if lengths else "Arial"
