"""Office: word processor files, books, reStructuredText, Markdown and HTML among each other and to PDF."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from conversions.converters.base import Engine, converter
from conversions.converters.documents import EncodingOptions, HtmlOptions, PlainTextOptions, TitleOptions
from conversions.converters.markup import HTML_PDF, PageOptions
from conversions.formats import DOCX, EPUB, FORMATS, HTML, MARKDOWN, ODT, PDF, RST, RTF, TXT, Format
from conversions.options import Together, option, together
from conversions.warnings import Warn

_PANDOC = Engine("pypandoc-binary", ("cmarkgfm", "nh3", "conversions.engines.documents"), lazy=("pypandoc",))
_PANDOC_PDF = Engine(_PANDOC.distribution, (*_PANDOC.modules, *HTML_PDF.modules), lazy=_PANDOC.lazy)

_FORMATS = (HTML, MARKDOWN, TXT, RST, DOCX, ODT, RTF, EPUB)
_ELSEWHERE = {(MARKDOWN, HTML), (MARKDOWN, PDF), (TXT, HTML), (TXT, PDF), (HTML, PDF)}


@dataclass(frozen=True)
class _TrackedChanges:
    track_changes: Literal["accept", "reject", "all"] = option(
        "accept", "Tracked changes: accept them, reject them, or show all of them and the comments too."
    )


@dataclass(frozen=True)
class _Contents:
    table_of_contents: bool = option(False, "Put a table of contents at the top.")


@dataclass(frozen=True)
class _Pictures:
    pictures: Literal["files", "embed", "drop"] = option(
        "files", "Pictures: files beside the text in one ZIP, embedded in the text, or left out."
    )


@dataclass(frozen=True)
class _LineWidth:
    line_width: int = option(
        0, "Longest line in characters; 0 leaves every paragraph on one line.", minimum=0, maximum=500
    )


@dataclass(frozen=True)
class _ShortLines(_LineWidth):
    line_width: int = option(
        80, "Longest line in characters; 0 leaves every paragraph on one line.", minimum=0, maximum=500
    )


_READING: dict[Format, tuple[type, ...]] = {
    HTML: (EncodingOptions,),
    MARKDOWN: (EncodingOptions,),
    RST: (EncodingOptions,),
    TXT: (PlainTextOptions,),
    DOCX: (_TrackedChanges,),
}
_WRITING: dict[Format, tuple[type, ...]] = {
    HTML: (_Contents, HtmlOptions),
    MARKDOWN: (TitleOptions, _LineWidth, _Pictures),
    RST: (TitleOptions, _LineWidth, _Pictures),
    TXT: (TitleOptions, _ShortLines),
    DOCX: (_Contents, TitleOptions),
    ODT: (_Contents, TitleOptions),
    RTF: (_Contents, TitleOptions),
    EPUB: (TitleOptions,),
    PDF: (PageOptions,),
}


def _options(source: Format, target: Format) -> type | Together:
    return together(f"{source.id}_to_{target.id}".title(), *_READING.get(source, ()), *_WRITING[target])


def _formats(source: Path, target: Path) -> tuple[Format, Format]:
    return FORMATS[source.suffix[1:]], FORMATS[target.suffix[1:]]


def _to_document(source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Convert {input} to {output} with headings, lists, tables, footnotes and pictures."""
    from conversions.engines import documents

    return documents.convert(source, target, *_formats(source, target), documents.Settings.of(options), warn)


def _to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to a web page with its pictures inside."""
    from conversions.engines import documents, page

    made = documents.to_page(source, target, *_formats(source, target), documents.Settings.of(options), warn)
    page.write(
        made, target, title=options.title, language=options.language, standalone=options.standalone, style=options.style
    )


def _to_pdf(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to PDF with its text, tables, footnotes and pictures in a plain layout."""
    from conversions.engines import documents, html_pdf, page

    made = documents.to_page(source, target, *_formats(source, target), documents.Settings.of(options), warn)
    html_pdf.render(page.for_paper(made), target, options, warn, title=made.title or made.heading)


for _source in _FORMATS:
    for _target in (*_FORMATS, PDF):
        if _source is not _target and (_source, _target) not in _ELSEWHERE:
            converter(
                _source,
                _target,
                family="office",
                engine=_PANDOC_PDF if _target is PDF else _PANDOC,
                options=_options(_source, _target),
            )({HTML: _to_html, PDF: _to_pdf}.get(_target, _to_document))
