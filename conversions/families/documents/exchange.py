"""Documents: any of the text formats to any other, as pages of HTML in between where the output is HTML or PDF."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, AnyStr, Literal

from conversions.families.documents import (
    book_paths,
    commonmark,
    looks_left,
    office_parts,
    pandoc,
    plain_text,
    repairs,
    rtf,
    rtf_fields,
    rtf_tables,
    ruby,
    safe_html,
)
from conversions.families.documents.dressing import (
    book,
    heads_reading,
    open_document,
    open_document_reading,
    reading,
    rich_text,
    rich_text_reading,
    word,
)
from conversions.families.documents.dressing.marks import Marks, marked
from conversions.families.documents.html_document import HtmlDocument, plain
from conversions.families.documents.ooxml import prefixes
from conversions.families.documents.ooxml.package import Package
from conversions.families.documents.rich_text.document import opened
from conversions.toolkit import archive, encodings
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.formats import (
    ASCIIDOC,
    DOCBOOK,
    DOCX,
    EPUB,
    FB2,
    HTML,
    IPYNB,
    JIRA,
    LATEX,
    MARKDOWN,
    MEDIAWIKI,
    ODT,
    OPML,
    ORG,
    RST,
    RTF,
    TXT,
    TYPST,
    ZIP,
    Format,
)
from conversions.toolkit.warnings import Warn

_READERS = {
    HTML: "html",
    TXT: "html",
    MARKDOWN: "gfm-yaml_metadata_block",
    RST: "rst",
    DOCX: "docx",
    ODT: "odt",
    RTF: "rtf",
    EPUB: "epub",
}
_WRITERS = {
    MARKDOWN: "gfm",
    RST: "rst",
    TXT: "plain",
    DOCX: "docx",
    ODT: "odt",
    RTF: "rtf",
    EPUB: "epub3",
    LATEX: "latex",
    ORG: "org",
    ASCIIDOC: "asciidoc",
    TYPST: "typst",
    DOCBOOK: "docbook5",
    MEDIAWIKI: "mediawiki",
    JIRA: "jira",
    FB2: "fb2",
    IPYNB: "ipynb",
    OPML: "opml",
}
_WHOLE = {LATEX, ORG, ASCIIDOC, TYPST, DOCBOOK, FB2, IPYNB, OPML}
_ATTACHED = {JIRA, MEDIAWIKI}
"""Where a picture is named without a folder: it is attached to the page."""
_DRESSES: dict[Format, Callable[[Path, Marks], None]] = {
    DOCX: word.dress,
    EPUB: book.dress,
    ODT: open_document.dress,
    RTF: rich_text.dress,
}
_TOLD: dict[Format, Callable[[Path, Path, Marks], None]] = {
    DOCX: reading.marked,
    ODT: open_document_reading.marked,
    RTF: rich_text_reading.marked,
}
_DRESSED = {(HTML, DOCX), *((source, target) for source in _TOLD for target in _DRESSES if source is not target)}
"""Where looks go along, as marks in the text that pandoc carries."""
_HEADED = {(DOCX, ODT), (DOCX, RTF), (RTF, ODT)}
"""Where heads and feet of pages go along, too."""
_PAGE = "html5"
_MARK = "\x1e"
_BYLINE = "$for(author)$$author$$sep$, $endfor$"
_BELOW = f"$if(subtitle)$$subtitle$\n\n$endif$$if(author)${_BYLINE}\n\n$endif$$if(date)$$date$\n\n$endif$"
_TEMPLATES = {
    MARKDOWN: f"$if(shown)$# $title$\n\n{_BELOW}$if(abstract)$$abstract$\n\n$endif$$endif$$body$\n",
    TXT: f"$if(shown)$$title$\n\n{_BELOW}$if(abstract)$$abstract$\n\n$endif$$endif$$body$\n",
    JIRA: f"$if(shown)$h1. $title$\n\n{_BELOW}$if(abstract)$$abstract$\n\n$endif$$endif$$body$\n",
    MEDIAWIKI: (
        f"$if(shown)$= $title$ =\n\n{_BELOW}$if(abstract)$$abstract$\n\n$endif$$endif$"
        "$if(toc)$__TOC__\n\n$endif$$body$\n"
    ),
    RST: f"$if(shown)$$titleblock$\n\n{_BELOW}$if(abstract)$$abstract$\n\n$endif$$endif$$body$\n",
}
_PAGE_TEMPLATE = (
    f"$for(author)$$author${_MARK}$endfor${_MARK}$title${_MARK}$lang${_MARK}$if(toc)$<nav>\n$toc$\n</nav>\n$endif$"
    "$if(shown)$<h1>$title$</h1>\n$if(subtitle)$<p>$subtitle$</p>\n$endif$"
    f"$if(author)$<p>{_BYLINE}</p>\n$endif$$if(date)$<p>$date$</p>\n$endif$"
    "$if(abstract)$<div>\n$abstract$\n</div>\n$endif$$endif$$body$\n"
)
_MAX_INDENTS = 60
_PICTURES = "pictures"


@dataclass(frozen=True)
class Settings:
    """All that can be set for any pair of formats; each pair declares those of these options that make sense for it."""

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
    def of(cls, options: Any) -> Settings:
        """The settings that a pair's own options hold, the rest as they are by default."""
        names = [each.name for each in fields(cls)]
        return cls(**{name: getattr(options, name) for name in names if hasattr(options, name)})


@dataclass(frozen=True)
class Prepared:
    """What pandoc reads: `path` by its `reader`, with further `arguments`, in `seconds` at most if they are given.

    Marks that are no markup may be `moved` to the area of private use.
    """

    path: Path
    reader: str
    input: Format
    arguments: tuple[str, ...] = ()
    seconds: float | None = None
    moved: bool = False


def convert(source: Path, target: Path, input: Format, output: Format, settings: Settings, warn: Warn) -> Format | None:
    """Write `source` as `target`, whose folder takes scratch files too; ZIP where pictures are files beside a text."""
    marks = Marks() if (input, output) in _DRESSED else None
    headed = (input, output) in _HEADED
    prepared = prepare(source, target.parent, input, settings, warn, marks, headed=headed)
    if marks is not None and headed:
        document = opened(source, Warn()) if input is RTF else Package(source)
        marks.heads = heads_reading.read(document, settings.track_changes, warn)
    made = write(prepared, target, output, settings, warn)
    if marks is not None and marks.say_anything:
        _DRESSES[output](target, marks)
    if marks is None or input is not HTML:
        looks_left.name(prepared.path, input, output, warn, kept=marks is not None)
    return made


def write(prepared: Prepared, target: Path, output: Format, settings: Settings, warn: Warn) -> Format | None:
    """Write what is `prepared` as `target`; ZIP where pictures are files beside a text."""
    arguments = [*prepared.arguments, *_writing(target.parent, output, settings)]
    if settings.title:
        arguments.append(f"--metadata=title-option={settings.title}")
    pictures = target.parent / _PICTURES
    _run(prepared, target, _WRITERS[output], arguments, output, settings, warn)
    if pictures.is_dir():
        if output in _ATTACHED:
            target.write_text(target.read_text("utf-8").replace(f"{_PICTURES}/picture-", "picture-"), "utf-8")
        return pack(target, f"document.{output.extension}", pictures)
    return None


def to_document(
    source: Path, target: Path, input: Format, output: Format, settings: Settings, warn: Warn
) -> HtmlDocument:
    """`source` as a page of HTML with its pictures inside, for an output that is HTML or PDF."""
    return page(prepare(source, target.parent, input, settings, warn), target, output, settings, warn)


def page(
    prepared: Prepared, target: Path, output: Format, settings: Settings, warn: Warn, *, mathml: bool = False
) -> HtmlDocument:
    """What is `prepared` as a page of HTML with its pictures inside, for an output that is HTML or PDF.

    Its formulas are MathML in HTML, and in a PDF if `mathml`, and else text.
    """
    body = target.with_name("body.html")
    arguments = [*prepared.arguments, *_template(target.parent, _PAGE_TEMPLATE), "--wrap=none"]
    arguments += ["--syntax-highlighting=none"]
    if output is HTML or mathml:
        arguments += ["--mathml" if settings.math_format == "mathml" else "--mathjax"]
    arguments += ["--toc"] if settings.table_of_contents else []
    arguments += ["--number-sections"] if settings.number_sections else []
    _run(prepared, body, _PAGE, arguments, output, settings, warn)
    *authors, title, language, markup = body.read_text("utf-8").split(_MARK)
    return HtmlDocument(
        markup.lstrip("\n"),
        title=plain(title) or None,
        language=plain(language) or None,
        authors=tuple(plain(each) for each in authors if each.strip()),
    )


def _run(
    prepared: Prepared,
    target: Path,
    writer: str,
    arguments: list[str],
    output: Format,
    settings: Settings,
    warn: Warn,
) -> None:
    digest = hashlib.sha256(prepared.path.read_bytes()).hexdigest()
    pandoc.run(
        prepared.path,
        target,
        reader=prepared.reader,
        writer=writer,
        arguments=arguments,
        environment={
            "DOCUMENT_INPUT": prepared.input.id,
            "DOCUMENT_OUTPUT": output.id,
            "DOCUMENT_PICTURES": settings.pictures,
            "DOCUMENT_MARKS": "moved" if prepared.moved else "",
            "DOCUMENT_REFERENCES": "set" if "--citeproc" in arguments else "",
            "DOCUMENT_ID": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
        },
        seconds=prepared.seconds,
        warn=warn,
    )


def prepare(
    source: Path,
    folder: Path,
    input: Format,
    settings: Settings,
    warn: Warn,
    marks: Marks | None = None,
    *,
    headed: bool = False,
) -> Prepared:
    """What pandoc reads in place of `source`: text as safe UTF-8, office files as they are once they are checked.

    With `marks`, a page of HTML or a Word document has them in its text. Heads and feet of pages are told as left out
    unless they are carried apart from it (`headed`).
    """
    metadata = {"lang": settings.language}
    prepared = source
    if input in (HTML, TXT, MARKDOWN, RST):
        data = source.read_bytes()
        declared = encodings.declared_in_html(data) if input is HTML else None
        text = plain_text.decode(data, warn, encoding=settings.encoding, declared=declared)
        if input is HTML:
            metadata |= {"title": safe_html.title(text), "lang": settings.language or safe_html.language(text)}
            text = safe_html.clean(text if marks is None else marked(text, marks, warn), warn, styled=marks is not None)
            text = _with_readings(ruby.in_html(text), warn)
        elif input is TXT:
            text = plain_text.to_html(text, preformatted=settings.layout == "preformatted")
        elif input is MARKDOWN:
            front, text = commonmark.split(text)
            if front.others:
                warn("METADATA_DROPPED", f"Front matter fields were left out: {', '.join(front.others[:20])}.")
            commonmark.check_depth(text)
            metadata |= {"title": front.title, "author": front.author, "lang": settings.language or front.language}
        else:
            _check_indents(text)
        prepared = folder / "prepared.txt"
        prepared.write_text(text, "utf-8")
    else:
        if input is DOCX and prefixes.settled(source, spelled := folder / "spelled.docx"):
            source = spelled
        office_parts.inspect(source, input, warn, track_changes=settings.track_changes, headed=headed)
        prepared = _office(source, folder, input, warn)
        if marks is not None:
            told = folder / f"marked.{input.extension}"
            _TOLD[input](prepared, told, marks)
            prepared = told
    arguments = [f"--metadata={name}={value}" for name, value in metadata.items() if value]
    arguments += [f"--track-changes={settings.track_changes}"] if input is DOCX else []
    return Prepared(prepared, _READERS[input], input, tuple(arguments))


def _office(source: Path, folder: Path, input: Format, warn: Warn) -> Path:
    prepared = folder / f"prepared.{input.extension}"
    if input is RTF:
        data, replaced = rtf.to_utf8(source.read_bytes())
        data, nested = rtf_tables.flatten(rtf_fields.settled(data))
        data = _with_readings(ruby.in_rtf(data), warn)
        if nested:
            warn("VALUE_CONVERTED", f"{nested:,} rows of tables inside of table cells became lines of text.")
        if replaced:
            warn("ENCODING_REPLACED", f"{replaced:,} characters could not be read and became U+FFFD.")
        prepared.write_bytes(data)
        return prepared
    if input in (DOCX, ODT):
        made = repairs.release(source, prepared, office_parts.text_part(source, input))
        if made is None:
            return source
        boxes, readings = made
        if boxes:
            warn("VALUE_CONVERTED", f"{boxes:,} text boxes were moved after the paragraphs that they belong to.")
        warn.tally(ruby.BEHIND, readings)
        return prepared
    if input is EPUB and book_paths.settled(source, prepared):
        return prepared
    return source


def _with_readings(made: tuple[AnyStr, int], warn: Warn) -> AnyStr:
    text, count = made
    warn.tally(ruby.BEHIND, count)
    return text


def _template(folder: Path, text: str) -> list[str]:
    path = folder / "template.txt"
    path.write_text(text, "utf-8")
    return ["--standalone", f"--template={path.name}"]


def _writing(folder: Path, output: Format, settings: Settings) -> list[str]:
    chosen = ["--toc"] if settings.table_of_contents else []
    chosen += ["--number-sections"] if settings.number_sections else []
    chosen += ["--mathml"] if output in (EPUB, DOCBOOK) else []
    if output in (DOCX, ODT, RTF, EPUB):
        return ["--standalone", *chosen]
    if output in _WHOLE:
        chosen += ["--wrap=none", "--syntax-highlighting=idiomatic"]
        chosen += ["--standalone"] if settings.standalone else []
        contained = output in (FB2, IPYNB, OPML) or settings.pictures != "files"
        return chosen + ([] if contained else [f"--extract-media={_PICTURES}"])
    wrap = [f"--columns={settings.line_width}", "--wrap=auto"] if settings.line_width else ["--wrap=none"]
    files = [f"--extract-media={_PICTURES}"] if output is not TXT and settings.pictures == "files" else []
    return chosen + wrap + files + _template(folder, _TEMPLATES[output])


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
            raise Unreadable(f"The text is indented more than {_MAX_INDENTS} levels deep.", line=number)


def pack(target: Path, name: str, pictures: Path) -> Format:
    """Replace `target` by a ZIP of it and of the pictures that it shows."""
    text = target.rename(target.with_name(name))
    numbered = sorted(pictures.iterdir(), key=lambda each: (int(re.sub(r"\D", "", each.stem) or 0), each.name))
    archive.pack(target, [(name, text), *((f"{_PICTURES}/{each.name}", each) for each in numbered)])
    return ZIP
