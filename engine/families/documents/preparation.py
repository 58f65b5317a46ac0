"""Prepare a document of any format for pandoc: text as safe UTF-8, office files after checks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, AnyStr, Literal

from engine.families.documents import (
    book_parts,
    commonmark,
    directives,
    emphasis,
    form_values,
    list_numbers,
    metafile_pictures,
    notes,
    office_parts,
    other_markdown,
    plain_text,
    repairs,
    restructured,
    ruby,
    safe_html,
)
from engine.families.documents.dialect import written
from engine.families.documents.dialect.reading import READER, Dialect
from engine.families.documents.html_document import with_anchors
from engine.families.documents.ooxml import prefixes
from engine.families.documents.rich_text import document as rich_text
from engine.families.documents.style_transfer import open_document_reading, reading
from engine.families.documents.style_transfer.marks import Marks, marked
from engine.families.documents.word import written_charts
from engine.toolkit import encodings
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.formats import DOCX, EPUB, HTML, MARKDOWN, ODT, PDF, RST, RTF, TXT, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_READERS = {
    HTML: "html",
    TXT: "html",
    MARKDOWN: READER,
    RST: "rst",
    DOCX: "docx",
    ODT: "odt",
    EPUB: "epub",
}
READERS_OF_STYLES: dict[Format, Callable[[Path, Path, Marks], None]] = {
    DOCX: reading.marked,
    ODT: open_document_reading.marked,
    RTF: reading.marked,
}
_WITH_METAFILES = (DOCX, ODT, RTF, TXT)
"""Outputs that keep metafiles as they are, or have no pictures."""
_PACKED = (DOCX, ODT, EPUB)
_PICTURED = (DOCX, ODT, RTF, EPUB, HTML, PDF)
_SMALL = 100_000
"""Bytes of a packed document, which has the time of a text of as many: one of 99 KB with 9,000 links takes 2.9 s.

A larger one has twice the time of a text for what it has more.
"""
_MAX_INDENTS = 60
_MOST_BLOCKS = 500_000
"""The maximum paragraphs, list items and table cells of a page: pandoc takes 66 µs and 3.6 KB for each list item, and
1.2 million of them took 58 s of processor time before its memory ran out."""
_BLOCK = re.compile(r"<(?:p|li|h[1-6]|t[dh]|d[td]|pre|blockquote|hr|div)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Settings:
    """All settings of any pair of formats; each pair declares the options that apply to it."""

    encoding: str | None = None
    layout: Literal["paragraphs", "preformatted"] = "paragraphs"
    track_changes: Literal["accept", "reject", "all"] = "accept"
    title: str | None = None
    language: str | None = None
    table_of_contents: bool = False
    pictures: Literal["files", "embed", "drop"] = "files"
    line_width: int = 0
    number_sections: bool = False
    math_format: Literal["mathml", "tex"] = "mathml"
    standalone: bool = True
    cell_outputs: Literal["keep", "drop"] = "keep"
    citation_style: str = "chicago"

    @classmethod
    def from_options(cls, options: Any) -> Settings:
        """The settings in a pair's own options, with defaults for the rest."""
        names = [each.name for each in fields(cls)]
        return cls(**{name: getattr(options, name) for name in names if hasattr(options, name)})


@dataclass(frozen=True)
class Prepared:
    """Input for pandoc: `path`, its `reader`, further `arguments`, and the `size` that its time depends on.

    Without one, that is the size of the path. Noncharacter marks may be `moved` to the private use area.
    """

    path: Path
    reader: str
    input: Format
    arguments: tuple[str, ...] = ()
    size: int | None = None
    moved: bool = False


def prepare(
    source: Path,
    folder: Path,
    input: Format,
    settings: Settings,
    warn: Warn,
    marks: Marks | None = None,
    *,
    headed: bool = False,
    output: Format,
) -> Prepared:
    """Prepare `source` for pandoc: text as safe UTF-8, office files after checks.

    With `marks`, style marks are inserted into the text of an HTML page or Word document. Headers and footers are
    reported as left out unless they are transferred separately (`headed`). Charts are pictures for an `output` that
    shows pages, else tables of their data.
    Metafiles become SVG for an `output` that has no place for them.
    """
    metadata: dict[str, str | None] = {"lang": settings.language}
    given = source
    size = _packed_size(given) if input in _PACKED else given.stat().st_size
    if input is RTF:
        source, input = folder / "read.docx", DOCX
        named = rich_text.to_docx(given, source, warn)
        metadata |= {
            "subject": named.subject,
            "file-title": named.title,
            "file-author": named.author,
            "file-shown": "yes" * named.shown,
        }
        if marks is not None:
            marks.bylined, marks.titled = not named.author, named.shown or not named.title or bool(settings.title)
    filters: tuple[str, ...] = ()
    prepared, read_as = source, input
    if input in (HTML, TXT, MARKDOWN, RST):
        data = source.read_bytes()
        declared = encodings.declared_in_html(data) if input is HTML else None
        text = plain_text.decode(data, warn, encoding=settings.encoding, declared=declared)
        if input is HTML:
            _check_blocks(text)
            metadata |= {"title": safe_html.title(text), "lang": settings.language or safe_html.language(text)}
            text = safe_html.clean(text if marks is None else marked(text, marks, warn), warn, styled=marks is not None)
            text = _numbered(_with_readings(ruby.in_html(form_values.boxes(text)), warn), warn)
        elif input is TXT:
            text = plain_text.to_html(text, preformatted=settings.layout == "preformatted")
            _check_blocks(text)
        elif input is MARKDOWN:
            front, text = commonmark.split(text)
            if front.others:
                warn(
                    "METADATA_DROPPED",
                    say("Front matter fields were left out: {others}.", others=", ".join(front.others[:20])),
                )
            commonmark.check_depth(text)
            known = directives.read(text)
            known.report(warn)
            dialect = Dialect(known.text)
            text, shown = dialect.text, commonmark.unsafe(dialect.text)
            _check_blocks(shown)
            other_markdown.name(written.blocks(shown), warn, known.shown, text)
            if emphasis.is_heavy(text) or notes.in_markdown(text):
                body = dialect.in_html(safe_html.clean(shown, warn), warn, with_anchors)
                text, read_as = form_values.boxes(body), HTML
            else:
                filters = dialect.arguments(folder)
            metadata |= {"title": front.title, "author": front.author, "lang": settings.language or front.language}
        else:
            _check_indents(text)
            restructured.check(text)
        prepared = folder / "prepared.txt"
        prepared.write_text(text, "utf-8")
    else:
        if input is DOCX and prefixes.normalised(source, spelled := folder / "spelled.docx"):
            source = spelled
        office_parts.inspect(source, input, warn, track_changes=settings.track_changes, headed=headed)
        if input is DOCX:
            part, charted = office_parts.text_part(source, input), folder / "charted.docx"
            if written_charts.written(source, charted, part, warn, pictures=output in _PICTURED):
                source = charted
        prepared = _office(source, folder, input, warn, numbered=not settings.number_sections, capitals=marks is None)
        if input in (DOCX, ODT) and output not in _WITH_METAFILES and settings.pictures != "drop":
            drawn = folder / f"drawn.{input.extension}"
            prepared = drawn if metafile_pictures.replaced(prepared, drawn, warn) else prepared
        if marks is not None:
            marked_copy = folder / f"marked.{input.extension}"
            READERS_OF_STYLES[input](prepared, marked_copy, marks)
            prepared = marked_copy
    arguments = [f"--metadata={name}={value}" for name, value in metadata.items() if value]
    arguments += [f"--track-changes={settings.track_changes}"] if input is DOCX else []
    return Prepared(prepared, _READERS[read_as], input, (*arguments, *filters), size)


def _packed_size(source: Path) -> int:
    """The size by which the time of a packed document is limited: a small one may unpack to much, up to a point."""
    return max(_SMALL, 2 * source.stat().st_size - _SMALL)


def _office(source: Path, folder: Path, input: Format, warn: Warn, *, numbered: bool, capitals: bool) -> Path:
    prepared = folder / f"prepared.{input.extension}"
    if input in (DOCX, ODT):
        part = office_parts.text_part(source, input)
        if input is DOCX:
            notes.check_word(source, part)
        made = repairs.repair(source, prepared, part, warn, numbered=numbered, capitals=capitals)
        if made is None:
            return source
        boxes, readings = made
        if boxes:
            warn(
                "VALUE_CONVERTED",
                say("{boxes} text boxes were moved after their paragraphs.", boxes=boxes),
            )
        warn.tally(ruby.BEHIND, readings)
        return prepared
    if input is EPUB and book_parts.rewritten(source, prepared, warn):
        return prepared
    return source


def _with_readings(made: tuple[AnyStr, int], warn: Warn) -> AnyStr:
    text, count = made
    warn.tally(ruby.BEHIND, count)
    return text


def _check_blocks(markup: str) -> None:
    """Raise OverLimit for a page with more blocks than pandoc can read in its time and memory."""
    for number, _ in enumerate(_BLOCK.finditer(markup), start=1):
        if number > _MOST_BLOCKS:
            raise OverLimit("limit", "The document has too many paragraphs, list items or table cells.")


def _check_indents(text: str) -> None:
    deepest = 0
    levels: list[int] = []
    for number, line in enumerate(text.expandtabs(8).split("\n"), start=1):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip(" "))
        while levels and levels[-1] >= indent:
            levels.pop()
        levels.append(indent)
        deepest = max(deepest, len(levels))
        if deepest > _MAX_INDENTS:
            raise Unreadable(
                say("The text is indented more than {max_indents} levels deep.", max_indents=_MAX_INDENTS),
                line=number,
                reason="limit",
            )


def _numbered(markup: str, warn: Warn) -> str:
    text, lost = list_numbers.split(markup)
    warn.tally(list_numbers.RENUMBERED, lost)
    return text
