"""Convert any document format to any other, by way of HTML if the output is HTML or PDF."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable
from pathlib import Path

from engine.families.documents import heading_names, inner_lists, lost_styles, pandoc, xml_characters
from engine.families.documents.html_document import HtmlDocument, plain
from engine.families.documents.ooxml.package import Package
from engine.families.documents.preparation import READERS_OF_STYLES, Prepared, Settings, prepare
from engine.families.documents.style_transfer import book, heads_reading, open_document, rich_text, word
from engine.families.documents.style_transfer.marks import Marks
from engine.toolkit import archive
from engine.toolkit.controls import without_controls
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
from engine.toolkit.warnings import Warn

__all__ = ["Prepared", "Settings", "convert", "pack", "page", "prepare", "to_document", "write"]

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
_STYLED = {
    (HTML, DOCX),
    *((source, target) for source in READERS_OF_STYLES for target in _WRITERS_OF_STYLES if source is not target),
}
"""Pairs that transfer styles, as marks in the text that pandoc carries."""
_HEADED = {(DOCX, ODT), (DOCX, RTF), (RTF, ODT)}
"""Pairs that transfer headers and footers as well."""
_PAGE = "html5"
_MARK = "\x1e"
_BYLINE = "$for(author)$$author$$sep$, $endfor$"
_DATES = "$for(date)$$date$$sep$, $endfor$"
_BELOW = f"$if(subtitle)$$subtitle$\n\n$endif$$if(author)${_BYLINE}\n\n$endif$$if(date)${_DATES}\n\n$endif$"
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
    f"$if(author)$<p>{_BYLINE}</p>\n$endif$$if(date)$<p>{_DATES}</p>\n$endif$"
    "$if(abstract)$<div>\n$abstract$\n</div>\n$endif$$endif$$body$\n"
)
_PICTURES = "pictures"


def convert(source: Path, target: Path, input: Format, output: Format, settings: Settings, warn: Warn) -> Format | None:
    """Write `source` as `target`, whose folder is also used for scratch files; a ZIP if there are separate picture
    files."""
    marks = Marks() if (input, output) in _STYLED else None
    headed = (input, output) in _HEADED
    prepared = prepare(source, target.parent, input, settings, warn, marks, headed=headed, output=output)
    if marks is not None and headed:
        with Package(prepared.path) as package:
            marks.heads = heads_reading.read(package, settings.track_changes, warn)
    made = write(prepared, target, output, settings, warn)
    if marks is not None and marks.is_needed:
        _WRITERS_OF_STYLES[output](target, marks)
    if marks is None or input is not HTML:
        lost_styles.report(prepared.path, prepared.input, output, warn, kept=marks is not None)
    return made


def write(prepared: Prepared, target: Path, output: Format, settings: Settings, warn: Warn) -> Format | None:
    """Write the `prepared` input as `target`; a ZIP if there are separate picture files."""
    arguments = [*prepared.arguments, *_writing(target.parent, output, settings)]
    if settings.title:
        arguments.append(f"--metadata=title-option={without_controls(settings.title)}")
    pictures = target.parent / _PICTURES
    _run(prepared, target, _WRITERS[output], arguments, output, settings, warn)
    xml_characters.remove(target, output, warn)
    if output is ODT:
        inner_lists.number(target)
    if pictures.is_dir():
        if output in _ATTACHED:
            target.write_text(target.read_text("utf-8").replace(f"{_PICTURES}/picture-", "picture-"), "utf-8")
        return pack(target, f"document.{output.extension}", pictures)
    return None


def to_document(
    source: Path, target: Path, input: Format, output: Format, settings: Settings, warn: Warn
) -> HtmlDocument:
    """`source` as an HTML page with embedded pictures, for an output of HTML or PDF."""
    return page(prepare(source, target.parent, input, settings, warn, output=output), target, output, settings, warn)


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
        size=prepared.size,
        warn=warn,
    )


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


def pack(target: Path, name: str, pictures: Path) -> Format:
    """Replace `target` by a ZIP of it and the pictures it references."""
    text = target.rename(target.with_name(name))
    numbered = sorted(pictures.iterdir(), key=lambda each: (int(re.sub(r"\D", "", each.stem) or 0), each.name))
    archive.pack(target, [(name, text), *((f"{_PICTURES}/{each.name}", each) for each in numbered)])
    return ZIP
