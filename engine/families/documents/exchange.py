"""Convert any document format to any other, by way of HTML if the output is HTML or PDF."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, AnyStr, Literal

from engine.families.documents import (
    book_parts,
    commonmark,
    emphasis,
    form_values,
    heading_names,
    lost_styles,
    office_parts,
    other_markdown,
    pandoc,
    plain_text,
    repairs,
    restructured,
    rtf,
    rtf_fields,
    rtf_tables,
    ruby,
    safe_html,
)
from engine.families.documents.html_document import HtmlDocument, plain
from engine.families.documents.ooxml import prefixes
from engine.families.documents.ooxml.package import Package
from engine.families.documents.rich_text.document import opened
from engine.families.documents.style_transfer import (
    book,
    heads_reading,
    open_document,
    open_document_reading,
    reading,
    rich_text,
    rich_text_reading,
    word,
)
from engine.families.documents.style_transfer.marks import Marks, marked
from engine.families.documents.word import hidden_text
from engine.families.documents.word.styles import Styles
from engine.families.documents.word.theme import Theme
from engine.toolkit import archive, encodings
from engine.toolkit.controls import without_controls
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import (
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
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

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
"""Formats that reference pictures without a folder, as attachments of the page."""
_WRITERS_OF_STYLES: dict[Format, Callable[[Path, Marks], None]] = {
    DOCX: word.apply,
    EPUB: book.apply,
    ODT: open_document.apply,
    RTF: rich_text.apply,
}
_READERS_OF_STYLES: dict[Format, Callable[[Path, Path, Marks], None]] = {
    DOCX: reading.marked,
    ODT: open_document_reading.marked,
    RTF: rich_text_reading.marked,
}
_STYLED = {
    (HTML, DOCX),
    *((source, target) for source in _READERS_OF_STYLES for target in _WRITERS_OF_STYLES if source is not target),
}
"""Pairs that transfer styles, as marks in the text that pandoc carries."""
_HEADED = {(DOCX, ODT), (DOCX, RTF), (RTF, ODT)}
"""Pairs that transfer headers and footers as well."""
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
_HIDES = re.compile(rb"\\v(?![a-z0])")
_MAX_INDENTS = 60
_PICTURES = "pictures"


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
    """Input for pandoc: `path`, its `reader`, further `arguments`, and a time limit of `seconds`, if any.

    Noncharacter marks may be `moved` to the private use area.
    """

    path: Path
    reader: str
    input: Format
    arguments: tuple[str, ...] = ()
    seconds: float | None = None
    moved: bool = False


def convert(source: Path, target: Path, input: Format, output: Format, settings: Settings, warn: Warn) -> Format | None:
    """Write `source` as `target`, whose folder is also used for scratch files; a ZIP if there are separate picture
    files."""
    marks = Marks() if (input, output) in _STYLED else None
    headed = (input, output) in _HEADED
    prepared = prepare(source, target.parent, input, settings, warn, marks, headed=headed)
    if marks is not None and headed:
        document = opened(source, Warn()) if input is RTF else Package(source)
        marks.heads = heads_reading.read(document, settings.track_changes, warn)
    made = write(prepared, target, output, settings, warn)
    if marks is not None and marks.is_needed:
        _WRITERS_OF_STYLES[output](target, marks)
    if marks is None or input is not HTML:
        lost_styles.report(prepared.path, input, output, warn, kept=marks is not None)
    return made


def write(prepared: Prepared, target: Path, output: Format, settings: Settings, warn: Warn) -> Format | None:
    """Write the `prepared` input as `target`; a ZIP if there are separate picture files."""
    arguments = [*prepared.arguments, *_writing(target.parent, output, settings)]
    if settings.title:
        arguments.append(f"--metadata=title-option={without_controls(settings.title)}")
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
    """`source` as an HTML page with embedded pictures, for an output of HTML or PDF."""
    return page(prepare(source, target.parent, input, settings, warn), target, output, settings, warn)


def page(
    prepared: Prepared, target: Path, output: Format, settings: Settings, warn: Warn, *, mathml: bool = False
) -> HtmlDocument:
    """The `prepared` input as an HTML page with embedded pictures, for an output of HTML or PDF.

    Formulas are MathML in HTML, and in a PDF if `mathml`, else text.
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
    data = prepared.path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    pandoc.run(
        prepared.path,
        target,
        reader=heading_names.reader(prepared.reader, data, warn),
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
    """Prepare `source` for pandoc: text as safe UTF-8, office files after checks.

    With `marks`, style marks are inserted into the text of an HTML page or Word document. Headers and footers are
    reported as left out unless they are transferred separately (`headed`).
    """
    metadata = {"lang": settings.language}
    prepared, read_as = source, input
    if input in (HTML, TXT, MARKDOWN, RST):
        data = source.read_bytes()
        declared = encodings.declared_in_html(data) if input is HTML else None
        text = plain_text.decode(data, warn, encoding=settings.encoding, declared=declared)
        if input is HTML:
            metadata |= {"title": safe_html.title(text), "lang": settings.language or safe_html.language(text)}
            text = safe_html.clean(text if marks is None else marked(text, marks, warn), warn, styled=marks is not None)
            text = _with_readings(ruby.in_html(form_values.boxes(text)), warn)
        elif input is TXT:
            text = plain_text.to_html(text, preformatted=settings.layout == "preformatted")
        elif input is MARKDOWN:
            front, text = commonmark.split(text)
            if front.others:
                warn(
                    "METADATA_DROPPED",
                    say("Front matter fields were left out: {others}.", others=", ".join(front.others[:20])),
                )
            commonmark.check_depth(text)
            shown = commonmark.unsafe(text)
            other_markdown.name(shown, warn, read=True)
            if emphasis.is_heavy(text):
                text, read_as = form_values.boxes(safe_html.clean(shown, warn)), HTML
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
        prepared = _office(source, folder, input, warn)
        if marks is not None:
            marked_copy = folder / f"marked.{input.extension}"
            _READERS_OF_STYLES[input](prepared, marked_copy, marks)
            prepared = marked_copy
    arguments = [f"--metadata={name}={value}" for name, value in metadata.items() if value]
    arguments += [f"--track-changes={settings.track_changes}"] if input is DOCX else []
    return Prepared(prepared, _READERS[read_as], input, tuple(arguments))


def _office(source: Path, folder: Path, input: Format, warn: Warn) -> Path:
    prepared = folder / f"prepared.{input.extension}"
    if input is RTF:
        data, replaced = rtf.to_utf8(source.read_bytes())
        if _HIDES.search(data):
            _report_hidden(source, warn)
        data, nested = rtf_tables.flatten(rtf_fields.simplified(data))
        data = _with_readings(ruby.in_rtf(data), warn)
        if nested:
            warn(
                "VALUE_CONVERTED",
                say("{nested} rows of tables inside table cells became lines of text.", nested=nested),
            )
        if replaced:
            warn(
                "ENCODING_REPLACED",
                say("{replaced} characters could not be read and became U+FFFD.", replaced=replaced),
            )
        prepared.write_bytes(data)
        return prepared
    if input in (DOCX, ODT):
        made = repairs.repair(source, prepared, office_parts.text_part(source, input), warn)
        if made is None:
            return source
        boxes, readings = made
        if boxes:
            warn(
                "VALUE_CONVERTED",
                say("{boxes} text boxes were moved after the paragraphs that they belong to.", boxes=boxes),
            )
        warn.tally(ruby.BEHIND, readings)
        return prepared
    if input is EPUB and book_parts.rewritten(source, prepared):
        return prepared
    return source


def _report_hidden(source: Path, warn: Warn) -> None:
    """Warn of the hidden text of an RTF document, which pandoc leaves out."""
    document = opened(source, Warn())
    main, sheet = document.main() or "", document.related(document.main() or "", "styles")
    styles = Styles(None if sheet is None else document.xml(sheet), Theme(None))
    hidden_text.report(hidden_text.leave_out(document.xml(main), styles), warn)


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
            raise Unreadable(
                say("The text is indented more than {max_indents} levels deep.", max_indents=_MAX_INDENTS), line=number
            )


def pack(target: Path, name: str, pictures: Path) -> Format:
    """Replace `target` by a ZIP of it and the pictures it references."""
    text = target.rename(target.with_name(name))
    numbered = sorted(pictures.iterdir(), key=lambda each: (int(re.sub(r"\D", "", each.stem) or 0), each.name))
    archive.pack(target, [(name, text), *((f"{_PICTURES}/{each.name}", each) for each in numbered)])
    return ZIP
