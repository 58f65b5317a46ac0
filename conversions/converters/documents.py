"""Documents: Markdown and plain text as HTML and PDF, without any program but this one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from conversions.converters.base import Engine, converter
from conversions.converters.markup import HTML_PDF, PageOptions
from conversions.formats import HTML, MARKDOWN, PDF, TXT
from conversions.options import option
from conversions.warnings import Warn

_SAFE = ("cmarkgfm", "nh3", "conversions.engines.commonmark")
_CMARK = Engine("cmarkgfm", _SAFE)
_CMARK_PDF = Engine("cmarkgfm", (*_SAFE, *HTML_PDF.modules))
_TEXT = Engine("fileconv", ("conversions.engines.plain_text", "conversions.engines.page"))
_TEXT_PDF = Engine(HTML_PDF.distribution, (*_TEXT.modules, *HTML_PDF.modules))


@dataclass(frozen=True)
class EncodingOptions:
    """How the bytes of a text file are read."""

    encoding: str | None = option(
        None,
        "Character encoding of the file, such as windows-1252; found out by itself where it is left out.",
        min_length=1,
        max_length=40,
        pattern=r"[A-Za-z0-9_.:-]+",
    )


@dataclass(frozen=True)
class PlainTextOptions(EncodingOptions):
    """How a plain text becomes a document."""

    layout: Literal["paragraphs", "preformatted"] = option(
        "paragraphs", "Text as paragraphs that reflow, or as one block of fixed-width characters exactly as it stands."
    )


@dataclass(frozen=True)
class MarkdownOptions(EncodingOptions):
    """How Markdown is read."""

    hard_breaks: bool = option(False, "Keep every line break of the text as a line break.")
    smart: bool = option(False, "Turn straight quotes, -- and ... into typographic ones.")
    raw_html: Literal["clean", "remove"] = option(
        "clean", "HTML inside the text: keep what is harmless, or remove all of it."
    )


@dataclass(frozen=True)
class TitleOptions:
    """What a document is called."""

    title: str | None = option(None, "Title of the document.", min_length=1, max_length=300)
    language: str | None = option(
        None,
        "Language of the document, such as en or pt-BR.",
        max_length=35,
        pattern=r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*",
    )


@dataclass(frozen=True)
class HtmlOptions(TitleOptions):
    """How an HTML file is written."""

    standalone: bool = option(True, "Write a complete page; otherwise only what stands inside its body.")
    style: Literal["page", "none"] = option("page", "Style of a complete page: a readable one, or none.")


@dataclass(frozen=True)
class _MarkdownToHtml(HtmlOptions, MarkdownOptions):
    pass


@dataclass(frozen=True)
class _MarkdownToPdf(MarkdownOptions, PageOptions):
    pass


@dataclass(frozen=True)
class _TextToHtml(HtmlOptions, PlainTextOptions):
    pass


@dataclass(frozen=True)
class _TextToPdf(PlainTextOptions, PageOptions):
    pass


@converter(MARKDOWN, HTML, family="text", engine=_CMARK, options=_MarkdownToHtml)
def markdown_to_html(source: Path, target: Path, options: _MarkdownToHtml, warn: Warn) -> None:
    """Turn Markdown with tables, task lists and footnotes into a safe HTML page."""
    from conversions.engines import commonmark, page, plain_text

    text = plain_text.decode(source.read_bytes(), warn, encoding=options.encoding)
    made = commonmark.to_page(
        text, warn, hard_breaks=options.hard_breaks, smart=options.smart, raw_html=options.raw_html
    )
    page.write(
        made, target, title=options.title, language=options.language, standalone=options.standalone, style=options.style
    )


@converter(MARKDOWN, PDF, family="pdf", engine=_CMARK_PDF, options=_MarkdownToPdf)
def markdown_to_pdf(source: Path, target: Path, options: _MarkdownToPdf, warn: Warn) -> None:
    """Lay out Markdown with tables, task lists and footnotes as a PDF document."""
    from conversions.engines import commonmark, html_pdf, page, plain_text

    text = plain_text.decode(source.read_bytes(), warn, encoding=options.encoding)
    made = commonmark.to_page(
        text, warn, hard_breaks=options.hard_breaks, smart=options.smart, raw_html=options.raw_html
    )
    html_pdf.render(page.for_paper(made), target, options, warn, title=made.title or made.heading)


@converter(TXT, HTML, family="text", engine=_TEXT, options=_TextToHtml)
def txt_to_html(source: Path, target: Path, options: _TextToHtml, warn: Warn) -> None:
    """Turn plain text into an HTML page."""
    from conversions.engines import page, plain_text

    made = plain_text.to_page(source.read_bytes(), warn, encoding=options.encoding, layout=options.layout)
    page.write(
        made, target, title=options.title, language=options.language, standalone=options.standalone, style=options.style
    )


@converter(TXT, PDF, family="pdf", engine=_TEXT_PDF, options=_TextToPdf)
def txt_to_pdf(source: Path, target: Path, options: _TextToPdf, warn: Warn) -> None:
    """Lay out plain text as a PDF document."""
    from conversions.engines import html_pdf, page, plain_text

    made = plain_text.to_page(source.read_bytes(), warn, encoding=options.encoding, layout=options.layout)
    html_pdf.render(page.for_paper(made), target, options, warn, title=made.title)
